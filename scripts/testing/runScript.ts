import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findScript } from '../lib/commands.mjs'
import { nodeBinary, ROOT } from '../setup.mjs'

/** Runs a command in its own process for tests, with `environment` added to this one's, optionally behind a wrapper. */
export function runScript(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  wrapper: readonly string[] = [],
) {
  const [program = '', ...rest] = [...wrapper, nodeBinary(), join(ROOT, findScript(name)), ...args]
  const { status, stdout, stderr } = spawnSync(program, rest, {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  return { status, stdout, stderr: stderr.trim(), output: `${stdout}${stderr}`.trim() }
}

export const lastLineOf = (text: string): string => text.trim().split('\n').at(-1) ?? ''

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { nodeBinary, ROOT } from '../setup.mjs'

/** Runs a command in its own process for tests, with `environment` added to this one's, optionally as another user. */
export function runScript(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  as: { uid?: number; gid?: number } = {},
) {
  const { status, stdout, stderr } = spawnSync(nodeBinary(), [join(ROOT, 'scripts', `${name}.ts`), ...args], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    ...as,
  })
  return { status, stdout, stderr: stderr.trim(), output: `${stdout}${stderr}`.trim() }
}

export const lastLineOf = (text: string): string => text.trim().split('\n').at(-1) ?? ''

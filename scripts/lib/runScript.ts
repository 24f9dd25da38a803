import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { nodeBinary, ROOT } from '../setup.mjs'

/** Runs a command as npm does, for its tests: in a process of its own, with `environment` over this one's. */
export function runScript(name: string, args: readonly string[], environment: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = spawnSync(nodeBinary(), [join(ROOT, 'scripts', `${name}.ts`), ...args], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  return { status, stdout, stderr: stderr.trim(), output: `${stdout}${stderr}`.trim() }
}

export const lastLineOf = (text: string): string => text.trim().split('\n').at(-1) ?? ''

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { nodeBinary, ROOT } from '../setup.mjs'

/** Runs a command as npm does, for its tests: in a process of its own, with `environment` over this one's, and as another user if wanted. */
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

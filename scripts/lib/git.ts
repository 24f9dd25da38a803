import { spawnSync } from 'node:child_process'

/** git's output, or null if it fails. GIT_DIR is removed, because in a hook it points elsewhere. */
export function git(root: string, ...args: string[]): string | null {
  const { PATH, HOME } = process.env
  const { status, stdout } = spawnSync('git', args, { cwd: root, env: { PATH, HOME }, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../setup.mjs'

/** What the app is made of: a commit to anything else makes no new version. */
const APP = ['client', 'manifest', 'server', 'shared', 'package.json', 'package-lock.json']
const NOT_APP = ['client/e2e', 'client/dom', 'client/bench', 'server/bench', '**/*.test.ts', '**/*.test.tsx']
const PATHS = ['--', ...APP, ...NOT_APP.map((path) => `:(exclude,glob)${path}${path.includes('*') ? '' : '/**'}`)]

/**
 * The version of the sources here: the package's, and the last commit that changed the app, as in "1.2.0+4f9c2ab". With
 * changes that are not committed it ends in ".changed". Without git, or outside a clone, it is the package's alone.
 */
export function sourceVersion(root = ROOT): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const commit = git(root, 'log', '-1', '--format=%H', ...PATHS)?.slice(0, 7)
  if (!commit) return version
  const changed = git(root, 'status', '--porcelain', ...PATHS) ? '.changed' : ''
  return `${version}+${commit}${changed}`
}

/** What git says; null where it cannot. A hook's GIT_DIR would point it elsewhere. */
function git(root: string, ...args: string[]): string | null {
  const { PATH, HOME } = process.env
  const { status, stdout } = spawnSync('git', args, { cwd: root, env: { PATH, HOME }, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

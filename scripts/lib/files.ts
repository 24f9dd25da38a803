import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join, relative, sep } from 'node:path'
import { ROOT } from '../setup.mjs'

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.cache', 'test-results', 'playwright-report'])
/** The folder of the database and the log. Elsewhere a folder with that name holds code. */
const DATA = join(ROOT, 'data')

export function listRepoFiles(folder = ROOT): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name) && join(folder, entry.name) !== DATA)
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return listRepoFiles(path)
      return entry.isFile() ? [relative(ROOT, path).split(sep).join('/')] : []
    })
    .sort()
}

/**
 * Makes a folder for `work` and deletes it afterwards, also when a signal ends the process, because it may hold
 * everyone's data, unencrypted. Its path begins with `prefix`.
 */
export async function withFolder<T>(prefix: string, work: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(prefix)
  const drop = () => rmSync(folder, { recursive: true, force: true })
  const end = (signal: NodeJS.Signals) => {
    drop()
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of SIGNALS) process.on(signal, end)
  try {
    return await work(folder)
  } finally {
    for (const signal of SIGNALS) process.off(signal, end)
    drop()
  }
}
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/** The sources of the app. A commit to anything else does not change the version. */
const APP = ['client', 'manifest', 'server', 'shared', 'package.json', 'package-lock.json']
const NOT_APP = ['client/e2e', 'client/bench', 'server/bench', '**/*.test.ts', '**/*.test.tsx']
const PATHS = ['--', ...APP, ...NOT_APP.map((path) => `:(exclude,glob)${path}${path.includes('*') ? '' : '/**'}`)]

/**
 * The version of these sources: the package's version and the last commit that changed the app, as in "1.2.0+4f9c2ab".
 * With uncommitted changes it ends in ".changed". Without git, or outside a clone, it is just the package's version.
 */
export function sourceVersion(root = ROOT): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const commit = runGit(root, 'log', '-1', '--format=%H', ...PATHS)?.slice(0, 7)
  if (!commit) return version
  const changed = runGit(root, 'status', '--porcelain', ...PATHS) ? '.changed' : ''
  return `${version}+${commit}${changed}`
}

/** Git's output, or null if it fails. GIT_DIR is removed, because in a hook it points elsewhere. */
export function runGit(root: string, ...args: string[]): string | null {
  const { PATH, HOME } = process.env
  const { status, stdout } = spawnSync('git', args, { cwd: root, env: { PATH, HOME }, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

export function formatPath(path: string, folder: string): string {
  const near = relative(folder, path)
  return near.startsWith('..') ? path : near
}

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { sourceVersion } from './lib/files.ts'

const folders: string[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function sources() {
  const root = mkdtempSync(join(tmpdir(), 'garba-version-'))
  folders.push(root)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@garba.test', ...args], { cwd: root }).toString()
  const commit = () => {
    git('add', '.')
    git('commit', '--quiet', '--message', 'Change')
    return git('rev-parse', 'HEAD').slice(0, 7)
  }
  write('package.json', '{"version":"1.2.0"}')
  return { root, write, git, commit }
}

test('outside a clone, or without git, the version is that of the package', () => {
  const { root } = sources()
  expect(sourceVersion(root)).toBe('1.2.0')
  vi.stubEnv('PATH', root)
  expect(sourceVersion(root)).toBe('1.2.0')
})

const hasGit = spawnSync('git', ['--version']).status === 0

test('the version names the last commit that changed the app and marks uncommitted changes', () => {
  const { root, write, git, commit } = sources()
  // Sources without git history have no commit to name.
  if (!hasGit) return expect(sourceVersion(root)).toBe('1.2.0')
  git('init', '--quiet')
  write('server/src/main.ts', 'one')
  const first = commit()
  expect(sourceVersion(root)).toBe(`1.2.0+${first}`)
  for (const path of ['README.md', 'client/e2e/a.spec.ts', 'server/src/a.test.ts']) write(path, 'new')
  expect(sourceVersion(root)).toBe(`1.2.0+${first}`)
  commit()
  expect(sourceVersion(root)).toBe(`1.2.0+${first}`)
  write('client/src/a.ts', 'new')
  expect(sourceVersion(root)).toBe(`1.2.0+${first}.changed`)
  const second = commit()
  expect(sourceVersion(root)).toBe(`1.2.0+${second}`)
})

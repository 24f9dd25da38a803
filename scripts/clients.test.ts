import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LEFT_OUT, leftOutOf, revisionOf, startingThisServer } from './checks/earlier.ts'
import { git } from './lib/files.ts'
import { ROOT } from './setup.mjs'
import { lastLineOf, runScript } from './testing/runScript.ts'

const hasGit = spawnSync('git', ['--version']).status === 0
/** Sources without their history have no earlier version. */
const hasHistory = git(ROOT, 'rev-parse', '--verify', '--quiet', '10acbc5^{commit}') !== null

/** A repository whose commits have these tags, oldest first. */
function history(...tags: (string | null)[]) {
  const root = mkdtempSync(join(tmpdir(), 'garba-history-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const run = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@garba.test', ...args], { cwd: root })
      .toString()
      .trim()
  run('init', '--quiet')
  const commits = tags.map((tag) => {
    run('commit', '--quiet', '--allow-empty', '--message', 'Change')
    if (tag !== null) run('tag', tag)
    return run('rev-parse', 'HEAD')
  })
  return { root, commits }
}

const noHistory = () => expect(() => revisionOf(tmpdir())).toThrow('and this folder has none.')

test('the newest tag before the current commit is taken, or the revision that was asked for', () => {
  if (!hasGit) return noHistory()
  const { root, commits } = history(null, 'v1.0.0', null, 'v1.1.0', null)
  expect(revisionOf(root)).toEqual({ name: 'v1.1.0', commit: commits[3] })
  expect(revisionOf(root, 'v1.0.0')).toEqual({ name: 'v1.0.0', commit: commits[1] })
  expect(revisionOf(root, 'HEAD~4')).toEqual({ name: 'HEAD~4', commit: commits[0] })
  const released = history('v1.0.0', 'v1.1.0')
  expect(revisionOf(released.root)).toMatchObject({ name: 'v1.0.0' })
})

test('a revision that is not there is named in a sentence', () => {
  noHistory()
  if (!hasGit) return
  const { root } = history(null, null)
  expect(() => revisionOf(root, 'v9')).toThrow('There is no revision "v9" in this repository.')
  expect(() => revisionOf(root, '--all')).toThrow('There is no revision "--all" in this repository.')
  expect(() => revisionOf(root)).toThrow('The history of this clone does not reach the first release (10acbc5).')
})

test('the browser tests of this version and of the first release start the server of this version', () => {
  const today = startingThisServer(readFileSync(join(ROOT, 'client/e2e/support/server.ts'), 'utf8'))
  expect(today).not.toMatch(/'\.\.\/\.\.\/\.\.\/server\//)
  expect(today).toMatch(/import { readSettings } from 'file:\/\/.*\/server\/src\/testing\/earlierClient\.ts'/)
  expect(today).toMatch(/import { .*start } from 'file:\/\/.*\/server\/src\/start\.ts'/)
  expect(startingThisServer("const MAIN = join(ROOT, 'server', 'src', 'main.ts')\n")).toBe(
    `const MAIN = "${join(ROOT, 'server', 'src', 'testing', 'earlierClientMain.ts')}"\n`,
  )
  expect(() => startingThisServer('const server = createServer()')).toThrow('start their server in another way')
})

test('what is left out is a test of the first release, and runs for versions that know why', () => {
  if (!hasHistory) return noHistory()
  const first = revisionOf(ROOT, '10acbc5')
  expect(leftOutOf(ROOT, first)).toEqual(LEFT_OUT)
  for (const { file, title, why } of LEFT_OUT) {
    expect(git(ROOT, 'show', `10acbc5:client/e2e/${file}`)).toContain(title)
    expect(why).not.toBe('')
  }
  const forEvery = LEFT_OUT.filter(({ since }) => since === undefined)
  expect(forEvery.map(({ file }) => file)).toEqual(['scanner-readiness.spec.ts'])
  expect(leftOutOf(ROOT, revisionOf(ROOT, 'HEAD'))).toEqual(forEvery)
})

test('npm run clients fails with a sentence without the revision, and with its usage for what it does not know', () => {
  const missing = runScript('clients', ['--from', 'no-such-version'], {})
  expect(missing.status).toBe(1)
  expect(missing.stderr).toMatch(hasHistory ? /There is no revision "no-such-version"/ : /history/)
  expect(lastLineOf(missing.output)).not.toBe('')
  expect(missing.output).toMatch(/\n0 passed, 1 failed/)
  const unknown = runScript('clients', ['--form', 'v1'], {})
  expect(unknown.status).toBe(2)
  expect(unknown.stderr).toContain('npm run clients -- --from REVISION')
})

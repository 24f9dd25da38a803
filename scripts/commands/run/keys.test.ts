import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identityToRecipient } from 'age-encryption'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../server/src/store/engine/open.ts'
import { seedDemo } from '../../demo/seed.ts'
import { lastLineOf, runScript } from '../../testing/runScript.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'garba-keys-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** Runs the command as npm does. */
function keys(...args: string[]) {
  const { status, stdout, stderr } = runScript('keys', args, { DATA_DIR: dataDir })
  return { status, last: lastLineOf(stdout), stdout, stderr }
}

test('keys are listed, made and revoked, each with one line for the result', async () => {
  await seedDemo({ dataDir, now: new Date() })
  const first = keys('rotate').last.split(' ')[3] ?? ''
  expect(first).toMatch(/^[0-9A-Z]{26}$/)
  expect(keys('revoke', first)).toMatchObject({ status: 1, stderr: expect.stringMatching(/signs new tickets/) })
  expect(keys('rotate')).toMatchObject({ status: 0, last: expect.stringMatching(/signs new tickets from now on/) })
  expect(keys('revoke', first)).toMatchObject({
    status: 0,
    last: expect.stringMatching(/is revoked; 0 tickets signed/),
  })
  const listed = keys('list')
  expect(listed.last).toBe('2 signing keys, 1 of them valid.')
  expect(listed.stdout).toMatch(new RegExp(`^${first} .* revoked$`, 'm'))
})

test.each([[[]], [['revoke']], [['list', 'all']]])('wrong arguments %j print the usage and exit with 2', (args) => {
  expect(keys(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/keys -- rotate/) })
})

test('a key pair for backups is made without a database, and the command says where each half belongs', async () => {
  const { status, stdout, last } = keys('backup')
  const [, recipient = ''] = /^BACKUP_KEY=(age1\S+)$/m.exec(stdout) ?? []
  const [, secret = ''] = /^(AGE-SECRET-KEY-1\S+)$/m.exec(stdout) ?? []
  expect(await identityToRecipient(secret)).toBe(recipient)
  expect(stdout).toMatch(/Keep it away from the server/)
  expect({ status, last }).toEqual({ status: 0, last: 'A key pair for backups was made.' })
  expect(readdirSync(dataDir)).toEqual([])
  expect(keys('backup', 'now')).toMatchObject({ status: 2, stderr: expect.stringMatching(/keys -- backup/) })
})

test.each([
  ["update __drizzle_migrations set hash = 'another'", 'build before'],
  ["insert into __drizzle_migrations (hash, created_at) values ('later', 9000000000000)", 'later'],
])('a database of another version is left to its server: %s', async (change, age) => {
  await seedDemo({ dataDir, now: new Date() })
  const { sqlite, close } = openStore(join(dataDir, 'garba.db'))
  onTestFinished(close)
  sqlite.exec(change)
  const made = () => sqlite.prepare('select count(*) from __drizzle_migrations').pluck().get()
  const before = made()
  expect(keys('list')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(`by a ${age} version`),
  })
  expect(made()).toBe(before)
})

test('a missing database is reported and not created', () => {
  expect(keys('rotate')).toMatchObject({ status: 1, stderr: expect.stringMatching(/^There is no database at /) })
})

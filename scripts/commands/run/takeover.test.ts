import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sealBackup } from '../../../server/src/backups/sealed.ts'
import { backUp, keepFact } from '../../../server/src/store/engine/backup.ts'
import { openStore } from '../../../server/src/store/engine/open.ts'
import { readEpoch } from '../../../server/src/store/epoch.ts'
import { EPOCH } from '../../../server/src/store/meta.ts'
import { seedDemo } from '../../demo/seed.ts'
import { lastLineOf, runScript } from '../../testing/runScript.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'garba-takeover-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A backup of a machine that is lost, and the data folder of the one that takes over, which nobody has made yet. */
async function lost() {
  const [old, here] = [join(folder, 'old'), join(folder, 'here')]
  mkdirSync(old)
  await seedDemo({ dataDir: old, now: new Date() })
  const backup = join(folder, 'backup.db')
  backUp({ database: join(old, 'garba.db'), file: backup, now: new Date() })
  const takeover = (args: string[], environment: Record<string, string> = {}) =>
    runScript('takeover', args, { DATA_DIR: here, ...environment })
  return { backup, here, takeover }
}

async function epochIn(dataDir: string): Promise<number> {
  const store = openStore(join(dataDir, 'garba.db'))
  const { number } = await store.read(readEpoch)
  await store.close()
  return number
}

test('a machine takes over with a backup: the data is here, in a new epoch, and the next steps are printed', async () => {
  const { backup, here, takeover } = await lost()
  const from = Date.now()
  const { status, stdout } = takeover([backup], { PUBLIC_URL: 'https://tickets.example.org' })
  expect(stdout).toMatch(/is restored from .*backup\.db: .*3 users/)
  expect(stdout).toContain('Let the name of https://tickets.example.org lead to this machine.')
  expect(lastLineOf(stdout)).toBe(`${join(here, 'garba.db')} has taken over.`)
  expect(status).toBe(0)
  expect(await epochIn(here)).toBeGreaterThanOrEqual(from)
})

test('it takes an encrypted backup with the secret key, and leaves no decrypted copy', async () => {
  const { backup, here, takeover } = await lost()
  const key = await generateX25519Identity()
  const sealed = `${backup}.age`
  await sealBackup({ from: backup, to: sealed, key: await identityToRecipient(key) })
  expect(takeover([sealed], { BACKUP_KEY: key })).toMatchObject({ status: 0 })
  expect(await epochIn(here)).toBeGreaterThan(0)
  expect(readdirSync(here).filter((name) => name.includes('unsealed'))).toEqual([])
})

test('without a backup for a file, or with one for PostgreSQL, it prints its usage', async () => {
  const { backup, takeover } = await lost()
  expect(takeover([])).toMatchObject({ status: 2, output: expect.stringMatching(/takeover -- BACKUP/) })
  const postgres = takeover([backup], { DATABASE_URL: 'postgres://127.0.0.1:9/garba' })
  expect(postgres).toMatchObject({ status: 2, output: expect.stringMatching(/a standby is promoted/) })
})

test('a server is put back into use with the database it has, in a later epoch even where its clock is behind', async () => {
  const { backup, here, takeover } = await lost()
  expect(takeover(['--here'])).toMatchObject({ status: 1, output: expect.stringMatching(/^There is no database at /) })
  takeover([backup])
  const later = Date.now() + 4 * 60_000
  const database = join(here, 'garba.db')
  keepFact({ database, key: EPOCH, value: String(later) })
  const running = openStore(database)
  expect(takeover(['--here'])).toMatchObject({ status: 1, output: expect.stringMatching(/stop it first/) })
  await running.close()
  const { status, stdout } = takeover(['--here'])
  expect([status, lastLineOf(stdout)]).toEqual([0, `${database} has taken over.`])
  expect(await epochIn(here)).toBeGreaterThan(later)
})

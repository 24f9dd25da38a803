import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, inject, onTestFinished, test } from 'vitest'
import { backUpDatabase, listBackups } from '../../src/backups/copies.ts'
import { unsealBackup } from '../../src/backups/sealed.ts'
import { backUpIfDue } from '../../src/flows/recovery/keepBackups.ts'
import { ensureSigningKey } from '../../src/flows/signingKeys.ts'
import { inspectBackup } from '../../src/store/engine/backup.ts'
import { openStore } from '../../src/store/engine/open.ts'
import { readEpoch } from '../../src/store/epoch.ts'
import { LAST_BACKUP, LAST_DRILL, readMeta } from '../../src/store/meta.ts'
import { moveToPostgres } from '../../src/store/postgres/move.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { insertUser } from '../../src/store/users.ts'
import { ask, databaseAt } from '../../src/testing/postgres.ts'
import { temporaryFolder } from '../../src/testing/process.ts'
import { bought, putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld } from '../../src/testing/world.ts'

async function newDatabase(): Promise<string> {
  const name = `backed_${randomUUID().replaceAll('-', '')}`
  const server = inject('postgres') ?? ''
  await ask(server, `create database ${name}`)
  onTestFinished(async () => {
    await ask(server, `drop database ${name} with (force)`)
  })
  return databaseAt(server, name)
}

/** Runs a command of operation as npm does. */
function run(script: string, args: readonly string[], environment: Record<string, string>) {
  const file = fileURLToPath(new URL(`../../../scripts/commands/run/${script}.ts`, import.meta.url))
  const env = {
    ...process.env,
    ...{ FIREBASE_PROJECT_ID: '', NODE_ENV: '', BACKUP_KEY: '', BACKUP_DIR: '', DATABASE_URL: '' },
    ...environment,
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { env, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}`.trim() }
}

/** A server's SQLite database before a move, with people but without money. */
async function installed(): Promise<string> {
  const folder = temporaryFolder()
  const now = new Date()
  const store = openStore(join(folder, 'garba.db'))
  await ensureSigningKey({ store, now: () => now })
  await store.write(async (tx) => {
    for (let n = 0; n < 700; n += 1)
      await insertUser(tx, {
        ...{ id: `user-${n}`, firebaseUid: `uid-${n}`, email: `u${n}@example.org`, emailVerified: n % 2 === 0 },
        ...{ name: 'રાધા', photoUrl: null, role: 'guest', createdAt: now, lastLogin: null },
      })
  })
  await store.close()
  return folder
}

const contentsOf = async (url: string, table: string) =>
  JSON.stringify(await ask(url, `select * from ${table} order by 1`))

test('the page from the move to the first restore: move, back up, drill, restore elsewhere, with an epoch of its own', async () => {
  const folder = await installed()
  const [url, next] = [await newDatabase(), await newDatabase()]
  const settings = { DATA_DIR: folder, DATABASE_URL: url, BACKUP_DIR: folder }
  await moveToPostgres({ file: join(folder, 'garba.db'), url })

  const file = join(folder, 'garba-2025-09-22T18-05-00-000Z.db')
  const backup = run('backup', [file], settings)
  expect(backup.output.split('\n').at(-1)).toContain(`is backed up to ${file}: `)
  expect(backup.output).toMatch(/700 users, 0 tickets\.$/)
  expect(statSync(file).mode & 0o077).toBe(0)
  const drill = run('drill', [], settings)
  expect(drill.output).toMatch(/can be restored, and its Books balance\. It is /)
  expect(drill.status).toBe(0)

  expect(run('restore', [file], settings)).toEqual({ status: 1, output: expect.stringMatching(/is not empty/) })
  const before = readFileSync(file)
  const restored = run('restore', [file], { ...settings, DATABASE_URL: next })
  expect(restored).toEqual({ status: 0, output: expect.stringMatching(/is restored from /) })
  expect(readFileSync(file).equals(before)).toBe(true)
  for (const table of ['users', 'signing_keys', 'audit'])
    expect(await contentsOf(next, table)).toBe(await contentsOf(url, table))
  const [old, fresh] = [await openPostgres(url), await openPostgres(next)]
  expect((await fresh.read(readEpoch)).number).toBeGreaterThan((await old.read(readEpoch)).number)
  for (const key of [LAST_BACKUP, LAST_DRILL]) expect(await old.read((tx) => readMeta(tx, key))).not.toBeNull()
  await old.close()
  await fresh.close()
}, 240_000)

test('with a public key the copy is encrypted, and no plain one stays anywhere', async () => {
  const [folder, url] = [await installed(), await newDatabase()]
  const where = { databaseFile: join(folder, 'garba.db'), databaseUrl: url }
  await moveToPostgres({ file: where.databaseFile, url })
  const secret = await generateX25519Identity()
  const [file, at] = [join(folder, 'after.db'), new Date()]
  const copied = await backUpDatabase({ where, file, key: await identityToRecipient(secret), at })
  expect(copied).toMatchObject({ file: `${file}.age`, contents: { users: 700 } })
  expect(readdirSync(folder).filter((name) => !name.startsWith('garba.db'))).toEqual(['after.db.age'])
  expect(readFileSync(copied.file, 'latin1')).not.toContain('u1@example.org')
  await unsealBackup({ from: copied.file, to: file, key: secret })
  expect(inspectBackup(file)).toMatchObject({ users: 700 })
})

test('a database whose restore was cut off serves nobody until it is restored anew', async () => {
  const [folder, url] = [temporaryFolder(), await newDatabase()]
  const plain = join(await installed(), 'garba.db')
  const own = () => run('restore', [plain], { DATA_DIR: folder, DATABASE_URL: url })
  const change = async (query: string) => {
    const store = openStore(plain)
    store.sqlite.exec(query)
    await store.close()
  }
  await change("update users set created_at = 'no time' where id = 'user-699'")
  expect(own()).toMatchObject({ status: 1 })
  await expect(openPostgres(url)).rejects.toThrow('a restore into it was cut off')
  await change("update users set created_at = 1 where id = 'user-699'")
  expect(own()).toMatchObject({ status: 0 })
  await (await openPostgres(url)).close()
})

test("the server's own backups of PostgreSQL hold what was sold before them", async () => {
  const world = await makeWorld({ settings: { BACKUP_DIR: '/set/below' } })
  await putOnSale(world)
  await bought(await world.as('guest'), 3)
  const { backups, ...settings } = world.deps.settings
  if (!backups) throw new Error('BACKUP_DIR was set')
  const dir = join(world.folder, 'backups')
  const [{ name } = { name: '' }] = (await world.sql('select current_database() as name')) as { name: string }[]
  const databaseUrl = databaseAt(inject('postgres') ?? '', name)
  const databaseFile = join(world.folder, 'garba.db')
  await backUpIfDue({
    ...world.deps,
    settings: { ...settings, databaseFile, databaseUrl, backups: { ...backups, dir } },
  })
  const [newest] = listBackups(dir)
  const copy = openStore(newest?.path ?? '')
  expect(copy.sqlite.prepare('select count(*) as n from tickets').get()).toEqual({ n: 3 })
  await copy.close()
})

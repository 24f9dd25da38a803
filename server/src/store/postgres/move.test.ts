import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { ensureSigningKey, listKeys } from '../../flows/signingKeys.ts'
import { ask, databaseAt } from '../../testing/postgres.ts'
import { temporaryFolder } from '../../testing/process.ts'
import { writeAudit } from '../audit.ts'
import { openStore } from '../engine/open.ts'
import { putImage } from '../events.ts'
import { writeMeta } from '../meta.ts'
import { insertUser } from '../users.ts'
import { moveToPostgres } from './move.ts'
import { openPostgres } from './open.ts'

const NOW = new Date('2025-09-22T13:00:00.000Z')
const COMMAND = fileURLToPath(new URL('../../../../scripts/commands/run/move.ts', import.meta.url))

async function emptyTarget(): Promise<string> {
  const name = `moved_${randomUUID().replaceAll('-', '')}`
  const server = inject('postgres') ?? ''
  await ask(server, `create database ${name}`)
  onTestFinished(async () => {
    await ask(server, `drop database ${name} with (force)`)
  })
  return databaseAt(server, name)
}

const noted = (actorName: string) => ({
  at: NOW,
  action: 'keys.rotated' as const,
  actorId: null,
  actorName,
  subject: 'k',
  subjectName: null,
  detail: 'x',
})

/** A database with people of every script, bytes, nulls, numbers given by itself, and more rows than go at once. */
async function source(): Promise<string> {
  const file = join(temporaryFolder(), 'garba.db')
  const store = openStore(file)
  await ensureSigningKey({ store, now: () => NOW })
  await store.write(async (tx) => {
    for (let n = 0; n < 1_200; n += 1)
      await insertUser(tx, {
        id: `user-${n}`,
        firebaseUid: `uid-${n}`,
        email: `user-${n}@example.org`,
        emailVerified: n % 2 === 0,
        name: ['રાધા', 'राधा\0', "O'Neil \\ \u{1F483}"][n % 3] ?? '',
        photoUrl: n % 5 === 0 ? 'https://example.org/p.png' : null,
        role: 'guest',
        createdAt: new Date(NOW.getTime() + n),
        lastLogin: null,
      })
    await putImage(tx, { hash: 'h', type: 'image/png', bytes: Buffer.from([0, 1, 92, 255]), createdAt: NOW })
    for (const name of ['first', 'second']) await writeAudit(tx, noted(name))
  })
  await store.close()
  return file
}

test('everything arrives, is compared, and works: keys, bytes, and numbers that go on', async () => {
  const [file, url] = [await source(), await emptyTarget()]
  const moved = await moveToPostgres({ file, url })
  expect(moved).toContainEqual({ table: 'users', rows: 1_200 })
  const sqlite = openStore(file)
  const postgres = await openPostgres(url)
  onTestFinished(async () => {
    await sqlite.close()
    await postgres.close()
  })
  expect(await postgres.read(listKeys)).toEqual(await sqlite.read(listKeys))
  expect(await ask(url, 'select bytes from images')).toEqual([{ bytes: Buffer.from([0, 1, 92, 255]) }])
  await postgres.write((tx) => writeAudit(tx, noted('third')))
  expect(await ask(url, 'select id::int, actor_name from audit order by id')).toEqual([
    { id: 1, actor_name: 'first' },
    { id: 2, actor_name: 'second' },
    { id: 3, actor_name: 'third' },
  ])
})

test('a database that holds anything is refused, and one left by a copy that was cut off is not', async () => {
  const [file, url] = [await source(), await emptyTarget()]
  const store = await openPostgres(url)
  await store.write((tx) => writeMeta(tx, 'said', 'x'))
  await expect(moveToPostgres({ file, url })).rejects.toThrow(/is not empty \(meta has rows\)/)
  await ask(url, 'delete from meta')
  await store.close()
  await expect(moveToPostgres({ file, url })).resolves.toContainEqual({ table: 'users', rows: 1_200 })
})

test('a copy that came out different is refused and not kept', async () => {
  const [file, url] = [await source(), await emptyTarget()]
  await (await openPostgres(url)).close()
  await ask(
    url,
    `create function spoil() returns trigger language plpgsql as $$ begin new.name := 'x'; return new; end $$;
     create trigger spoils before insert on users for each row when (new.id = 'user-700') execute function spoil()`,
  )
  await expect(moveToPostgres({ file, url })).rejects.toThrow('The table users differs after the copy')
  expect(await ask(url, 'select 1 from users limit 1')).toEqual([])
})

const WITHOUT_LAST =
  'delete from __drizzle_migrations where created_at = (select max(created_at) from __drizzle_migrations)'

test('while a server runs on the file nothing is copied, and no server starts during the copy', async () => {
  const [file, url] = [await source(), await emptyTarget()]
  const server = openStore(file)
  // The tables of a server of an earlier version stay as they are, too.
  server.sqlite.exec(`create table kept as select * from __drizzle_migrations; ${WITHOUT_LAST}`)
  await expect(moveToPostgres({ file, url })).rejects.toThrow(/A server is running on .*: stop it first/)
  expect(
    server.sqlite.prepare('select count(*) - (select count(*) from kept) from __drizzle_migrations').pluck().get(),
  ).toBe(-1)
  server.sqlite.exec(
    'insert into __drizzle_migrations select * from kept order by created_at desc limit 1; drop table kept',
  )
  await server.close()
  const refusals: unknown[] = []
  await moveToPostgres({
    file,
    url,
    onTable: () => {
      if (refusals.length > 0) return
      try {
        openStore(file)
      } catch (error) {
        refusals.push(error)
      }
    },
  })
  expect(refusals).toMatchObject([{ name: 'StoreUnusable', message: expect.stringContaining('is locked') }])
})

test('the command says what it moved in one line, never the password', async () => {
  const [file, url] = [await source(), await emptyTarget()]
  const env = { ...process.env, DATA_DIR: join(file, '..'), FIREBASE_PROJECT_ID: '', NODE_ENV: '' }
  const child = spawn(process.execPath, [COMMAND, '--to', url.replace('garba:garba', 'garba:secret-of-mine')], { env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  expect(said).not.toContain('secret-of-mine')
  expect(said.trim().split('\n').at(-1)).toMatch(
    /^\d+ rows of \d+ tables moved to PostgreSQL 127\.0\.0\.1:\d+\/moved_\w+; counts and hashes agree\.$/,
  )
})

test.each([[[]], [['--to', 'mysql://x']]])('wrong arguments %j print the usage and exit with 2', (args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/npm run move -- --to/),
  })
})

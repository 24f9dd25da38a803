import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { readSettings } from '../../config.ts'
import { startApp } from '../../start.ts'
import { makeDatabase } from '../../testing/database.ts'
import { ask, databaseAt } from '../../testing/postgres.ts'
import { StoreUnavailable } from '../engine/store.ts'
import { StoreUnusable } from '../engine/unusable.ts'
import { readMeta, writeMeta } from '../meta.ts'
import { openPostgres, poolAt, postgresSchemaAge } from './open.ts'

const server = (): string => inject('postgres') ?? ''

/** An address of the test server with other parts. */
function at(parts: { name?: string; user?: string; port?: string }): string {
  const url = new URL(databaseAt(server(), parts.name ?? 'postgres'))
  if (parts.user) url.username = parts.user
  if (parts.port) url.port = parts.port
  url.password = 'secret-of-mine'
  return url.href
}

/** The sentence it is refused with. */
async function refusal(url: string): Promise<string> {
  const error = await openPostgres(url).catch((refused: Error) => refused)
  expect(error).toMatchObject({ name: 'StoreUnusable' })
  const { message } = error as Error
  expect(message).not.toContain('secret-of-mine')
  expect(message).toMatch(/^The PostgreSQL database 127\.0\.0\.1:\d+\/\w+ cannot be used: [^\n]+\.$/)
  return message
}

async function emptyDatabase(how = ''): Promise<string> {
  const name = `own_${randomUUID().replaceAll('-', '')}`
  await ask(server(), `create database ${name} ${how}`)
  onTestFinished(async () => {
    await ask(server(), `drop database ${name} with (force)`)
  })
  return name
}

test('nobody at the address, no such database, a wrong password: each is one sentence, without the password', async () => {
  await ask(
    server(),
    `do $$ begin create role strict login password 'another'; exception when others then null; end $$`,
  )
  expect(await refusal(at({ port: '1' }))).toContain('nothing listens at that address')
  expect(await refusal(at({ name: 'nowhere' }))).toContain('that database does not exist')
  expect(await refusal(at({ user: 'strict' }))).toContain('the password is wrong')
})

test('a user who may not create tables, or not write them, gets one sentence that says so', async () => {
  await ask(server(), 'do $$ begin create role poor login; exception when others then null; end $$')
  const name = await emptyDatabase()
  expect(await refusal(at({ name, user: 'poor' }))).toContain('that user may not create tables')
  await (await openPostgres(at({ name }))).close()
  expect(await refusal(at({ name, user: 'poor' }))).toContain('that user may not write its tables')
})

test('a database that cannot hold every script is refused while it is empty, and says how to make one', async () => {
  const name = await emptyDatabase('encoding latin1 locale "C" template template0')
  const why = 'its encoding is LATIN1: make it with createdb --encoding UTF8'
  expect(await refusal(at({ name }))).toContain(why)
  await expect(postgresSchemaAge(at({ name }))).rejects.toThrow(why)
})

test('reads that never pause follow the address to another server in time', async () => {
  const name = await emptyDatabase()
  const store = await openPostgres(at({ name }), { pool: poolAt(at({ name }), { maxLifetimeSeconds: 1 }) })
  onTestFinished(store.close)
  const connection = () =>
    store.read(async (tx) => (await tx.sql.get<{ pid: number }>('select pg_backend_pid() as pid')) as unknown)
  const first = JSON.stringify(await connection())
  await expect.poll(async () => JSON.stringify(await connection()), { interval: 5, timeout: 10_000 }).not.toBe(first)
})

test('a database of a later version is left alone', async () => {
  const name = await emptyDatabase()
  await (await openPostgres(at({ name }))).close()
  await ask(at({ name }), `insert into migrations values ('9999_later', 9999999999999)`)
  expect(await refusal(at({ name }))).toContain('it was made by a later version')
})

test('a server does not start on a database that takes no writes or does not answer, and says why', async () => {
  const name = await emptyDatabase()
  const settings = readSettings({ DATABASE_URL: at({ name }), PORT: '0', LOG_LEVEL: 'silent' })
  await (await openPostgres(at({ name }))).close()
  await ask(server(), `alter database ${name} set default_transaction_read_only = on`)
  await expect(startApp(settings)).rejects.toThrow(/it is read-only, though it is no standby\. .*disk is full/)
  const late = StoreUnusable.fromPostgres(
    new StoreUnavailable('No answer', { cause: new Error('Query read timeout') }),
    at({ name }),
  )
  const untrusted = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  expect(StoreUnusable.fromPostgres(untrusted, at({ name })).message).toContain('sslmode=verify-full&sslrootcert=')
  expect(late.message).toContain('it does not answer in time. If it waits for a standby that has taken over')
})

test('two servers that start on an empty database make its tables once', async () => {
  const name = await emptyDatabase()
  const stores = await Promise.all([openPostgres(at({ name })), openPostgres(at({ name }))])
  onTestFinished(async () => {
    for (const store of stores) await store.close()
  })
  await stores[0].write((tx) => writeMeta(tx, 'said', 'once'))
  expect(await stores[1].read((tx) => readMeta(tx, 'said'))).toBe('once')
})

async function database() {
  const made = await makeDatabase()
  onTestFinished(made.remove)
  return made
}

test('a write that fails is rolled back alone, whatever it left of its statements', async () => {
  const { store, sql } = await database()
  const [first, broken, last] = await Promise.allSettled([
    store.write((tx) => writeMeta(tx, 'row1', 'x')),
    store.write(async (tx) => {
      await writeMeta(tx, 'row2', 'x')
      await tx.sql.all('select nothing from nowhere').catch(() => undefined)
    }),
    store.write((tx) => writeMeta(tx, 'row3', 'x')),
  ])
  expect([first.status, broken.status, last.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await sql("select key from meta where key like 'row%' order by key")).toEqual([
    { key: 'row1' },
    { key: 'row3' },
  ])
})

test.each(['40001', '40P01'])('a write that PostgreSQL gives up with %s is made again', async (code) => {
  const { store, sql } = await database()
  await sql('create sequence tries')
  // Numbers of a sequence are used up even by what is rolled back.
  await sql(`create function give_up() returns trigger language plpgsql as $$ begin
    if nextval('tries') < 3 then raise exception 'given up' using errcode = '${code}'; end if;
    return new; end $$`)
  await sql(
    "create trigger gives_up before insert on meta for each row when (new.key = 'row1') execute function give_up()",
  )
  await Promise.all(['row0', 'row1', 'row2'].map((key) => store.write((tx) => writeMeta(tx, key, 'x'))))
  expect(await sql("select key from meta where key like 'row%' order by key")).toHaveLength(3)
})

test('what one server writes is announced to the other, and a change nobody announced is found by looking', async () => {
  const { store, sql, openAgain } = await database()
  const other = await openAgain()
  onTestFinished(other.close)
  const seen: string[] = []
  other.changes.subscribe((change) => seen.push(change))
  await vi.waitFor(() => expect(seen).toContain('access'), 10_000)
  seen.length = 0
  await store.write(async (tx) => {
    tx.announceChanges('evening', 'access')
    await writeMeta(tx, 'said', 'x')
  })
  await vi.waitFor(() => expect(seen).toEqual(['evening', 'access']), 10_000)
  seen.length = 0
  await vi.waitFor(
    async () => {
      await sql(
        "insert into counters values ('revision', 7) on conflict (name) do update set value = counters.value + 1",
      )
      expect(seen).toContain('roster')
    },
    { timeout: 20_000, interval: 1_000 },
  )
})

test('a NUL, which PostgreSQL cannot keep, is replaced in what is stored and in what is looked for', async () => {
  const { store } = await database()
  await store.write((tx) => writeMeta(tx, 'a\0b', 'c\0d'))
  expect(await store.read((tx) => readMeta(tx, 'a\0b'))).toBe('c\u{FFFD}d')
})

test('a closed store takes no more writes', async () => {
  const { store } = await database()
  await store.close()
  await expect(store.write((tx) => writeMeta(tx, 'late', 'x'))).rejects.toThrow(StoreUnavailable)
})

test('a store closes although PostgreSQL does not answer its goodbye', async () => {
  const name = await emptyDatabase()
  const store = await openPostgres(at({ name }))
  const listeners = `select pid from pg_stat_activity where datname = '${name}' and query like 'listen %'`
  const pid = await vi.waitFor(async () => {
    const [row] = await ask<{ pid: number }>(server(), listeners)
    if (!row) throw new Error('It does not listen yet')
    return row.pid
  }, 10_000)
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(pid, 'SIGCONT'))
  const closed = store.close().then(() => true)
  expect(await Promise.race([closed, sleep(5_000, false, { ref: false })])).toBe(true)
})

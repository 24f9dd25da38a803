import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from './open.ts'

function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'garba-store-'))
  const file = join(folder, 'garba.db')
  const store = openStore(file)
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return { file, store, sqlite: store.sqlite }
}

test('a used ticket survives power loss: WAL, synchronous FULL, foreign keys on', async () => {
  const { sqlite } = opened()
  const pragma = (name: string) => sqlite.pragma(name, { simple: true })
  expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 2, 1])
})

test('what is deleted is overwritten in the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-left-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'garba.db')
  const write = (text: string) => `insert into meta (key, value) values ('note', '${text}')`
  const store = openStore(file)
  store.sqlite.exec(write('Meera was here'))
  store.sqlite.exec("delete from meta where key = 'note'")
  await store.close()
  expect(readFileSync(file, 'latin1')).not.toContain('was here')
})

test('folder, database and SQLite’s own files are for their owner alone, existing ones too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-modes-'))
  const file = join(folder, 'data', 'garba.db')
  await openStore(file).close()
  writeFileSync(join(folder, 'data', 'server.log'), '')
  writeFileSync(join(folder, 'data', 'notes.txt'), '')
  for (const name of ['garba.db', 'server.log', 'notes.txt']) chmodSync(join(folder, 'data', name), 0o644)
  chmodSync(join(folder, 'data'), 0o755)
  const store = openStore(file)
  store.sqlite.exec("insert into meta (key, value) values ('kept', 'yes')")
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const modes = Object.fromEntries(
    ['.', 'garba.db', 'garba.db-wal', 'garba.db-shm', 'server.log', 'notes.txt'].map((name) => [
      name,
      (statSync(join(folder, 'data', name)).mode & 0o777).toString(8),
    ]),
  )
  expect(modes).toEqual({
    '.': '700',
    'garba.db': '600',
    'garba.db-wal': '600',
    'garba.db-shm': '600',
    'server.log': '600',
    'notes.txt': '644',
  })
})

test('where the database finds no room to grow it is closed all the same, and its log keeps what was committed', async () => {
  const { file, store } = opened()
  await store.close()
  const blocks = Math.ceil(statSync(file).size / 512) + 8
  const body = `import { openStore } from '${new URL('./open.ts', import.meta.url)}'
    const store = openStore('${file}')
    store.sqlite.exec('begin')
    for (let n = 0; n < 100; n += 1)
      store.sqlite.prepare('insert into meta (key, value) values (?, ?)').run('kept' + n, 'x'.repeat(3_000))
    store.sqlite.exec('commit')
    await store.scrub().catch((error) => console.log(error.code))
    console.log(store.sqlite.pragma('busy_timeout', { simple: true }))
    await store.close()`
  // A file may not become longer than it is, as on a full disk.
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" --input-type=module --eval "$1"`
  const { status, stderr, stdout } = spawnSync('sh', ['-c', script, process.execPath, body], { encoding: 'utf8' })
  // It still waits for another process, such as a backup.
  expect({ status, stderr, stdout }).toEqual({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^SQLITE_\w+\n2000\n$/),
  })
  const again = openStore(file)
  onTestFinished(again.close)
  expect(again.sqlite.prepare("select count(*) from meta where key like 'kept%'").pluck().get()).toBe(100)
})

test('opened again it stays as it is', async () => {
  const { file, store, sqlite } = opened()
  sqlite.exec("insert into meta (key, value) values ('kept', 'yes')")
  await store.close()
  const again = openStore(file)
  expect(again.sqlite.prepare("select value from meta where key = 'kept'").get()).toEqual({ value: 'yes' })
  await again.close()
})

test('a database of a later version is left alone', async () => {
  const { file, sqlite } = opened()
  sqlite.exec("insert into __drizzle_migrations (hash, created_at) values ('later', 9000000000000)")
  expect(() => openStore(file)).toThrow(/cannot be used: it was made by a later version of this application/)
})

test('a database that a build before 1.0.0 made is refused and not touched', async () => {
  const { file, store, sqlite } = opened()
  sqlite.exec("update __drizzle_migrations set hash = 'of another build'")
  await store.close()
  const before = readFileSync(file)
  expect(() => openStore(file)).toThrow(/cannot be used: it was made by a build before version 1\.0\.0: [^.]+\.$/)
  expect(readFileSync(file)).toEqual(before)
})

test('no row is deleted because another one is', async () => {
  const { sqlite } = opened()
  const tables = sqlite.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
  const rules = tables.flatMap(({ name }) => sqlite.pragma(`foreign_key_list(${name})`) as { on_delete: string }[])
  expect(rules.length).toBeGreaterThan(3)
  expect(rules.every((rule) => rule.on_delete === 'NO ACTION')).toBe(true)
})

test('a row that points at nothing stops the boot', async () => {
  const { file, store, sqlite } = opened()
  sqlite.pragma('foreign_keys = OFF')
  sqlite.exec(
    "insert into orders (id, user_id, idempotency_key, quantity, total_paise, answer, created_at) values ('o', 'nobody', 'key-1234', 1, 100, '{}', 0)",
  )
  await store.close()
  expect(() => openStore(file)).toThrow(/1 rows point at rows that do not exist/)
})

test('the database itself refuses more seats taken than there are, and a second event', async () => {
  const { sqlite } = opened()
  const insert = sqlite.prepare(
    `insert into events (id, name, venue, description, date, start_time, end_time, ticket_price_paise, total_tickets,
     taken_seats, features, types, created_at, updated_at) values (?, 'n', 'v', 'd', '2025-09-22', '18:00', '22:00', 100, 10, ?, '[]', '[]', 0, 0)`,
  )
  expect(() => insert.run('a', 11)).toThrow(/CHECK/)
  insert.run('a', 10)
  expect(() => sqlite.exec('update events set taken_seats = taken_seats + 1')).toThrow(/CHECK/)
  expect(() => insert.run('b', 0)).toThrow(/UNIQUE/)
})

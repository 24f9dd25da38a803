import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { signedIn, tokenOf } from '../caller.ts'
import { freePort } from '../postgres.ts'
import { eventForm } from '../scenes.ts'
import { memoryOf } from './saleStorm.ts'
import { accountantOf, newFolder, reading, type Served, served, type WhenOver } from './served.ts'

interface Storm {
  /** Scans at one scanner, and about as many at the server. */
  scans: number
  /** A PostgreSQL server for the data; without one it is in SQLite. */
  postgres?: string | undefined
  whenOver: WhenOver
  progress?: (done: number) => void
}

interface Stormed {
  findings: string[]
  table: [what: string, figure: string][]
}

/** The server's process after a round of the same work. */
interface Look {
  memoryMB: number
  handles: number
  dataMB: number
  logKB: number
}

const ADMIN = 'admin@garba.test'
const ROUNDS = 8
/** The first rounds fill caches and load code. */
const WARM = 3
const MEMORY_GROWTH = 1.25
const HANDLES_GROWTH = 12
/** A scan keeps a row in the journal, on both sides of the process (MB). */
const HEAP_PER_SCAN_MB = 0.008
const HISTORY = 50
const PHONE = fileURLToPath(new URL('soakPhone.ts', import.meta.url))

/**
 * The same evening's work again and again: guests buy, a gate scans, and a desk stays open all night. The server's memory and handles
 * must stay, its data and log grow by what was done; and a real scanner takes all scans without growing.
 */
export async function soakStorm({ scans, postgres, whenOver, progress = () => undefined }: Storm): Promise<Stormed> {
  const settings = { ADMIN_EMAILS: ADMIN, PAYMENTS: 'none' }
  const server = await served({ folder: newFolder(whenOver), port: await freePort(), postgres }, settings, whenOver)
  const admin = await signedIn(server.url, ADMIN)
  const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  await admin(server.url, '/api/event', eventForm({ date, totalTickets: scans * 2 + 1_000 }))
  const desk = openDesk(server)
  const looks: Look[] = []
  const findings = new Set<string>()
  for (let round = 1; round <= ROUNDS; round += 1) {
    await work(server, { scans: Math.ceil(scans / ROUNDS), round, findings })
    looks.push(await lookAt(server))
    progress((round * scans) / ROUNDS)
  }
  const news = await desk()
  const phone = await phoneOf(scans)
  const [early, late] = [looks[WARM - 1], looks.at(-1)]
  if (!early || !late) throw new Error('There were too few rounds')
  if (late.memoryMB > early.memoryMB * MEMORY_GROWTH)
    findings.add(`Memory grew from ${early.memoryMB} to ${late.memoryMB} MB`)
  if (late.handles > early.handles + HANDLES_GROWTH)
    findings.add(`Handles grew from ${early.handles} to ${late.handles}`)
  const grown = phone.late - phone.early
  if (grown > Math.max(20, scans * HEAP_PER_SCAN_MB)) findings.add(`The scanner grew by ${grown.toFixed(0)} MB`)
  if (phone.shown !== scans || phone.onServer !== scans || phone.unsent !== 0)
    findings.add(
      `Of ${scans} scans ${phone.shown} let somebody in, ${phone.onServer} are on record, ${phone.unsent} unsent`,
    )
  if ((phone.kept.qr_scan_history ?? 0) > HISTORY)
    findings.add(`The scanner's history has ${phone.kept.qr_scan_history} rows`)
  if (news === 0) findings.add('The desk that stayed open heard nothing')
  const from = (one: number, other: number, unit: string) => `${one.toFixed(1)} to ${other.toFixed(1)} ${unit}`
  return {
    findings: [...findings, ...(await accountantOf(server))],
    table: [
      ['server: memory', from(early.memoryMB, late.memoryMB, 'MB')],
      ['server: handles', `${early.handles} to ${late.handles}`],
      ['server: data, a row for each sale and scan', from(early.dataMB, late.dataMB, 'MB')],
      ['server: log, a line for each call', from(early.logKB, late.logKB, 'kB')],
      ['desk: news while it stayed open', String(news)],
      ['scanner: memory, its server included', from(phone.early, phone.late, 'MB')],
      ...Object.entries(phone.kept).map(([name, rows]): [string, string] => [`scanner: rows in ${name}`, String(rows)]),
    ],
  }
}

async function work(
  { url }: Served,
  { scans, round, findings }: { scans: number; round: number; findings: Set<string> },
): Promise<void> {
  const gates = await Promise.all([0, 1].map((n) => signedIn(url, n === 0 ? ADMIN : `gate${n}@garba.test`)))
  const [admin] = gates
  if (!admin) return
  for (let done = 0; done < scans; ) {
    const guest = await signedIn(url, `guest${round}-${done}@garba.test`)
    const quantity = Math.min(10, scans - done)
    const sold = await guest(url, '/api/tickets', { quantity }, { 'Idempotency-Key': randomUUID() })
    const tickets = (sold.body.tickets ?? []) as Ticket[]
    for (const { qrCode } of tickets) {
      const { status } = await admin(url, '/api/tickets/mark-used', { qrCode, scanId: randomUUID() })
      if (status === 429) await sleep(1_000)
      else if (status !== 200) findings.add(`A scan was answered ${status}`)
    }
    for (const path of ['/api/admin/gate', '/api/admin/analytics/dashboard', '/api/tickets/admin/stats'])
      await admin(url, path)
    done += quantity
  }
}

/** Keeps a live view open. The returned function closes it and resolves with the number of messages it got. */
function openDesk({ url }: Served): () => Promise<number> {
  const end = new AbortController()
  let news = 0
  const open = (async () => {
    const headers = { authorization: `Bearer ${tokenOf(ADMIN)}`, accept: 'text/event-stream' }
    const response = await fetch(`${url}/api/admin/gate/live`, { headers, signal: end.signal })
    for await (const part of response.body ?? []) if (new TextDecoder().decode(part).includes('data:')) news += 1
  })().catch(() => undefined)
  return async () => {
    end.abort()
    await open
    return news
  }
}

const lookAt = async (server: Served): Promise<Look> => ({
  memoryMB: memoryOf(server),
  handles: handlesOf(server),
  dataMB: (await bytesOf(server)) / 2 ** 20,
  logKB: server.log().length / 1_024,
})

/** What the data takes up on the disk. */
async function bytesOf(server: Served): Promise<number> {
  if (server.postgres !== undefined) {
    const size = 'select pg_database_size(current_database()) as bytes'
    return Number((await reading(server, (sql) => sql(size)))[0]?.bytes)
  }
  const files = readdirSync(server.folder, { withFileTypes: true }).filter((file) => file.isFile())
  return files.reduce((sum, { name }) => sum + statSync(join(server.folder, name)).size, 0)
}

/** Open files and sockets; 0 where the system does not say. */
function handlesOf(server: Served): number {
  try {
    return readdirSync(`/proc/${server.pid()}/fd`).length
  } catch {
    return 0
  }
}

interface Soaked {
  shown: number
  onServer: number
  unsent: number
  /** MB after a fifth of the scans, and after all. */
  early: number
  late: number
  kept: Record<string, number>
}

const phoneOf = (scans: number): Promise<Soaked> =>
  new Promise((resolve, reject) => {
    const child = fork(PHONE, [String(scans)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--expose-gc'],
    })
    let said = ''
    child.stderr?.on('data', (text) => {
      said = `${said}${text}`.slice(-4_000)
    })
    child.on('message', (told: Soaked) => resolve(told))
    child.on('close', () => reject(new Error(`The scanner ended: ${said}`)))
  })

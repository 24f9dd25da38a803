import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Evening } from '@garba/shared/contracts/desk'
import type { Ticket } from '@garba/shared/contracts/ticket'
import Database from 'better-sqlite3'
import { wrongInTables } from './accounts.ts'
import { type Answer, type Send, signedIn } from './caller.ts'
import { runServer, type ServerRun } from './process.ts'
import { eventForm } from './scenes.ts'

interface Storm {
  restarts: number
  /** Milliseconds between a start and the next SIGTERM. */
  everyMs: number
  whenOver: (undo: () => Promise<void>) => void
  progress?: (restarts: number) => void
}

interface Report {
  /** What was lost, doubled or changed. */
  findings: string[]
  sales: number
  admissions: number
  /** Requests that had no answer, or were to be made later, and were made again with the same key. */
  repeated: number
  /** The longest time without any answer, per restart, in milliseconds. */
  gaps: number[]
}

const ADMIN = 'admin@garba.test'
/** Admins may scan too. Enough of them that a gate's pace stays within what one account may ask. */
const GATES = ['gate0@garba.test', 'gate1@garba.test', 'gate2@garba.test', 'gate3@garba.test']
const BUYERS = 6
const PAUSE_MS = 40
const RETRY_MS = 50
/** Ask later: too many requests, or not now. */
const LATER: ReadonlySet<number> = new Set([429, 503])

/** One request, and what the server acknowledged. */
interface Done {
  send: Send
  path: string
  body: unknown
  headers: Record<string, string>
  answer: Answer
}

/**
 * Restarts a server as systemd does, by SIGTERM and at once again, while guests buy and gates scan what they bought. Whoever
 * gets no answer asks again with the same key. Afterwards everything acknowledged must be in the database, once.
 */
export async function restartStorm({
  restarts,
  everyMs,
  whenOver,
  progress = () => undefined,
}: Storm): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'garba-restart-'))
  const port = await anyPort()
  const serve = () =>
    runServer(
      {
        PORT: String(port),
        DATA_DIR: folder,
        ADMIN_EMAILS: [ADMIN, ...GATES].join(),
        FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9',
        // As the systemd unit has it.
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
      },
      whenOver,
    )
  whenOver(async () => rmSync(folder, { recursive: true, force: true }))
  let running = await serve()
  const { url } = running
  if (url === '') throw new Error(running.stderr())
  const admin = await signedIn(url, ADMIN)
  await admin(url, '/api/event', { ...eventForm({ date: inDays(45), totalTickets: 100_000 }) })

  const report: Report = { findings: [], sales: 0, admissions: 0, repeated: 0, gaps: [] }
  const sales: Done[] = []
  const scans: Done[] = []
  const toScan: Ticket[] = []
  let over = false

  /** Until it is answered; refusals are answers too. */
  const insist = async (send: Send, path: string, body: unknown, headers: Record<string, string> = {}) => {
    for (;;) {
      const answer = await send(url, path, body, headers).catch(() => null)
      if (answer !== null && !LATER.has(answer.status)) return answer
      report.repeated += 1
      await sleep(RETRY_MS)
    }
  }
  const buyer = async (send: Send) => {
    while (!over) {
      const request = { path: '/api/tickets', body: { quantity: 2 }, headers: { 'Idempotency-Key': randomUUID() } }
      const answer = await insist(send, request.path, request.body, request.headers)
      if (answer.status !== 201) report.findings.push(`A sale was answered ${answer.status} ${answer.body.code}`)
      sales.push({ send, ...request, answer })
      toScan.push(...((answer.body.tickets ?? []) as Ticket[]))
      await sleep(PAUSE_MS)
    }
  }
  const gate = async (send: Send) => {
    while (!over || toScan.length > 0) {
      const ticket = toScan.shift()
      if (ticket) {
        const request = {
          path: '/api/tickets/mark-used',
          body: { qrCode: ticket.qrCode, scanId: randomUUID() },
          headers: {},
        }
        const answer = await insist(send, request.path, request.body)
        if (answer.status !== 200) report.findings.push(`A scan was answered ${answer.status} ${answer.body.code}`)
        scans.push({ send, ...request, answer })
      }
      await sleep(PAUSE_MS)
    }
  }
  const buyers = await Promise.all(Array.from({ length: BUYERS }, (_, at) => signedIn(url, `guest${at}@garba.test`)))
  const gates = await Promise.all(GATES.map((email) => signedIn(url, email)))
  const work = Promise.all([...buyers.map(buyer), ...gates.map(gate)])

  for (let restart = 1; restart <= restarts; restart += 1) {
    await sleep(everyMs)
    const watch = gapOf(url)
    running = await restarted(running, serve)
    report.gaps.push(await watch())
    progress(restart)
  }
  await sleep(everyMs)
  over = true
  await work

  // Each acknowledged request made once more: the same answer, and nothing twice.
  for (const { send, path, body, headers, answer } of [...sales.slice(-20), ...scans.slice(-20)]) {
    const again = await insist(send, path, body, headers)
    if (again.status !== answer.status || JSON.stringify(again.body) !== JSON.stringify(answer.body))
      report.findings.push(`${path} made once more was answered ${again.status} instead of ${answer.status}`)
  }
  const wentIn = scans.filter(({ answer }) => answer.status === 200).length
  const { people } = (await insist(admin, '/api/admin/gate', undefined)).body.data as Evening
  if (people !== wentIn) report.findings.push(`Evening says ${people} people, the witness ${wentIn}`)
  running.child.kill('SIGTERM')
  await running.ended
  report.findings.push(...(await lost(folder, sales, scans)))
  return { ...report, sales: sales.length, admissions: scans.length }
}

/** SIGTERM, and a new process as soon as the old one has ended. */
async function restarted({ child, ended }: ServerRun, serve: () => Promise<ServerRun>): Promise<ServerRun> {
  child.kill('SIGTERM')
  const { code } = await ended
  if (code !== 0) throw new Error(`The server ended with ${code}`)
  const next = await serve()
  if (next.url === '') throw new Error(next.stderr())
  return next
}

/** Watches the server; the returned function resolves with the longest time between two answers, once one came again. */
function gapOf(url: string): () => Promise<number> {
  let answered = performance.now()
  let longest = 0
  let over = false
  const watching = (async () => {
    while (!over) {
      const response = await fetch(`${url}/healthz`).catch(() => null)
      await response?.arrayBuffer().catch(() => null)
      if (response?.ok) {
        longest = Math.max(longest, performance.now() - answered)
        answered = performance.now()
      }
      await sleep(5)
    }
  })()
  return async () => {
    const asked = performance.now()
    while (answered < asked) await sleep(5)
    over = true
    await watching
    return longest
  }
}

/** What was acknowledged and is not in the database, or is there twice, and what the accountant finds. */
async function lost(folder: string, sales: readonly Done[], scans: readonly Done[]): Promise<string[]> {
  const database = new Database(join(folder, 'garba.db'), { readonly: true })
  try {
    const column = (sql: string) => new Set(database.prepare(sql).pluck().all() as string[])
    const tickets = column('select id from tickets')
    const used = column("select ticket_id from scans where outcome = 'admitted'")
    const sold = sales.flatMap(({ answer }) => (answer.body.tickets as Ticket[]).map(({ _id }) => _id))
    const admitted = scans.map(({ answer }) => (answer.body.ticket as Ticket)._id)
    return [
      ...(await wrongInTables({ sql: async (query) => database.prepare(query).all() as Record<string, unknown>[] })),
      ...sold.filter((id) => !tickets.has(id)).map((id) => `Ticket ${id} was acknowledged and is gone`),
      ...admitted.filter((id) => !used.has(id)).map((id) => `The admission of ${id} was acknowledged and is gone`),
      ...(tickets.size === sold.length ? [] : [`${tickets.size} tickets for ${sold.length} acknowledged ones`]),
      ...(used.size === admitted.length ? [] : [`${used.size} admissions for ${admitted.length} acknowledged ones`]),
    ]
  } finally {
    database.close()
  }
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

function anyPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR_MS } from '@garba/shared/constants'
import { RATES } from '../../http/limits.ts'
import { findEvent, updateEvent } from '../../store/events.ts'
import { wrongInAccounts, wrongInTables } from '../accounts.ts'
import { holdToContract } from '../contract.ts'
import { makeWorld, type World } from '../world.ts'
import { broken, readerOf, unreadable } from './invariants.ts'
import { isRecord, makeKnown } from './known.ts'
import { type Actor, type Document, type Plan, plansOf } from './plan.ts'
import { type Answer, type Exchange, type Sent, send } from './send.ts'

/** A problem, with the request at which it was found. */
export interface Finding {
  request: number
  what: string
  sent: Sent | null
}
export interface Report {
  seed: number
  requests: number
  /** Fewer than requested if the run ended early. */
  done: number
  findings: Finding[]
  /** The number of responses by call and status. */
  answers: Record<string, Record<string, number>>
  slowest: { ms: number; what: string }
}
export interface FuzzOptions {
  seed: number
  requests: number
  /** Called after every hundred requests. */
  progress?: (done: number) => void
  /** Receives a clean-up function for the end of the run. Vitest's own by default. */
  whenOver?: (undo: () => void) => void
}

/** It copies the file of the settings, which is not the database of these worlds. */
const LEFT_OUT = 'backUpNow'

/** How often a call is tried again that was refused each time, less in a short run. */
const AGAIN = (requests: number) => Math.min(25, Math.ceil(requests / 40))

/** Calls that were refused each time. */
export const neverAccepted = ({ answers }: Pick<Report, 'answers'>): Set<string> =>
  new Set(
    Object.entries(answers)
      .filter(([, counts]) => !Object.keys(counts).some((status) => status.startsWith('20')))
      .map(([call]) => call),
  )

/** The system's checks ask the clocks and read the whole database in a thread of their own: two a run are enough. */
const SLOW_CALL = { name: 'systemChecks', most: 2 }

/** A run ends after this many kinds of findings, because the first may have caused the others. */
const FINDINGS_MAX = 20
const CHECK_EVERY = 100

/**
 * Sends requests by all roles, made from the server's own OpenAPI document, to a new server in this process, while its clock
 * goes from the start of the sale through the evening to the days after. The same seed and number of requests repeat a run,
 * except for the server's random ids and signatures.
 */
export async function fuzz({ seed, requests, progress, whenOver }: FuzzOptions): Promise<Report> {
  const world = await makeFuzzWorld(whenOver)
  const document = (await world.nobody.request('GET', '/api/openapi.json')).body as unknown as Document
  const plans = plansOf(document, { seed, count: requests })
  const known = makeKnown()
  const report: Report = { seed, requests, done: 0, findings: [], answers: {}, slowest: { ms: 0, what: '' } }
  const kinds = new Set<string>()
  const find = (request: number, what: string, sent: Sent | null = null) => {
    const kind = `${sent ? plans[request]?.call : ''} ${what.split(/[[{]/)[0]}`
    if (!kinds.has(kind)) report.findings.push({ request, what, sent })
    kinds.add(kind)
  }

  const attempt = async (plan: Plan, index: number) => {
    if (plan.call === LEFT_OUT) return
    if (plan.call === SLOW_CALL.name && (report.answers[plan.call]?.['200'] ?? 0) >= SLOW_CALL.most) return
    const exchange = await send(world, known, plan)
    if (exchange) {
      recordExchange(report, plan, exchange)
      for (const what of wrongWith(document, plan, exchange)) find(index, what, exchange.sent)
      if (plan.call === 'setEventState') await putOn(world)
      if (savedEvent(plan, exchange)) for (const what of await unreadable(world)) find(index, what, exchange.sent)
    }
  }

  for (const [index, plan] of plans.entries()) {
    world.clock.set(momentOf(index, requests))
    await attempt(plan, index)
    // What chance has let nobody do so far is tried more often while the event lasts.
    if (index === Math.floor(AFTER * requests) - 1) {
      const only = neverAccepted(report)
      for (const again of plansOf(document, { seed, count: AGAIN(requests) * only.size, only }))
        await attempt(again, index)
    }
    if ((index + 1) % CHECK_EVERY === 0 || index + 1 === requests) {
      for (const what of [...(await broken(world)), ...(await wrongInTables(world)), ...errorLines(world)])
        find(index, what)
      progress?.(index + 1)
    }
    report.done = index + 1
    if (report.findings.length >= FINDINGS_MAX) return report
  }
  for (const what of [...(await unreadable(world)), ...(await wrongInAccounts(world, await readerOf(world)))])
    find(requests, what)
  return report
}

async function makeFuzzWorld(whenOver: FuzzOptions['whenOver']): Promise<World> {
  const clientDir = mkdtempSync(join(tmpdir(), 'garba-fuzz-client-'))
  for (const name of ['index.html', 'scanner.html'])
    writeFileSync(join(clientDir, name), '<html><head><!--meta--><!--/meta--></head><body></body></html>')
  // Rate limits have their own tests. Here they would hide everything behind them.
  const limits = Object.fromEntries(Object.keys(RATES).map((name) => [name, 1_000_000_000]))
  const world = await makeWorld({
    clientDir,
    limits,
    // What the doctor writes to measure the disk would stay in the source if the run were stopped.
    settings: { ADMIN_EMAILS: 'guest0@fuzz.test', DATA_DIR: clientDir },
    ...(whenOver ? { whenOver } : {}),
  })
  const admin = await world.as('admin', { uid: 'fuzz-organiser', email: 'organiser@fuzz.test', name: 'Organiser' })
  const { status, body } = await admin.request('POST', '/api/event', EVENT)
  if (status !== 201) throw new Error(`The event could not be made: ${JSON.stringify(body)}`)
  whenOver?.(() => rmSync(clientDir, { recursive: true, force: true }))
  return world
}

/** An event called off or moved would refuse nearly all that follows. */
const putOn = ({ store }: World) =>
  store.write(async (tx) => {
    const event = await findEvent(tx)
    if (!event || event.state === 'on') return
    const { date, startTime } = EVENT
    const taken = { undoUntil: null, stateBefore: null, stateReason: null, freeCancelUntil: null }
    await updateEvent(tx, event.id, { state: 'on', date, startTime, ...taken })
  })

const SHOWN_MAX = 1_500
const shortened = (text: string) =>
  text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)} (${text.length} characters)` : text

/** Findings for people, with how to reproduce them. */
export function describeFindings({ seed, requests, findings }: Report): string[] {
  return findings.map(({ request, what, sent }) => {
    const where = `Seed ${seed}, request ${request + 1} of ${requests}: ${what}`
    if (!sent) return where
    const { Authorization: _, ...headers } = sent.headers
    return shortened(`${where}\n  ${sent.method} ${sent.path} ${JSON.stringify(headers)}\n  ${sent.body ?? 'no body'}`)
  })
}

const EVENT = {
  name: 'Garba Rass 2025',
  venue: 'Riverfront Ground',
  description: 'One night of garba.',
  date: '2025-09-22',
  startTime: '18:30',
  endTime: '22:30',
  ticketPrice: 299,
  groupPrice4: 249,
  totalTickets: 2_000,
}

/** Share of the requests before the evening, and before its end. */
const [EVENING, AFTER] = [0.35, 0.9]
const [BEGINS, OPENS, ENDS] = ['2025-08-08T12:00Z', '2025-09-22T12:30Z', '2025-09-22T17:00Z'].map(Date.parse) as [
  number,
  number,
  number,
]
/** Requests at the gate come fast, so an admission can still be undone by a following one. */
const PACE_MS = 1_000

/** The time of a request: weeks of sale, then the evening at its own pace, then the hours and days after. */
function momentOf(index: number, requests: number): Date {
  const share = index / requests
  if (share < EVENING) return new Date(BEGINS + ((OPENS - BEGINS) * share) / EVENING)
  if (share < AFTER) return new Date(OPENS + (index - EVENING * requests) * PACE_MS)
  return new Date(Math.max(ENDS, OPENS + (AFTER - EVENING) * requests * PACE_MS) + (index - AFTER * requests) * HOUR_MS)
}

/** A save that was not refused may have changed the event. */
const savedEvent = ({ call }: Plan, { answer }: Exchange): boolean =>
  (call === 'createEvent' || call === 'updateEvent') &&
  answer !== 'hangs' &&
  (answer.status < 400 || answer.status >= 500)

function recordExchange(report: Report, plan: Plan, { sent, answer }: Exchange): void {
  const counts = report.answers[plan.call ?? 'address'] ?? {}
  report.answers[plan.call ?? 'address'] = counts
  const status = answer === 'hangs' ? answer : String(answer.status)
  counts[status] = (counts[status] ?? 0) + 1
  if (answer !== 'hangs' && answer.ms > report.slowest.ms)
    report.slowest = { ms: Math.round(answer.ms), what: `${sent.method} ${sent.path.slice(0, 80)}` }
}

type Operation = Document['paths'][string][string]

/** The document's operation for a plan's address. */
function operationAt({ paths }: Document, { method, template }: Plan): Operation | undefined {
  const named = method === 'HEAD' ? 'get' : method.toLowerCase()
  return paths[template.replace(/^\/api/, '')]?.[named]
}

/** Whether the document allows this actor to make a call. */
function mayCall({ security, 'x-roles': roles, 'x-rights': rights = [] }: Operation, actor: Actor): boolean {
  if (!security?.length) return true
  if ('phone' in actor) return actor.phone === 'all' ? rights.length > 0 : rights.includes(actor.phone)
  return 'role' in actor && (roles?.includes(actor.role) ?? true)
}

function wrongWith(document: Document, plan: Plan, { sent, answer }: Exchange): string[] {
  if (answer === 'hangs') return ['no answer in 10 s']
  const { status, headers, text } = answer
  const operation = operationAt(document, plan)
  const retryLater = status === 503 && headers.has('retry-after') && operation?.responses['503'] !== undefined
  const found: string[] = []
  if (status >= 500 && !retryLater) found.push(`${status}: ${text.slice(0, 300)}`)
  const row = failedRow(answer)
  if (row) found.push(`a batch row of 500: ${JSON.stringify(row)}`)
  if (operation && status < 300 && !mayCall(operation, plan.actor))
    found.push(`answers ${status} to whom it is not open`)
  if (answer.json === undefined || sent.method === 'HEAD') return found
  try {
    holdToContract(sent.method, sent.path, status, answer.json)
  } catch (error) {
    found.push(`not as promised: ${String(error).slice(0, 300)}`)
  }
  return found
}

function failedRow({ json }: Answer): unknown {
  if (!isRecord(json) || !Array.isArray(json.results)) return undefined
  return json.results.find((row) => isRecord(row) && Number(row.status) >= 500)
}

const LOG_ERROR = 50

/** Failures that are only in the log, such as those after a response has started. */
const errorLines = ({ log }: World): string[] =>
  log
    .splice(0)
    .filter((line) => Number(JSON.parse(line).level) >= LOG_ERROR)
    .map((line) => {
      const { call, msg, err } = JSON.parse(line)
      return `logged at ${call}: ${msg}, ${err?.type} ${err?.message} ${String(err?.stack).split('\n').slice(0, 3).join(';')}`
    })

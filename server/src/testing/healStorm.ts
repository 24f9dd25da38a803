import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { newId, timeOfId } from '../store/engine/sql.ts'
import { wrongInAccounts } from './accounts.ts'
import { must } from './desk.ts'
import { dice } from './dice.ts'
import { eveningOf } from './evening.ts'
import { backedUp, restored } from './restored.ts'
import { codeOf, eventForm, mark, person } from './scenes.ts'
import { type Client, makeWorld, type World, type WorldOptions } from './world.ts'

/** An admission as its phone keeps it, whoever signs in there later. Times are in ms. */
interface Kept {
  scanId: string
  ticket: Ticket
  at: number
  checker: { id: string; name: string }
  undoneAt: number | null
}

/** A phone at a gate, with only the parts of the scanner that matter here; the scanner has its own tests. */
interface Gate {
  id: string
  name: string
  checker: string
  online: boolean
  journal: Kept[]
  /** The journal's rows that no server has answered. */
  outbox: Set<string>
  /** Tickets it will not let in again. */
  used: Set<string>
}

interface Storm {
  seed: number
  scans: number
  gates: number
  whenOver: NonNullable<WorldOptions['whenOver']>
  progress?: (done: number) => void
}

interface Healed {
  /** What is wrong. */
  findings: string[]
  restores: number
  admissions: number
  undone: number
  /** Conflicts on tickets the server has, and on those it lost. */
  twiceLetIn: number
  onLostTickets: number
}

interface Evening {
  world: World
  random: () => number
  gates: Gate[]
  sold: Ticket[]
  findings: string[]
}

const CHECKERS = ['Asmita', 'Bina', 'Chirag', 'Divya'] as const
/** Got an account after the backup. */
const LATE_CHECKER = 'Nila'
const DAY_MS = 86_400_000
const BATCH = '/api/tickets/mark-used/batch'
const BATCH_MAX = 200
const TO_SEND = { limits: { user: 1e9, manual: 1e9, address: 1e9 } }

/**
 * Gates scan with and without a network, guests buy, checkers undo admissions and change shifts. Somewhere in the
 * middle a backup is made, later the server is lost with its disk, and the backup is restored: in half of all storms
 * twice. The phones come back in any order, send again what they have, some of it twice, and the evening continues
 * meanwhile. Returns what is wrong afterwards, and how much there was.
 */
export async function healStorm({ seed, scans, gates, whenOver, progress = () => undefined }: Storm): Promise<Healed> {
  const random = dice(seed)
  const world = await makeWorld({ ...TO_SEND, whenOver })
  // The time in an id counts as a sale's, and no id is earlier than another that this process made before.
  world.clock.set(new Date(timeOfId(newId(world.clock.now())).getTime() + 1).toISOString())
  const date = new Date(world.clock.now().getTime() + 45 * DAY_MS).toISOString().slice(0, 10)
  const event = eventForm({ date, totalTickets: scans * 4 + 1_000 })
  await must((await world.as('admin')).request('POST', '/api/event', event))
  const evening: Evening = { world, random, sold: [], findings: [], gates: Array.from({ length: gates }, newGate) }
  for (const name of CHECKERS) await world.as('qrchecker', person(name))
  await buySome(evening)
  const lost = 0.9 - random() * 0.3
  const backup = lost * (0.3 + random() * 0.6)
  let file = ''
  for (let n = 0; n < scans * lost; n += 1) {
    if (file === '' && n >= scans * backup) {
      file = await backedUp(world)
      await world.as('qrchecker', person(LATE_CHECKER))
    }
    await oneTurn(evening)
    progress(n)
  }
  const twice = random() < 0.5
  for (const round of twice ? [1, 2] : [1]) {
    const old = evening.world
    evening.world = await restored(old, file, { ...TO_SEND, whenOver })
    evening.world.clock.forward(1)
    for (const gate of evening.gates) gate.online = false
    const places = new Map(evening.gates.map((gate) => [gate, random()]))
    const back = evening.gates.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
    // Before the second restore only some have come back.
    for (const gate of round === 1 && twice ? back.slice(1) : back) {
      await comeBack(evening, gate)
      for (let n = 0; n < (scans * (1 - lost)) / gates / (twice ? 2 : 1); n += 1) await oneTurn(evening)
    }
  }
  for (const gate of evening.gates) await goOnline(evening, gate)
  progress(scans)
  const findings = [...evening.findings, ...(await wrongScans(evening)), ...(await wrongTickets(evening))]
  findings.push(...(await wrongHeadcount(evening)))
  return {
    findings: [...findings, ...(await wrongInAccounts(evening.world))],
    restores: twice ? 2 : 1,
    ...(await countsOf(evening)),
  }
}

async function countsOf({ world, gates }: Evening): Promise<Omit<Healed, 'findings' | 'restores'>> {
  const kept = gates.flatMap(({ journal }) => journal)
  const conflicts = await world.sql('select over, acknowledged_at is null as open from conflicts')
  return {
    admissions: kept.length,
    undone: kept.filter(({ undoneAt }) => undoneAt !== null).length,
    twiceLetIn: conflicts.filter(({ over }) => over === 'used').length,
    onLostTickets: conflicts.filter(({ over }) => over === 'missing').length,
  }
}

const newGate = (_: unknown, index: number): Gate => ({
  id: `gate-${index}`,
  name: `Gate ${index}`,
  checker: CHECKERS[index % CHECKERS.length] ?? CHECKERS[0],
  online: true,
  journal: [],
  outbox: new Set(),
  used: new Set(),
})

const pick = <T>(list: readonly T[], random: () => number): T => {
  const one = list[Math.floor(random() * list.length)]
  if (one === undefined) throw new RangeError('Nothing to pick from')
  return one
}

const checkerOf = ({ world }: Evening, name: string): Promise<Client> => world.as('qrchecker', person(name))

async function buySome({ world, random, sold }: Evening): Promise<void> {
  const guest = await world.as('guest', person(`Guest${Math.floor(random() * 50)}`))
  const body = { quantity: 1 + Math.floor(random() * 5) }
  const { tickets } = await must(guest.request('POST', '/api/tickets', body, { 'Idempotency-Key': randomUUID() }))
  sold.push(...(tickets as Ticket[]))
}

async function oneTurn(evening: Evening): Promise<void> {
  const { world, random, gates } = evening
  world.clock.forward(1 + Math.floor(random() * 4_000))
  const gate = pick(gates, random)
  const choice = random()
  if (choice < 0.25) await buySome(evening)
  if (choice > 0.97) gate.checker = pick([...CHECKERS, LATE_CHECKER], random)
  else if (choice > 0.9) {
    if (gate.online) gate.online = false
    else await goOnline(evening, gate)
  } else if (choice > 0.82) await takeBack(evening, gate)
  else await letIn(evening, gate)
}

/** Most people come once; some pictures of a code are shown at several gates. */
async function letIn(evening: Evening, gate: Gate): Promise<void> {
  const { world, random, sold } = evening
  const inside = new Set(evening.gates.flatMap(({ journal }) => journal.map(({ ticket }) => ticket._id)))
  const fresh = random() < 0.85 ? sold.find(({ _id }) => !inside.has(_id)) : undefined
  const ticket = fresh ?? pick(sold, random)
  if (gate.used.has(ticket._id)) return
  const client = await checkerOf(evening, gate.checker)
  const kept: Kept = {
    scanId: randomUUID(),
    ticket,
    at: world.clock.now().getTime(),
    checker: { id: client.user?.id ?? '', name: gate.checker },
    undoneAt: null,
  }
  gate.used.add(ticket._id)
  if (gate.online) {
    const { status } = await mark(client, { ...placeOf(gate), scanId: kept.scanId, qrCode: codeOf(ticket) })
    if (status !== 200) return
  } else gate.outbox.add(kept.scanId)
  gate.journal.push(kept)
}

/** The last admission of the gate, within the time for it. */
async function takeBack(evening: Evening, gate: Gate): Promise<void> {
  const kept = gate.journal.at(-1)
  const now = evening.world.clock.now().getTime()
  if (!kept || kept.undoneAt !== null || now - kept.at > 60_000 || kept.checker.name !== gate.checker) return
  if (gate.outbox.delete(kept.scanId)) gate.journal.pop()
  else {
    if (!gate.online) return
    const client = await checkerOf(evening, gate.checker)
    const { status } = await client.request('POST', '/api/tickets/mark-used/undo', { scanId: kept.scanId })
    if (status !== 200) return
    kept.undoneAt = now
  }
  gate.used.delete(kept.ticket._id)
}

const placeOf = ({ id, name }: Gate) => ({ deviceId: id, deviceName: name })

async function goOnline(evening: Evening, gate: Gate): Promise<void> {
  gate.online = true
  await send(
    evening,
    gate,
    gate.journal.filter(({ scanId }) => gate.outbox.has(scanId)),
  )
}

/** The phone meets a server of a later epoch. */
async function comeBack(evening: Evening, gate: Gate): Promise<void> {
  gate.online = true
  // Somebody else may be signed in by now.
  if (evening.random() < 0.3) gate.checker = pick(CHECKERS, evening.random)
  await send(evening, gate, gate.journal)
}

/** In batches of any length; some answers are lost, and then the whole batch is sent again. */
async function send(evening: Evening, gate: Gate, rows: readonly Kept[]): Promise<void> {
  const { random, findings } = evening
  const client = await checkerOf(evening, gate.checker)
  for (let from = 0; from < rows.length; ) {
    const some = rows.slice(from, from + 1 + Math.floor(random() * BATCH_MAX))
    const { results } = await must(client.request('POST', BATCH, { scans: some.map((kept) => bodyOf(gate, kept)) }))
    for (const { success, scanId, code } of results as { success: boolean; scanId: string; code?: string }[]) {
      const kept = some.find((row) => row.scanId === scanId)
      // The next checker may not undo it. The row waits until its maker signs in again.
      if (success || (code === 'UNDO_NOT_YOURS' && kept && (await sentByMaker(evening, gate, kept))))
        gate.outbox.delete(scanId)
      else findings.push(`${gate.name} was refused ${scanId}: ${code}`)
    }
    if (random() > 0.2) from += some.length
  }
}

async function sentByMaker(evening: Evening, gate: Gate, kept: Kept): Promise<boolean> {
  const maker = await checkerOf(evening, kept.checker.name)
  const { results } = await must(maker.request('POST', BATCH, { scans: [bodyOf(gate, kept)] }))
  return (results as { success: boolean }[]).every(({ success }) => success)
}

const bodyOf = (gate: Gate, { scanId, ticket, at, checker, undoneAt }: Kept) => ({
  scanId,
  qrCode: codeOf(ticket),
  scannedAt: new Date(at).toISOString(),
  checkerId: checker.id,
  checkerName: checker.name,
  ...placeOf(gate),
  admittedOffline: true,
  ...(undoneAt === null ? {} : { undoneAt: new Date(undoneAt).toISOString() }),
})

/** Every admission is on the server once, with its time and name, and stands or was taken back as at the gate. */
async function wrongScans({ world, gates }: Evening): Promise<string[]> {
  const rows = await world.sql("select id, at, checker_name, undone_at from scans where outcome <> 'refused'")
  const found = new Map(rows.map((row) => [String(row.id), row]))
  const kept = gates.flatMap(({ journal }) => journal)
  const findings =
    rows.length === kept.length ? [] : [`${rows.length} scans on the server, ${kept.length} at the gates`]
  for (const { scanId, at, checker, undoneAt } of kept) {
    const row = found.get(scanId)
    if (!row) findings.push(`${scanId} of ${checker.name} is lost`)
    else if (
      Number(row.at) !== at ||
      row.checker_name !== checker.name ||
      (row.undone_at === null) !== (undoneAt === null)
    )
      findings.push(`${scanId} is ${JSON.stringify(row)}, not ${JSON.stringify({ at, checker, undoneAt })}`)
  }
  return findings
}

/** The first to come in has the entry; each other one is an open conflict, and so is each with a ticket that was lost. */
async function wrongTickets({ world, gates, sold }: Evening): Promise<string[]> {
  const tickets = new Map(
    (await world.sql('select id, status, entry_scan_id from tickets')).map((row) => [row.id, row]),
  )
  const open = await world.sql('select ticket_id, over from conflicts where acknowledged_at is null')
  const standing = gates.flatMap(({ journal }) => journal).filter(({ undoneAt }) => undoneAt === null)
  const findings: string[] = []
  for (const { _id } of sold) {
    const inside = standing.filter(({ ticket }) => ticket._id === _id).toSorted((a, b) => a.at - b.at)
    const conflicts = open.filter(({ ticket_id }) => ticket_id === _id)
    const row = tickets.get(_id)
    const [first] = inside
    const expected = row ? Math.max(0, inside.length - 1) : inside.length
    if (conflicts.length !== expected) findings.push(`${_id} has ${conflicts.length} open conflicts, not ${expected}`)
    if (conflicts.some(({ over }) => (over === 'missing') !== (row === undefined)))
      findings.push(`${_id} has conflicts of the wrong kind`)
    if (row && (row.status !== (first ? 'used' : 'active') || row.entry_scan_id !== (first?.scanId ?? null)))
      findings.push(`${_id} is ${row.status} by ${row.entry_scan_id}, not by ${first?.scanId}`)
  }
  return findings
}

/** The journals are the witness's tally: whoever was let in at a gate and not taken back there went in. */
async function wrongHeadcount({ world, gates }: Evening): Promise<string[]> {
  const wentIn = gates.flatMap(({ journal }) => journal).filter(({ undoneAt }) => undoneAt === null).length
  const { people } = await eveningOf(await world.as('admin'))
  return people === wentIn ? [] : [`Evening says ${people} people, the witness ${wentIn}`]
}

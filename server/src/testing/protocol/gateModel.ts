import { EPOCH_HEADER } from '@garba/shared/constants'
import type { Evening as View } from '@garba/shared/contracts/desk'
import { RIGHTS, type Right, type TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import fc from 'fast-check'
import { prepared } from '../phone.ts'
import type { Client, WorldOptions } from '../world.ts'
import { type Held, type Network, type PhoneState, takePhones } from './gatePhone.ts'
import { type Gate, gateServer } from './gateServer.ts'

const PHONES = 3
/** After it a phone may fetch the whole list again (ms). */
const MINUTE_MS = 61_000
const TICKETS = 4
/** Beside the tickets: a code that nobody signed. */
const FORGED = TICKETS

export type GateStep =
  | { do: 'scan'; phone: number; ticket: number; by: 'code' | 'hand' | 'member'; dies: boolean }
  | { do: 'undo' | 'sync' | 'restart' | 'loseList' | 'refreshDevice'; phone: number }
  | { do: 'network'; phone: number; network: Network }
  | { do: 'clock'; phone: number; minutes: number }
  | { do: 'pass'; seconds: number }
  | { do: 'revoke'; phone: number }
  | { do: 'rights'; phone: number; without: Right | null }
  | { do: 'room'; phone: number; full: boolean }
  | { do: 'swap'; phone: number; ticket: number }
  | { do: 'takeCodes' | 'returnCodes'; phone: number }
  | { do: 'sell'; phone: number; admit: boolean }
  | { do: 'status'; ticket: number; status: TicketStatus }
  | { do: 'newCode'; ticket: number }
  | { do: 'buy' | 'backup' | 'restore' | 'acknowledge' }

const phone = fc.nat({ max: PHONES - 1 })
const NETWORKS: readonly Network[] = [
  ...(['up', 'up', 'up', 'cutBefore', 'cutBefore', 'cutBefore', 'cutAfter', 'cutAfter', 'late', 'live'] as const),
  ...(['portal', 'busy', 'tooMany', 'garbled'] as const),
]
const ticket = fc.nat({ max: TICKETS + 1 })
const step: fc.Arbitrary<GateStep> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant('scan' as const),
      phone,
      ticket: fc.oneof(
        { weight: 8, arbitrary: fc.nat({ max: 1 }) },
        { weight: 4, arbitrary: fc.nat({ max: FORGED + 5 }) },
      ),
      by: fc.constantFrom('code', 'code', 'hand', 'member'),
      dies: fc.integer({ min: 0, max: 14 }).map((n) => n === 0),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'sync' as const), phone }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('restart' as const, 'loseList' as const, 'refreshDevice' as const),
      phone,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('network' as const), phone, network: fc.constantFrom(...NETWORKS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('clock' as const), phone, minutes: fc.integer({ min: -15, max: 15 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 20, 59, 61, 600) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), phone }) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.record({
        do: fc.constant('rights' as const),
        phone,
        without: fc.constantFrom<Right | null>('scan', 'find', 'undo', null),
      }),
      fc.record({ do: fc.constant('room' as const), phone, full: fc.boolean() }),
      fc.record({ do: fc.constant('swap' as const), phone, ticket }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constantFrom('takeCodes' as const, 'takeCodes' as const, 'returnCodes' as const), phone }),
      fc.record({ do: fc.constant('sell' as const), phone, admit: fc.boolean() }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.record({
        do: fc.constant('status' as const),
        ticket,
        status: fc.constantFrom<TicketStatus>('cancelled', 'active', 'used'),
      }),
      fc.record({ do: fc.constant('newCode' as const), ticket }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<GateStep>(
      { do: 'buy' },
      { do: 'backup' },
      { do: 'backup' },
      { do: 'restore' },
      { do: 'acknowledge' },
    ),
  },
)
export const gateSteps = fc.array(step, { minLength: 1, maxLength: 40, size: 'max' })

/** One person who was shown that they may go in. */
interface WentIn {
  scanId: string
  ticketId: string
  phone: number
  undone: boolean
  hand: boolean
  /** The answer to its undo was lost. */
  unsure?: true
  /** The server made its phone forget it. */
  forfeited?: true
  /** The desk has made the ticket active since. */
  released?: true
}

interface Evening {
  gate: Gate
  phones: Held[]
  ids: string[]
  tickets: Pick<Ticket, '_id' | 'qrCode'>[]
  people: WentIn[]
  /** Scans of a page that closed before it could show anything. */
  died: Set<string>
  ended: Set<number>
  backedUp: boolean
  restores: number
  desk: Client
  guest: Client
}

export interface GateRun {
  run: (steps: readonly GateStep[]) => Promise<void>
  counts: {
    sequences: number
    steps: number
    people: number
    doubles: number
    undone: number
    restores: number
    noted: number
  }
}

/** The gate: the real scanner three times, and the real server, in one process. `run` throws what is wrong. */
export async function gateModel(whenOver: NonNullable<WorldOptions['whenOver']>): Promise<GateRun> {
  const gate = await gateServer(whenOver)
  const { world } = gate
  const phones = await takePhones(PHONES, {
    now: () => world.clock.now().getTime(),
    answer: async (request) => {
      const response = await world.app.request(request)
      response.headers.set('Date', world.clock.now().toUTCString())
      // The app knows only the epoch it was opened with.
      response.headers.set(EPOCH_HEADER, world.deps.epoch.token)
      return response
    },
  })
  const ids: string[] = []
  for (const [n, held] of phones.entries()) {
    const until = '2030-08-01T18:00:00.000Z'
    const { device, pairing } = await prepared(world, { name: `Gate ${n}`, rights: RIGHTS, until })
    ids.push(device.id)
    held.phone.prepare(world.deps.publicUrl())
    await held.enter(() => held.phone.pair(pairing.code))
  }
  gate.keep('pristine')
  const counts = { sequences: 0, steps: 0, people: 0, doubles: 0, undone: 0, restores: 0, noted: 0 }
  return {
    counts,
    run: async (steps) => {
      const evening = await fresh(gate, phones, ids)
      counts.sequences += 1
      counts.steps += steps.length
      for (const one of steps) await act(evening, one)
      await connectAll(evening)
      const { doubles, noted } = await check(evening)
      counts.people += evening.people.length
      counts.undone += evening.people.filter(({ undone }) => undone).length
      counts.restores += evening.restores
      counts.doubles += doubles
      counts.noted += noted
    },
  }
}

/** Signing somebody in costs as much as some steps do, and a token lives an hour. */
let signedInAt = Number.NEGATIVE_INFINITY
let signedIn: Pick<Evening, 'desk' | 'guest'> | undefined

async function fresh(gate: Gate, phones: Held[], ids: string[]): Promise<Evening> {
  const { world, tickets } = gate
  // The minute's limits of the sequence before are over.
  world.clock.forward(MINUTE_MS)
  await gate.bringBack('pristine')
  for (const held of phones) {
    held.network = 'up'
    held.skew = 0
    held.full = false
    await held.enter(() => held.phone.reset())
  }
  const now = world.clock.now().getTime()
  if (signedIn === undefined || now - signedInAt > 1_800_000) {
    signedIn = { desk: await world.as('admin'), guest: await world.as('guest') }
    signedInAt = now
    gate.keep('pristine')
  }
  return {
    ...{ gate, phones, ids, tickets: [...tickets], people: [], died: new Set<string>(), ended: new Set<number>() },
    ...{ backedUp: false, restores: 0, ...signedIn },
  }
}

async function act(evening: Evening, one: GateStep): Promise<void> {
  const { gate, phones, desk, guest } = evening
  const { world } = gate
  world.clock.forward(1_000)
  switch (one.do) {
    case 'scan':
      return scan(evening, one)
    case 'undo':
      return undo(evening, one.phone)
    case 'sync':
    case 'restart':
    case 'loseList':
    case 'refreshDevice':
    case 'takeCodes':
    case 'returnCodes': {
      const held = heldAt(evening, one.phone)
      return held.enter(held.phone[one.do])
    }
    case 'network': {
      const held = heldAt(evening, one.phone)
      held.network = one.network
      return held.enter(async () => held.phone.cut(one.network === 'cutBefore'))
    }
    case 'clock': {
      const held = phones[one.phone]
      if (held) held.skew = one.minutes * 60_000
      return
    }
    case 'pass':
      return world.clock.forward(one.seconds * 1_000)
    case 'revoke':
      await desk.request('PATCH', `/api/admin/devices/${evening.ids[one.phone]}`, { revoked: true })
      evening.ended.add(one.phone)
      return
    case 'rights':
      await giveRights(evening, one.phone, one.without)
      return
    case 'room':
      heldAt(evening, one.phone).full = one.full
      return
    case 'swap':
      return swap(evening, one)
    case 'sell':
      return sell(evening, one)
    case 'status':
      return setStatus(evening, one)
    case 'newCode': {
      const old = evening.tickets[one.ticket]
      const reply = old && (await guest.request('POST', `/api/tickets/${old._id}/new-code`))
      // The old code is still shown to somebody.
      if (old && reply?.status === 200) evening.tickets.splice(one.ticket, 1, reply.body.ticket as Ticket, old)
      return
    }
    case 'acknowledge': {
      const { body } = await desk.request('GET', '/api/admin/gate')
      for (const { id } of (body.data as View).conflicts)
        await desk.request('POST', `/api/admin/gate/conflicts/${encodeURIComponent(id)}/acknowledge`)
      return
    }
    case 'buy': {
      const reply = await guest.request(
        'POST',
        '/api/tickets',
        { quantity: 1 },
        { 'Idempotency-Key': crypto.randomUUID() },
      )
      if (reply.status === 201) evening.tickets.push(...(reply.body.tickets as Ticket[]))
      return
    }
    case 'backup':
      gate.keep('backup')
      evening.backedUp = true
      return
    case 'restore':
      if (!evening.backedUp) return
      world.clock.forward(1)
      forfeit(evening)
      await gate.bringBack('backup', { restore: true })
      evening.restores += 1
  }
}

const giveRights = ({ desk, ids }: Evening, phone: number, without: Right | null) =>
  desk.request('PATCH', `/api/admin/devices/${ids[phone]}`, { rights: RIGHTS.filter((right) => right !== without) })

/** From then on a ticket that the desk makes active admits somebody else, on purpose. */
async function setStatus(evening: Evening, { ticket, status }: Extract<GateStep, { do: 'status' }>): Promise<void> {
  const { desk, tickets, people, gate } = evening
  const changed = tickets[ticket]
  if (!changed) return
  const reply = await desk.request('PATCH', `/api/tickets/admin/${changed._id}/status`, { status, includeUsed: true })
  if (reply.status !== 200 || status !== 'active') return
  for (const person of people)
    if (isStanding(gate, person.scanId) && person.ticketId === changed._id) person.released = true
}

async function swap(evening: Evening, one: Extract<GateStep, { do: 'swap' }>): Promise<void> {
  const { gate, people, died, tickets } = evening
  const ticketId = tickets[one.ticket]?._id
  const held = heldAt(evening, one.phone)
  if (ticketId === undefined || (await held.enter(async () => held.phone.end())) !== null) return
  const shown = await held.enter(() => held.phone.swap(ticketId))
  if (shown === null) return
  died.add(shown.scanId)
  if (shown.look !== 'allowed') return
  if (!isStanding(gate, shown.scanId)) throw new Error(`False green: the swap ${shown.scanId} is not on the server`)
  if (people.some(({ scanId }) => scanId === shown.scanId)) return
  people.push({ scanId: shown.scanId, ticketId, phone: one.phone, undone: false, hand: true })
}

async function sell(evening: Evening, { phone, admit }: Extract<GateStep, { do: 'sell' }>): Promise<void> {
  const held = heldAt(evening, phone)
  if ((await held.enter(async () => held.phone.end())) !== null) return
  const sold = await held.enter(() => held.phone.sell({ admit }))
  for (const [index, { id: ticketId, qrCode }] of (sold?.tickets ?? []).entries()) {
    evening.tickets.push({ _id: ticketId, qrCode })
    const scanId = sold?.scanIds?.[index]
    if (scanId !== undefined) evening.people.push({ scanId, ticketId, phone, undone: false, hand: false })
  }
}

function isStanding({ row }: Gate, scanId: string): boolean {
  const scan = row('select outcome, undone_at from scans where id = ?', scanId)
  return scan !== undefined && scan.outcome !== 'refused' && scan.undone_at === null
}

/** A phone that was revoked may have erased what the server had of it, as a scan or as a note (decisions/scanner.md). */
function forfeit(evening: Evening): void {
  const { people, gate, ended } = evening
  for (const one of people) {
    if (!ended.has(one.phone)) continue
    const isOnServer = gate.row('select 1 from scans where id = ?', one.scanId) !== undefined
    if (isOnServer || (one.hand && isNoted(evening, one))) one.forfeited = true
  }
}

function heldAt({ phones }: Evening, index: number): Held {
  const held = phones[index]
  if (!held) throw new RangeError(`There is no phone ${index}`)
  return held
}

const FORGED_TEXT = 'GR1:THIS IS NOT A CODE'

function subjectOf({ tickets, gate }: Evening, { ticket, by }: Extract<GateStep, { do: 'scan' }>) {
  if (ticket === FORGED) return { ticketId: null, subject: { type: 'code' as const, text: FORGED_TEXT } }
  const shown = tickets[ticket > FORGED ? ticket - 1 : ticket]
  if (!shown?.qrCode) return null
  const ticketId = shown._id
  if (by === 'hand') return { ticketId, subject: { type: 'hand' as const, ticketId } }
  const group = by === 'member' ? gate.groups.find(({ ticketIds }) => ticketIds.includes(ticketId)) : undefined
  if (group) return { ticketId, subject: { type: 'member' as const, text: group.qrCode, ticketId } }
  return { ticketId, subject: { type: 'code' as const, text: shown.qrCode } }
}

async function scan(evening: Evening, one: Extract<GateStep, { do: 'scan' }>): Promise<void> {
  const { gate, people, died } = evening
  const chosen = subjectOf(evening, one)
  if (chosen === null) return
  const held = heldAt(evening, one.phone)
  // By hand, a checker can choose only tickets that the phone lists.
  if (chosen.subject.type === 'hand' && !held.phone.lists(chosen.subject.ticketId)) return
  // The screen of a phone that knows of its end does not scan.
  if ((await held.enter(async () => held.phone.end())) !== null) return
  const shown = await held.enterWithQueue(() => held.phone.scan(chosen.subject, { dies: one.dies }))
  if (shown === null || shown.look === 'refused') return
  const { ticketId } = chosen
  if (shown.look === 'died') {
    died.add(shown.scanId)
    return held.enter(() => held.phone.restart())
  }
  if (ticketId === null) throw new Error(`A code that nobody signed was shown as ${shown.look}`)
  if (shown.look === 'allowed') {
    const row = gate.row('select outcome, undone_at from scans where id = ?', shown.scanId)
    if (row?.outcome !== 'admitted' || row.undone_at !== null)
      throw new Error(`False green: ${shown.scanId} is ${JSON.stringify(row)} on the server`)
    const others = people.filter((one) => one.ticketId === ticketId && !one.undone && !one.released)
    const known = others.filter(({ scanId }) => isStanding(gate, scanId))
    if (known.length > 0) throw new Error(`Green for a second person with ${ticketId}, and the server knew`)
  }
  const { phone: index } = one
  const own = people.filter(
    (one) => one.ticketId === ticketId && one.phone === index && !one.undone && !one.unsure && !one.released,
  )
  if (own.length > 0) throw new Error(`The same phone let two people in with ${ticketId}`)
  people.push({ scanId: shown.scanId, ticketId, phone: one.phone, undone: false, hand: chosen.subject.type === 'hand' })
}

async function undo({ phones, people }: Evening, index: number): Promise<void> {
  const held = phones[index]
  if (!held) return
  const answer = await held.enter(() => held.phone.undo())
  const person = people.find(({ scanId }) => scanId === answer?.scanId)
  if (answer === null || !person) return
  if (answer.ok) person.undone = true
  // The server may have taken it back although the checker has read that it failed.
  else if (held.network !== 'cutBefore') person.unsure = true
}

async function connectAll(evening: Evening): Promise<void> {
  const { phones, gate } = evening
  gate.world.clock.forward(MINUTE_MS)
  for (const [n, held] of phones.entries()) {
    await giveRights(evening, n, null)
    held.network = 'up'
    held.full = false
    await held.enter(async () => held.phone.cut(false))
  }
  for (const held of phones) await held.enter(() => held.phone.sync())
  gate.world.clock.forward(MINUTE_MS)
}

/** What an evening must come to once everybody is connected. Throws what is wrong. */
async function check(evening: Evening): Promise<{ doubles: number; noted: number }> {
  const { gate, phones, people, died } = evening
  const wrong: string[] = []
  const all: PhoneState[] = []
  for (const held of phones) all.push(await held.enter(() => held.phone.state()))
  const aside = new Map(all.flatMap(({ why }) => why.map(({ scanId, code }) => [scanId, code] as const)))
  let noted = 0
  for (const one of people) {
    const row = gate.row('select outcome, undone_at from scans where id = ?', one.scanId)
    const counts = row !== undefined && row.outcome !== 'refused'
    if (one.unsure) continue
    if (one.forfeited || aside.has(one.scanId)) {
      noted += 1
      continue
    }
    if (one.undone) {
      if (counts && row.undone_at === null) wrong.push(`${one.scanId} was taken back, and still counts`)
    } else if (!counts) {
      if (one.hand && isNoted(evening, one)) noted += 1
      else wrong.push(`Lost scan: ${one.scanId} with ${one.ticketId} is ${JSON.stringify(row)}`)
    } else if (row.undone_at !== null) wrong.push(`Lost scan: ${one.scanId} was taken back by nobody`)
  }
  const known = new Set([...people.map(({ scanId }) => scanId), ...died])
  for (const { id } of gate.rows(
    "select id from scans where outcome not in ('refused', 'marked') and undone_at is null",
  ))
    if (!known.has(String(id))) wrong.push(`A scan that nobody made: ${id}`)
  wrong.push(...stillOpen(evening), ...(await wrongCounts(evening, all)))
  const doubles = doublesOf(evening, all, aside, wrong)
  for (const [n, state] of all.entries()) {
    if (state.unsent > state.parked) wrong.push(`Phone ${n} still has ${state.unsent} scans to send`)
    if (!state.same) wrong.push(`The list of phone ${n} is not the server's`)
  }
  wrong.push(...(await gate.accountant()))
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  return { doubles, noted }
}

/** Tickets that admit one more although somebody who went in with them has not been taken back. */
const stillOpen = ({ gate, people }: Evening): string[] =>
  people
    .filter(({ scanId, released }) => !released && isStanding(gate, scanId))
    .filter(({ scanId }) =>
      gate.row(
        "select 1 from scans s join tickets t on t.id = s.ticket_id where s.id = ? and t.status = 'active'",
        scanId,
      ),
    )
    .map(({ scanId, ticketId }) => `${ticketId} is active although ${scanId} let somebody in with it`)

/** The desk and the phones count the people in the raw table. */
async function wrongCounts({ gate, desk }: Evening, phones: readonly PhoneState[]): Promise<string[]> {
  const { body } = await desk.request('GET', '/api/admin/gate')
  const { people, gates } = body.data as View
  const inside = Number(gate.row("select count(*) as n from scans where outcome <> 'refused' and undone_at is null")?.n)
  const atGates = gates.reduce((sum, one) => sum + one.people, 0)
  const shown = phones.filter(({ ended }) => ended === null).map((phone) => phone.people)
  return [people, atGates, ...shown].every((count) => count === inside)
    ? []
    : [`${inside} people went in, but the desk counts ${people}, its gates ${atGates} and the phones ${shown}`]
}

const isNoted = ({ gate, ids }: Evening, { phone, ticketId }: WentIn): boolean =>
  gate.row("select 1 from attention where kind = 'noted' and dedupe_key like ?", `%${ids[phone]}%${ticketId}%`) !==
  undefined

/** Returns the number of tickets that let two people in, and adds to `wrong` those that a phone does not know of. */
function doublesOf(
  { people, gate }: Evening,
  states: readonly PhoneState[],
  aside: ReadonlyMap<string, unknown>,
  wrong: string[],
): number {
  const inside = people.filter(
    ({ scanId, undone, unsure, released }) => !undone && !unsure && !released && !aside.has(scanId),
  )
  let doubles = 0
  for (const [ticketId, all] of Map.groupBy(inside, (one) => one.ticketId)) {
    const counted = all.filter(({ scanId }) =>
      gate.row("select 1 from scans where id = ? and outcome <> 'refused'", scanId),
    )
    if (counted.length < 2) continue
    doubles += 1
    const said = Number(gate.row('select count(*) as n from conflicts where ticket_id = ?', ticketId)?.n)
    if (said < counted.length - 1)
      wrong.push(`Silent double: ${counted.length} went in with ${ticketId}, and ${said} double admissions are known`)
    for (const { phone } of counted) {
      const state = states[phone]
      if (state?.ended === null && !state.conflicts.includes(ticketId))
        wrong.push(`Phone ${phone} was not told of the double admission with ${ticketId}`)
    }
  }

  return doubles
}

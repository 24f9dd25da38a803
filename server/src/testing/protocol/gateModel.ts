import { EPOCH_HEADER } from '@garba/shared/constants'
import type { EveningFigures as View } from '@garba/shared/contracts/desk'
import { RIGHTS, type Right } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { prepared } from '../phone.ts'
import type { World, WorldOptions } from '../world.ts'
import { check, type Evening, findExit, isNoted, isStanding, ticketOf } from './gateChecks.ts'
import { type Held, takePhones } from './gatePhone.ts'
import { type Gate, gateServer } from './gateServer.ts'
import { FORGED, type GateStep, PHONES } from './gateSteps.ts'

/** After it a phone may fetch the whole list again (ms). */
const MINUTE_MS = 61_000

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
      response.headers.set(EPOCH_HEADER, String(world.deps.epoch.number))
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

async function signIn(world: World): Promise<{ isNew: boolean; clients: Pick<Evening, 'desk' | 'guest'> }> {
  const now = world.clock.now().getTime()
  if (signedIn !== undefined && now - signedInAt <= 1_800_000) return { isNew: false, clients: signedIn }
  signedIn = { desk: await world.as('admin'), guest: await world.as('guest') }
  signedInAt = now
  return { isNew: true, clients: signedIn }
}

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
  const { isNew, clients } = await signIn(world)
  if (isNew) gate.keep('pristine')
  return {
    ...{
      gate,
      phones,
      ids,
      tickets: [...tickets],
      people: [],
      left: [],
      counted: [],
      died: new Set<string>(),
      ended: new Set<number>(),
    },
    touched: new Set<string>(),
    ...{ backedUp: false, restores: 0, ...clients },
  }
}

async function act(evening: Evening, one: GateStep): Promise<void> {
  const { gate, phones } = evening
  const { world } = gate
  world.clock.forward(1_000)
  Object.assign(evening, (await signIn(world)).clients)
  const { desk, guest } = evening
  switch (one.do) {
    case 'scan':
      return scan(evening, one)
    case 'leave':
      return leave(evening, one)
    case 'count':
      return count(evening, one)
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
    case 'stream':
      return heldAt(evening, one.phone).phone.stream(one.isOpen)
    case 'swap':
      return swap(evening, one)
    case 'sell':
      return sell(evening, one)
    case 'status':
      return setStatus(evening, one)
    case 'newCode': {
      const old = evening.tickets[one.ticket]
      const reply = old && (await guest.request('POST', `/api/tickets/${old._id}/new-code`))
      if (old) evening.touched.add(old._id)
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

/** The desk decides: a ticket that it makes active admits somebody else, and who went in before is no double admission. */
async function setStatus(evening: Evening, { ticket, status }: Extract<GateStep, { do: 'status' }>): Promise<void> {
  const { desk, tickets, people, gate } = evening
  const changed = tickets[ticket]
  if (!changed) return
  const before = gate.row('select status from tickets where id = ?', changed._id)?.status
  const reply = await desk.request('PATCH', `/api/tickets/admin/${changed._id}/status`, { status, includeUsed: true })
  evening.touched.add(changed._id)
  if (reply.status !== 200 || status === before) return
  for (const person of people)
    if (isStanding(gate, person.scanId) && ticketOf(gate, person) === changed._id) person.released = true
}

async function swap(evening: Evening, one: Extract<GateStep, { do: 'swap' }>): Promise<void> {
  const { gate, people, died, tickets } = evening
  const ticketId = tickets[one.ticket]?._id
  if (ticketId !== undefined) evening.touched.add(ticketId)
  const held = heldAt(evening, one.phone)
  if (ticketId === undefined || (await held.enter(async () => held.phone.end())) !== null) return
  const shown = await held.enter(() => held.phone.swap(ticketId))
  if (shown === null) return
  died.add(shown.scanId)
  if (shown.look !== 'allowed') return
  if (!isStanding(gate, shown.scanId)) throw new Error(`False green: the swap ${shown.scanId} is not on the server`)
  if (people.some(({ scanId }) => scanId === shown.scanId)) return
  const unkept = held.full ? ({ unkept: true } as const) : {}
  people.push({ scanId: shown.scanId, ticketId, phone: one.phone, undone: false, hand: true, ...unkept })
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

/** A phone that was revoked may have erased what the server had of it, as a scan or as a note (decisions/scanner.md); a full one kept nothing. */
function forfeit(evening: Evening): void {
  const { people, left, gate, ended } = evening
  for (const one of left) if ((ended.has(one.phone) || one.unkept) && findExit(gate, one.scanId)) one.forfeited = true
  for (const one of people) {
    if (!ended.has(one.phone) && !one.unkept) continue
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

const groupOf = ({ gate }: Evening, ticketId: string): { group?: readonly string[] } => {
  const group = gate.groups.find(({ ticketIds }) => ticketIds.includes(ticketId))
  return group ? { group: group.ticketIds } : {}
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
  // Without room it asks the server, whose answer may be lost: then the checker reads that nobody was let in.
  if (shown?.look === 'refused' && held.full) died.add(shown.scanId)
  if (shown === null || shown.look === 'refused') return
  const { ticketId } = chosen
  if (shown.look === 'died') {
    died.add(shown.scanId)
    return held.enter(() => held.phone.restart())
  }
  if (ticketId === null) throw new Error(`A code that nobody signed was shown as ${shown.look}`)
  if (shown.look === 'allowed') {
    const row = gate.row('select outcome, undone_at from scans where id = ?', shown.scanId)
    if ((row?.outcome !== 'admitted' && row?.outcome !== 'returned') || row.undone_at !== null)
      throw new Error(`False green: ${shown.scanId} is ${JSON.stringify(row)} on the server`)
    const others = people.filter((one) => ticketOf(gate, one) === ticketId && !one.undone && !one.released)
    const known = others.filter(({ scanId }) => isStanding(gate, scanId))
    if (known.length > 0 && row.outcome === 'admitted')
      throw new Error(`Green for a second person with ${ticketId}, and the server knew`)
  }
  const { phone: index } = one
  // Somebody of a group may count with another ticket by now, which a phone without a network cannot know.
  const own = people.filter(
    (one) =>
      one.ticketId === ticketId &&
      ticketOf(gate, one) === ticketId &&
      one.phone === index &&
      !(one.undone || one.unsure || one.released),
  )
  // The server may have recorded an exit that its phone showed as refused, because the answer came too late.
  const hasLeft =
    evening.left.some((gone) => gone.ticketId === ticketId) ||
    gate.row("select 1 from movements where kind = 'exit' and ticket_id = ?", ticketId) !== undefined
  if (own.length > 0 && !hasLeft) throw new Error(`The same phone let two people in with ${ticketId}`)
  const facts = { undone: false, hand: chosen.subject.type === 'hand', ...(held.full && { unkept: true as const }) }
  const group = chosen.subject.type === 'member' ? groupOf(evening, ticketId) : {}
  people.push({ scanId: shown.scanId, ticketId, phone: one.phone, ...facts, ...group })
}

/** Somebody leaves, whom a phone may refuse only because it knows that nobody is inside. */
async function leave(evening: Evening, { phone, ticket, by }: Extract<GateStep, { do: 'leave' }>): Promise<void> {
  const { gate, left, died } = evening
  const chosen = subjectOf(evening, { do: 'scan', phone, ticket, by, dies: false })
  const held = heldAt(evening, phone)
  if (chosen?.ticketId == null || (await held.enter(async () => held.phone.end())) !== null) return
  const shown = await held.enterWithQueue(() => held.phone.leave(chosen.subject))
  if (shown === null) return
  // The server may have recorded an exit although its answer was lost, and the phone then knows nobody inside.
  if (shown.look === 'refused') return void died.add(shown.scanId)
  if (shown.look === 'allowed' && findExit(gate, shown.scanId)?.undone_at !== null)
    throw new Error(`False green: the exit ${shown.scanId} is not on the server`)
  const unkept = held.full ? ({ unkept: true } as const) : {}
  left.push({ scanId: shown.scanId, ticketId: chosen.ticketId, phone, undone: false, ...unkept })
}

async function count({ phones, counted }: Evening, { phone, change }: Extract<GateStep, { do: 'count' }>) {
  const held = phones[phone]
  if (!held || change === 0 || (await held.enter(async () => held.phone.end())) !== null) return
  const scanId = await held.enter(() => held.phone.count(change))
  if (scanId !== null) counted.push({ scanId, phone, change })
}

async function undo({ phones, people, left, touched, gate }: Evening, index: number): Promise<void> {
  const held = phones[index]
  if (!held) return
  const answer = await held.enter(() => held.phone.undo())
  const exit = left.find(({ scanId }) => scanId === answer?.scanId)
  if (exit && answer?.ok) exit.undone = true
  else if (exit && held.network !== 'cutBefore') exit.unsure = true
  const person = people.find(({ scanId }) => scanId === answer?.scanId)
  if (person) for (const id of [person.ticketId, ticketOf(gate, person)]) touched.add(id)
  if (answer === null || !person) return
  if (answer.ok) person.undone = true
  // The server may have taken it back although the checker has read that it failed.
  else if (held.network !== 'cutBefore') person.unsure = true
}

async function connectAll(evening: Evening): Promise<void> {
  const { phones, gate } = evening
  gate.world.clock.forward(MINUTE_MS)
  Object.assign(evening, (await signIn(gate.world)).clients)
  for (const [n, held] of phones.entries()) {
    await giveRights(evening, n, null)
    held.network = 'up'
    held.full = false
    await held.enter(async () => held.phone.cut(false))
  }
  for (const held of phones) await held.enter(() => held.phone.sync())
  gate.world.clock.forward(MINUTE_MS)
}

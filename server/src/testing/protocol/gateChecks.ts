import type { EveningFigures as View } from '@garba/shared/contracts/desk'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { judgePassages, readPassage } from '../passages.ts'
import type { Client } from '../world.ts'
import type { Held, PhoneState } from './gatePhone.ts'
import type { Gate } from './gateServer.ts'

/** One person who was shown that they may go in. */
export interface WentIn {
  scanId: string
  ticketId: string
  phone: number
  undone: boolean
  hand: boolean
  /** The tickets of the group's code that was read. */
  group?: readonly string[]
  /** The answer to its undo was lost. */
  unsure?: true
  /** The server made its phone forget it. */
  forfeited?: true
  /** Its phone had no room to keep it. */
  unkept?: true
  /** The desk has changed the ticket since. */
  released?: true
}

/** One person who was shown that they may leave. */
export interface WentOut
  extends Pick<WentIn, 'scanId' | 'ticketId' | 'phone' | 'undone' | 'unsure' | 'forfeited' | 'unkept'> {}

export interface Evening {
  gate: Gate
  phones: Held[]
  ids: string[]
  tickets: Pick<Ticket, '_id' | 'qrCode'>[]
  people: WentIn[]
  left: WentOut[]
  /** People without a code, as phones counted them. */
  counted: { scanId: string; phone: number; change: number }[]
  /** Scans of a page that closed before it could show anything. */
  died: Set<string>
  /** Tickets whose state somebody has changed other than by letting one person in. */
  touched: Set<string>
  ended: Set<number>
  backedUp: boolean
  restores: number
  desk: Client
  guest: Client
}

export function isStanding({ row }: Gate, scanId: string): boolean {
  const scan = row('select outcome, undone_at from scans where id = ?', scanId)
  return scan !== undefined && scan.outcome !== 'refused' && scan.undone_at === null
}

/** The ticket a person went in with: the server may have taken another one of the group whose code was read. */
export const ticketOf = ({ row }: Gate, { scanId, ticketId }: WentIn): string =>
  String(row("select ticket_id from scans where id = ? and outcome <> 'refused'", scanId)?.ticket_id ?? ticketId)

export const findExit = ({ row }: Gate, scanId: string): Record<string, unknown> | undefined =>
  row("select undone_at from movements where id = ? and kind = 'exit'", scanId)

/** What an evening must come to once everybody is connected. Throws what is wrong. */
export async function check(evening: Evening): Promise<{ doubles: number; noted: number }> {
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
  wrong.push(...wrongExits(evening, aside), ...(await wrongInside(evening, aside)))
  wrong.push(...stillOpen(evening), ...(await wrongCounts(evening, all)))
  const doubles = doublesOf(evening, all, aside, wrong)
  wrong.push(...accused(evening))
  for (const [n, state] of all.entries()) {
    if (state.unsent > state.parked) wrong.push(`Phone ${n} still has ${state.unsent} scans to send`)
    if (!state.same) wrong.push(`The list of phone ${n} is not the server's`)
  }
  wrong.push(...(await gate.accountant()))
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  return { doubles, noted }
}

/** Every exit that a phone showed is on the server, and no other. */
function wrongExits({ gate, left, died }: Evening, aside: ReadonlyMap<string, unknown>): string[] {
  const wrong: string[] = []
  for (const one of left) {
    if (one.unsure || one.forfeited || aside.has(one.scanId)) continue
    const exit = findExit(gate, one.scanId)
    if (exit === undefined && !one.undone) wrong.push(`Lost exit: ${one.scanId} with ${one.ticketId}`)
    else if (exit && (exit.undone_at !== null) !== one.undone)
      wrong.push(`The exit ${one.scanId} is ${JSON.stringify(exit)}, but undone is ${one.undone}`)
  }
  const known = new Set([...left.map(({ scanId }) => scanId), ...died])
  for (const { id } of gate.rows("select id from movements where kind = 'exit' and undone_at is null"))
    if (!known.has(String(id))) wrong.push(`An exit that nobody made: ${id}`)
  return wrong
}

/** Who is inside, recomputed by walking each ticket's entries and exits in the order of their times. */
async function wrongInside(
  { gate, counted, desk, ended }: Evening,
  aside: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const passages = gate.rows(`
    select ticket_id as ticket, id, at, 0 as exit from scans where outcome <> 'refused' and undone_at is null
    union all select ticket_id, id, at, 1 from movements where kind = 'exit' and undone_at is null`)
  let inside = 0
  for (const own of Map.groupBy(passages, ({ ticket }) => ticket).values())
    for (const kind of judgePassages(own.map(readPassage)).values())
      inside += kind === 'nobody' ? 0 : kind === 'exit' ? -1 : 1
  for (const { scanId, change, phone } of counted) {
    const row = gate.row('select change from movements where id = ?', scanId)
    if (row === undefined && (ended.has(phone) || aside.has(scanId))) continue
    if (row?.change !== change) return [`The count ${scanId} of ${change} is ${JSON.stringify(row)}`]
    inside += change
  }
  const { body } = await desk.request('GET', '/api/admin/gate')
  const shown = (body.data as View).inside
  const isRight = shown.low <= Math.max(0, inside) && Math.max(0, inside) <= shown.high
  return isRight ? [] : [`${inside} are inside, but the desk says ${JSON.stringify(shown)}`]
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
    .map(
      ({ scanId, ticketId }) =>
        `The ticket that ${ticketId} stands for is active although ${scanId} let somebody in with it`,
    )

/** People with a group's code who are called a double admission although a ticket of the group admits one more. */
const accused = ({ gate, people, touched }: Evening): string[] =>
  people.flatMap(({ scanId, group = [] }) => {
    const row = gate.row("select ticket_id from scans where id = ? and outcome = 'conflict'", scanId)
    if (row === undefined || touched.has(String(row.ticket_id))) return []
    const free = group.filter(
      (id) => !touched.has(id) && gate.row("select 1 from tickets where id = ? and status = 'active'", id),
    )
    return free.length === 0 ? [] : [`${scanId} is called a double admission although nobody has used ${free[0]}`]
  })

/** The desk and the phones count the people in the raw table. */
async function wrongCounts({ gate, desk }: Evening, phones: readonly PhoneState[]): Promise<string[]> {
  const { body } = await desk.request('GET', '/api/admin/gate')
  const { people, gates } = body.data as View
  const went = "select count(*) as n from scans where outcome not in ('refused', 'returned') and undone_at is null"
  const inside = Number(gate.row(went)?.n)
  const atGates = gates.reduce((sum, one) => sum + one.people, 0)
  const shown = phones.filter(({ ended }) => ended === null).map((phone) => phone.people)
  return [people, atGates, ...shown].every((count) => count === inside)
    ? []
    : [`${inside} people went in, but the desk counts ${people}, its gates ${atGates} and the phones ${shown}`]
}

export const isNoted = ({ gate, ids }: Evening, { phone, ticketId }: WentIn): boolean =>
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
  for (const [ticketId, all] of Map.groupBy(inside, (one) => ticketOf(gate, one))) {
    const counted = all.filter(({ scanId }) =>
      gate.row("select 1 from scans where id = ? and outcome not in ('refused', 'returned')", scanId),
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

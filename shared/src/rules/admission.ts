import type { RefusalCode } from '../contracts/codes.ts'
import type { OrderChannel, OrderProvider, TicketKind } from '../contracts/names.ts'
import type { Gate } from '../contracts/phones/device.ts'
import type { RosterAnswer, RosterEntry } from '../contracts/phones/scan.ts'
import type { QrFact } from './qr.ts'

export interface AdmissionFacts {
  /** What the code proves (rules/qr); a checker's choice by hand has no code. */
  code: QrFact
  ticket: Pick<RosterEntry, 'status' | 'entryTime' | 'leftAt' | 'kind' | 'type' | 'replacedAt'> | null
  /** Whether the event lets people back in at this time (`mayReturn` of rules/event/inside). */
  isReturnOpen?: boolean
  authority: 'server' | 'device'
  /** Whether a device alone has already admitted the person. Only the server receives this. */
  admittedOffline: boolean
  /** Whether the ticket's event is called off, as far as the judge knows. */
  calledOff?: boolean | undefined
  at?: { gate: Gate; gates: readonly Gate[] } | undefined
}

type PlainRefusal = Exclude<RefusalCode, 'WRONG_GATE' | 'CODE_REPLACED'>

export type Verdict =
  /**
   * `certain: false` is shown as Valid (Pending). `conflict`: the person is inside although the ticket admits no one.
   */
  | { admit: true; certain: boolean; conflict: boolean; again?: true }
  | { admit: false; code: PlainRefusal; entryTime: string | null; leftAt?: string }
  | { admit: false; code: 'CODE_REPLACED'; replacedAt: string }
  | { admit: false; code: 'WRONG_GATE'; gates: readonly string[] }

const refuse = (code: PlainRefusal, entryTime: string | null = null, leftAt?: string): Verdict => ({
  admit: false,
  code,
  entryTime,
  ...(leftAt && { leftAt }),
})

const CODE_REFUSALS = { forged: 'QR_FORGED', otherEvent: 'QR_OTHER_EVENT', malformed: 'QR_MALFORMED' } as const

/** The code that refuses a QR code which proves nothing; a choice by hand is no QR code. */
export const refusalOfCode = (type: Exclude<QrFact['type'], 'genuine'>): PlainRefusal =>
  type === 'manual' ? 'QR_MALFORMED' : CODE_REFUSALS[type]

const STATUS_REFUSALS = { used: 'ALREADY_USED', cancelled: 'TICKET_CANCELLED', deleted: 'TICKET_NOT_FOUND' } as const

/** The code that refuses a ticket with this status; null for an active ticket. */
export const refusalOfStatus = (status: RosterEntry['status']): PlainRefusal | null =>
  status === 'active' ? null : STATUS_REFUSALS[status]

/**
 * Admit or refuse: the one decision of server and scanner.
 * - A code that proves nothing is always refused.
 * - A device trusts a genuine signature without a roster entry, since its roster may be older than the sale; a ticket
 * chosen by hand proves nothing, so it must be in the roster.
 * - Nobody goes into an event that is called off.
 * - A code of a pre-signed block proves no sale: it counts only once its ticket is listed.
 * - A gate refuses kinds and types of tickets that it does not admit, and names the gates that do. A device whose roster
 * lacks the ticket cannot know its kind.
 * - Somebody who has left with a used ticket comes back with it while the event allows that.
 * - A device is never certain; the server is. The server records an admission that already happened instead of refusing
 * it, unless the ticket id is unknown and has no signature.
 */
export function judgeAdmission(facts: AdmissionFacts): Verdict {
  const { code, ticket, authority, admittedOffline, calledOff, isReturnOpen = false, at } = facts
  if (code.type !== 'genuine' && code.type !== 'manual') return refuse(refusalOfCode(code.type))

  const certain = authority === 'server'
  const block = code.type === 'genuine' && code.block === true
  const unlisted = ticket === null && authority === 'device' && code.type === 'genuine' && !block
  const recorded = admittedOffline && certain
  const returns = ticket?.status === 'used' && ticket.leftAt !== undefined && isReturnOpen
  if (calledOff && !recorded) return refuse('EVENT_CALLED_OFF')
  if ((ticket?.status === 'active' || returns) && at && !canAdmitTicket(at.gate, ticket) && !recorded)
    return { admit: false, code: 'WRONG_GATE', gates: gatesFor(at.gates, ticket) }
  if (unlisted || ticket?.status === 'active') return { admit: true, certain, conflict: false }
  if (returns) return { admit: true, certain, conflict: false, again: true }
  const invented = ticket === null && code.type === 'manual'
  if (recorded && !invented) return { admit: true, certain, conflict: true }
  if (ticket === null) return refuse(block ? 'NOT_ACTIVATED' : 'TICKET_NOT_FOUND')
  if (ticket.replacedAt !== undefined) return { admit: false, code: 'CODE_REPLACED', replacedAt: ticket.replacedAt }
  if (ticket.status !== 'used') return refuse(STATUS_REFUSALS[ticket.status])
  return refuse(STATUS_REFUSALS.used, ticket.entryTime, ticket.leftAt)
}

/** The kind of an order's tickets, except paper tickets, whose codes were printed before the order. */
export const kindOfOrder = ({ channel, provider }: { channel: OrderChannel; provider: OrderProvider }): TicketKind => {
  if (provider === 'complimentary') return 'complimentary'
  return channel === 'web' ? 'online' : 'counter'
}

type GateLimits = Pick<Gate, 'kinds' | 'types'>

/** Whether a gate admits a ticket. A gate without kinds admits all kinds, and one without types all types. */
export const canAdmitTicket = (
  { kinds, types = [] }: GateLimits,
  { kind = 'online', type }: Pick<RosterEntry, 'kind' | 'type'>,
): boolean =>
  (kinds.length === 0 || kinds.includes(kind)) && (types.length === 0 || type === undefined || types.includes(type))

export const gatesFor = (gates: readonly Gate[], ticket: Pick<RosterEntry, 'kind' | 'type'>): string[] =>
  gates.filter((gate) => canAdmitTicket(gate, ticket)).map(({ name }) => name)

/** The gates without the types that the event does not have: one whose types are all gone admits every type. */
export const gatesOfEvent = (gates: readonly Gate[], event: { types: readonly { id: string }[] } | null): Gate[] =>
  gates.map(({ types, ...gate }) => {
    const known = types?.filter((type) => event?.types.some(({ id }) => id === type)) ?? []
    return known.length === 0 ? gate : { ...gate, types: known }
  })

export type Roster = ReadonlyMap<string, RosterEntry>

/**
 * SHA-256 in hex over the lines `id:status`, sorted by id, without tombstones: two rosters with the same digest refuse
 * and admit the same tickets. A readiness check compares the device's digest with the server's.
 */
export async function rosterDigest(entries: Iterable<Pick<RosterEntry, 'id' | 'status'>>): Promise<string> {
  const lines = Array.from(entries)
    .filter(({ status }) => status !== 'deleted')
    .map(({ id, status }) => `${id}:${status}`)
    .sort()
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lines.join('\n')))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The roster after an answer of the server, as a new map: a full answer replaces it, a delta is merged into it.
 * Tombstones stay, because a deleted ticket must be refused, while an unlisted ticket may be a recent sale. The server
 * does not know unsent scans, so the caller applies them to the result.
 */
export function rosterApply(roster: Roster, answer: Pick<RosterAnswer, 'full' | 'tickets'>): Map<string, RosterEntry> {
  const next = new Map(answer.full ? [] : roster)
  for (const entry of answer.tickets) next.set(entry.id, entry)
  return next
}

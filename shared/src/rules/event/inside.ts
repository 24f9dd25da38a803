import { HOUR_MS, MINUTE_MS } from '../../constants.ts'

/*
 * Who is in the ground: in less out, plus people counted without a code. Rows come from phones in any order, so nothing
 * here depends on the order in which they arrived. Instants are milliseconds since 1970.
 */

export interface TicketPassage {
  id: string
  type: 'in' | 'out'
  at: number
}

export interface TicketPassages {
  /** Exits of somebody who was inside. Another exit means that its entry is not known yet, or nobody. */
  exits: ReadonlySet<string>
  /** Entries after everybody with this ticket had left. */
  returns: ReadonlySet<string>
  inside: number
  /** When the last of them left; null while somebody is inside. */
  leftAt: number | null
}

/** Follows everybody who passed a gate with one ticket, by the times at which they did: at one time, out before in again. */
export function followPassages(passages: readonly TicketPassage[]): TicketPassages {
  const [exits, returns] = [new Set<string>(), new Set<string>()]
  let inside = 0
  let leftAt: number | null = null
  const waiting = passages.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  for (;;) {
    const wanted = inside > 0 ? 'out' : 'in'
    const now = waiting.filter(({ at }) => at === waiting[0]?.at)
    const next = now.find(({ type }) => type === wanted) ?? now[0]
    if (next === undefined) return { exits, returns, inside, leftAt }
    waiting.splice(waiting.indexOf(next), 1)
    const { id, type, at } = next
    if (type === 'in') {
      if (leftAt !== null) returns.add(id)
      inside += 1
      leftAt = null
    } else if (inside > 0) {
      exits.add(id)
      inside -= 1
      if (inside === 0) leftAt = at
    }
  }
}

export interface FamilyExit {
  id: string
  at: number
  /** The tickets that it may count with, the one that the phone chose first. */
  tickets: readonly string[]
}

/**
 * The ticket that each exit counts with. A ticket's own code names its ticket; a group's code stands for the first of its
 * tickets that somebody can have left with, beside all who left by their own codes.
 */
export function assignExits(
  entries: ReadonlyMap<string, readonly TicketPassage[]>,
  exits: readonly FamilyExit[],
): Map<string, string> {
  const passages = new Map(entries)
  const assigned = new Map<string, string>()
  const withExit = (ticket: string, { id, at }: FamilyExit) => [
    ...(passages.get(ticket) ?? []),
    { id, type: 'out' as const, at },
  ]
  const countExits = (all: readonly TicketPassage[] = []) => followPassages(all).exits.size
  const isAnyOf = ({ tickets }: FamilyExit) => tickets.length > 1
  const inOrder = exits.toSorted(
    (a, b) => Number(isAnyOf(a)) - Number(isAnyOf(b)) || a.at - b.at || (a.id < b.id ? -1 : 1),
  )
  for (const exit of inOrder) {
    const counts = (ticket: string) => countExits(withExit(ticket, exit)) > countExits(passages.get(ticket))
    const ticket = exit.tickets.find(counts) ?? exit.tickets[0] ?? ''
    assigned.set(exit.id, ticket)
    passages.set(ticket, withExit(ticket, exit))
  }
  return assigned
}

export interface FamilyEntry {
  id: string
  at: number
  /** The tickets that it may count with, the one that the phone chose first; one for a ticket's own code. */
  tickets: readonly string[]
}

/**
 * The ticket that each entry counts with. A ticket's own code names its ticket. Phones without a network all take the first
 * ticket of a group's code, so such an entry counts with the chosen ticket if nobody else has come with it or all have left
 * again, or else with the last that is free, as phones take the first.
 */
export function assignEntries(
  entries: readonly FamilyEntry[],
  { exits, mayReturnAt }: { exits: readonly FamilyExit[]; mayReturnAt: (at: number) => boolean },
): Map<string, string> {
  const assigned = new Map<string, string>()
  const inside = new Map<string, number>()
  const named = new Set(entries.flatMap(({ tickets }) => (tickets.length === 1 ? tickets : [])))
  const isFree = (ticket: string) => !named.has(ticket) && !inside.has(ticket)
  const change = (ticket: string, by: number) => inside.set(ticket, (inside.get(ticket) ?? 0) + by)
  const passages = [...entries.map((row) => ({ row, isExit: false })), ...exits.map((row) => ({ row, isExit: true }))]
  passages.sort((a, b) => a.row.at - b.row.at || Number(b.isExit) - Number(a.isExit) || (a.row.id < b.row.id ? -1 : 1))
  for (const { row, isExit } of passages) {
    const { id, at, tickets } = row
    const [chosen = ''] = tickets
    if (isExit) {
      const left = tickets.find((ticket) => (inside.get(ticket) ?? 0) > 0)
      if (left !== undefined) change(left, -1)
      continue
    }
    const isBack = (ticket: string) => inside.get(ticket) === 0 && mayReturnAt(at)
    const isOpen = tickets.length === 1 || isFree(chosen) || isBack(chosen)
    const ticket = isOpen ? chosen : (tickets.findLast(isFree) ?? tickets.find(isBack) ?? chosen)
    assigned.set(id, ticket)
    change(ticket, 1)
  }
  return assigned
}

interface ReentrySettings {
  reentry?: 'none' | 'open' | undefined
  reentryUntil?: Date | string | null | undefined
}

/** Whether people who left may come back in at this time. */
export const mayReturn = ({ reentry, reentryUntil }: ReentrySettings, at: number): boolean =>
  reentry === 'open' && (!reentryUntil || at < new Date(reentryUntil).getTime())

/** A phone that was used tonight and has been silent for this long may hold rows that nobody has seen. */
export const SILENT_AFTER_MS = 5 * MINUTE_MS
const TONIGHT_MS = 12 * HOUR_MS

export interface CountingPhone {
  lastSeen: number
  unsent: number
  /** People it let in, and out, in its busiest minute. */
  mostIn: number
  mostOut: number
}

export interface InsideInterval {
  low: number
  high: number
  silent: number
  silentSince: number | null
}

export const isSilentTonight = ({ lastSeen }: Pick<CountingPhone, 'lastSeen'>, now: number): boolean =>
  now - lastSeen >= SILENT_AFTER_MS && now - lastSeen < TONIGHT_MS

/**
 * The bounds of the count: a silent phone may have gone on as in its busiest minute, and unsent rows may be of either kind.
 * No more can have come in than tickets are left (`leftToCome`).
 */
export function computeInside(
  known: number,
  { phones, leftToCome, now }: { phones: readonly CountingPhone[]; leftToCome: number; now: number },
): InsideInterval {
  const used = phones.filter(({ mostIn, mostOut, unsent }) => mostIn + mostOut + unsent > 0)
  const silent = used.filter((phone) => isSilentTonight(phone, now))
  const since = (phone: CountingPhone) => (now - phone.lastSeen) / MINUTE_MS
  const unsent = used.reduce((sum, phone) => sum + phone.unsent, 0)
  const came = silent.reduce((sum, phone) => sum + phone.mostIn * since(phone), 0)
  const went = silent.reduce((sum, phone) => sum + phone.mostOut * since(phone), 0)
  return {
    low: Math.max(0, Math.floor(known - unsent - went)),
    high: Math.max(0, Math.ceil(known + unsent + Math.min(came, Math.max(0, leftToCome)))),
    silent: silent.length,
    silentSince: silent.length === 0 ? null : Math.min(...silent.map(({ lastSeen }) => lastSeen)),
  }
}

const NEARLY_FULL = 0.9

/** Null while there is room, or without a capacity. `full` never refuses anybody: people at the gates decide. */
export function getCrowdLevel(inside: number, capacity: number | null | undefined): 'nearly' | 'full' | null {
  if (!capacity) return null
  if (inside >= capacity) return 'full'
  return inside >= capacity * NEARLY_FULL ? 'nearly' : null
}

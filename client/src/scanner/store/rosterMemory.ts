import type { Gate } from '@garba/shared/contracts/device'
import type { RosterAnswer, RosterEntry } from '@garba/shared/contracts/scan'
import { BLOCK } from '@garba/shared/messages/gate'
import type { AdmissionFacts } from '@garba/shared/rules/admission'
import { endOfEvent } from '@garba/shared/rules/calendar'
import { rosterApply } from '@garba/shared/rules/roster'
import { create } from 'zustand'
import type { LocalAdmission, RosterMeta, SaleRow } from '../../platform/store/scannerSchema.ts'
import { epochNow } from '../core/epoch.ts'
import { timeZoneNow } from '../core/moment.ts'
import type { EventTimes } from '../core/scan.ts'
import type { Entry } from '../core/words.ts'
import { read, write } from './scannerStore.ts'

/** What the status bar shows about the list on this device; `syncedAt` is device time in ms. */
interface RosterFacts {
  loaded: boolean
  /** Tickets, without the deleted ones. */
  size: number
  revision: number | null
  syncedAt: number | null
  /** Everybody who went in, as the server said with the list. */
  people: number | null
}
const NO_FACTS: RosterFacts = { loaded: false, size: 0, revision: null, syncedAt: null, people: null }
export const useRoster = create<RosterFacts>(() => NO_FACTS)

// In memory, so that a verdict reads no disk: twelve thousand entries are a few megabytes.
let entries: ReadonlyMap<string, RosterEntry> = new Map()
let admitted = new Map<string, LocalAdmission>()
let meta: RosterMeta | null = null
/** Tickets sold here with codes of a block, with their sales. */
let sold: ReadonlyMap<string, SaleRow> = new Map()

export interface LoadedRoster {
  entries: readonly RosterEntry[]
  admitted: readonly LocalAdmission[]
  meta: RosterMeta | null
}

export function loadRoster(stored: LoadedRoster): void {
  entries = new Map(stored.entries.map((entry) => [entry.id, entry]))
  admitted = new Map(stored.admitted.map((admission) => [admission.ticketId, admission]))
  meta = stored.meta
  publishFacts()
}

/**
 * Takes in what the store has: let in, sent or taken back, in other tabs too. What the server admitted and the store does
 * not have (yet, or for want of room) stays until the list tells it.
 */
export function loadAdmitted(rows: readonly LocalAdmission[]): void {
  const settled = [...admitted.values()].filter(({ settledAt }) => settledAt !== null)
  admitted = new Map([...settled, ...rows].map((admission) => [admission.ticketId, admission]))
}

type RosterNews = Pick<RosterAnswer, 'revision' | 'full' | 'keys' | 'event' | 'tickets' | 'gates' | 'people'>

/**
 * Lays an answer of the server over the list. `askedAt` (device time in ms): admissions settled before it are the server's
 * to tell from now on; their tickets are returned. False when the answer is older than the list, or a change of a list that
 * is not here any more.
 */
export function applyRoster(answer: RosterNews, askedAt: number): string[] | false {
  if (!answer.full && (meta === null || isListBehind() || answer.revision < meta.revision)) return false
  entries = rosterApply(entries, answer)
  const { revision, keys, event, gates = [], people } = answer
  const counted = people === undefined ? {} : { people }
  meta = { key: 'roster', revision, keys, event, gates, ...counted, syncedAt: askedAt, epoch: epochNow() }
  const superseded = [...admitted.values()].filter(({ settledAt }) => settledAt !== null && settledAt < askedAt)
  for (const { ticketId } of superseded) admitted.delete(ticketId)
  publishFacts()
  return superseded.map(({ ticketId }) => ticketId)
}

/** The server has nothing new: the list was fresh at this time. */
export function noteRosterFresh(at: number): void {
  if (meta === null || at <= meta.syncedAt) return
  meta = { ...meta, syncedAt: at }
  useRoster.setState({ syncedAt: at })
}

export const noteAdmission = (admission: LocalAdmission): void => {
  admitted.set(admission.ticketId, admission)
}
/** The server has answered for these scans at a device time in ms. */
export function noteSettled(scans: readonly { scanId: string; ticketId: string }[], now: number): void {
  for (const { scanId, ticketId } of scans) {
    const admission = admitted.get(ticketId)
    if (admission?.scanId === scanId) admitted.set(ticketId, { ...admission, settledAt: now })
  }
}
/** Let in or sold by this device without an answer from the server, which may not know about it yet. */
export const isUnsettled = (ticketId: string): boolean =>
  admitted.get(ticketId)?.settledAt === null || sold.get(ticketId)?.state === 'unsent'
/** A device lists what it sold itself: the server's list has it only later. */
export const noteSold = (sale: SaleRow): void => {
  sold = new Map([...sold, ...sale.tickets.map(({ id }) => [id, sale] as const)])
}
export function loadSold(sales: readonly SaleRow[]): void {
  sold = new Map(sales.flatMap((sale) => sale.tickets.map(({ id }) => [id, sale])))
}
export const dropAdmission = (ticketId: string): void => {
  admitted.delete(ticketId)
}

export interface KnownTicket {
  status: RosterEntry['status']
  entryTime: string | null
  name: string | null
  /** Absent: sold online. */
  kind?: RosterEntry['kind']
  entry: Entry
}

/** A ticket as this device knows it: its own unsettled admissions first, then the list, then its own sales. */
export function knownTicket(id: string): KnownTicket | null {
  const own = admitted.get(id)
  const listed = entries.get(id)
  if (own) {
    const entry = { at: own.at, by: own.checkerName, device: own.deviceName }
    return { status: 'used', entryTime: own.at, name: own.name ?? listed?.name ?? null, entry }
  }
  if (!listed) return soldTicket(id)
  return { ...listed, entry: { at: listed.entryTime, by: null, device: null, gate: listed.gate } }
}

const nameOfSale = ({ name }: SaleRow): string => name ?? BLOCK.atDoor

function soldTicket(id: string): KnownTicket | null {
  const sale = sold.get(id)
  if (!sale) return null
  const kind = sale.method === 'complimentary' ? 'complimentary' : 'counter'
  return {
    status: 'active',
    entryTime: null,
    name: nameOfSale(sale),
    kind,
    entry: { at: null, by: null, device: null },
  }
}

/** The keys of all events; null before there are any. Without an event every known code is another event's. */
export const rosterKeys = () =>
  meta === null || meta.keys.length === 0 ? null : { keys: meta.keys, eventId: meta.event?._id ?? '' }
export const rosterGates = (): readonly Gate[] => meta?.gates ?? []
/** The gate as rules/admission takes it. One that the desk has taken away limits nobody. */
export function standingAt(name: string | undefined): AdmissionFacts['at'] {
  const gate = rosterGates().find((one) => one.name === name)
  return gate && { gate, gates: rosterGates() }
}
/**
 * Whether the list is of an earlier epoch of the server: it knows admissions that the server may have lost. It is not changed
 * before they were sent again.
 */
export const isListBehind = (): boolean => meta !== null && (meta.epoch ?? 0) < epochNow()
/** The event of the list; null before there is one. */
export function eventTimes(): EventTimes | null {
  const event = meta?.event
  if (!event) return null
  return { id: event._id, endsAt: endOfEvent(event, timeZoneNow()).getTime() }
}
export const rosterRevision = (): number | null => meta?.revision ?? null
/** What can be found by hand: the list, and what was sold here and is not in it yet. */
export const findableEntries = (): RosterEntry[] => [
  ...entries.values(),
  ...[...sold].flatMap(([id, sale]) =>
    entries.has(id) ? [] : [{ id, status: 'active' as const, name: nameOfSale(sale), entryTime: null }],
  ),
]
export const rosterEntries = (): ReadonlyMap<string, RosterEntry> => entries

export function forgetRoster(): void {
  loadRoster({
    entries: [],
    admitted: [...admitted.values()].filter(({ settledAt }) => settledAt === null),
    meta: null,
  })
}

function publishFacts() {
  let size = 0
  for (const { status } of entries.values()) if (status !== 'deleted') size += 1
  const { revision = null, syncedAt = null, people = null } = meta ?? {}
  useRoster.setState({ loaded: true, size, revision, syncedAt, people })
}

interface StoredRoster {
  meta: RosterMeta | null
  entries: RosterEntry[]
  admitted: LocalAdmission[]
}

/** The stored roster, read in one transaction. Throws StorageFailure. */
export function readRoster(): Promise<StoredRoster> {
  return read(async (db) => {
    const tx = db.transaction(['roster', 'meta', 'admitted'])
    const [entries, meta, admitted] = await Promise.all([
      tx.objectStore('roster').getAll(),
      tx.objectStore('meta').get('roster'),
      tx.objectStore('admitted').getAll(),
    ])
    return { entries, admitted, meta: meta?.key === 'roster' ? meta : null }
  })
}

interface Applied {
  answer: Pick<RosterAnswer, 'revision' | 'full' | 'keys' | 'event' | 'tickets' | 'gates' | 'people'>
  /** Device time in ms when it was requested. */
  askedAt: number
  /** The whole list with the answer applied, if an earlier change is missing here; null if the answer is enough. */
  whole: Iterable<RosterEntry> | null
}

/**
 * Lays an answer over the kept roster in one transaction: all of it or none. An answer older than what another tab has
 * written meanwhile changes nothing. Throws StorageFailure.
 */
export async function applyToStore({ answer, askedAt, whole }: Applied): Promise<void> {
  const { revision, full, keys, event, tickets, gates = [], people } = answer
  const epoch = epochNow()
  await write(['roster', 'meta'], async (tx) => {
    const meta = tx.objectStore('meta')
    const before = await meta.get('roster')
    if (!full && before?.key === 'roster' && before.revision > revision) return
    const roster = tx.objectStore('roster')
    if (full || whole !== null) await roster.clear()
    // Not one by one: twelve thousand round trips would be seconds.
    await Promise.all(Array.from(whole ?? tickets, (entry) => roster.put(entry)))
    await meta.put({
      key: 'roster',
      revision,
      keys,
      event,
      gates,
      ...(people === undefined ? {} : { people }),
      syncedAt: askedAt,
      epoch,
    })
  })
}

/** The server has reported these since they were settled, so its version is newer. */
export async function forgetAdmissions(ticketIds: readonly string[]): Promise<void> {
  if (ticketIds.length === 0) return
  await write(['admitted'], async (tx) => {
    for (const id of ticketIds) {
      const admission = await tx.objectStore('admitted').get(id)
      if (admission && admission.settledAt !== null) await tx.objectStore('admitted').delete(id)
    }
  })
}

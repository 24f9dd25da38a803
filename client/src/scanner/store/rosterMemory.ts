import type { Gate } from '@garba/shared/contracts/phones/device'
import type { RosterAnswer, RosterEntry } from '@garba/shared/contracts/phones/scan'
import { BLOCK } from '@garba/shared/messages/gate'
import { type AdmissionFacts, rosterApply } from '@garba/shared/rules/admission'
import { endOfEvent } from '@garba/shared/rules/event/calendar'
import { mayReturn } from '@garba/shared/rules/event/inside'
import { create } from 'zustand'
import { epochNow } from '../../platform/http/epoch.ts'
import { serverNow } from '../../platform/net/clock.ts'
import type { LocalAdmission, RosterMeta, SaleRow } from '../../platform/store/scannerSchema.ts'
import { timeZoneNow } from '../core/moment.ts'
import { mayReadNames } from '../core/pairing.ts'
import type { EventTimes } from '../core/scan.ts'
import type { Entry } from '../core/words.ts'
import { readStore, writeRelaxed } from './scannerStore.ts'

export const useRoster = create(() => ({
  size: 0,
  revision: null as number | null,
  /** Device time in ms. */
  syncedAt: null as number | null,
  people: null as number | null,
  inside: null as number | null,
  capacity: null as number | null,
}))

// The list is held in memory, so that a verdict reads no disk: twelve thousand entries are a few megabytes.
let entries: ReadonlyMap<string, RosterEntry> = new Map()
let admitted = new Map<string, LocalAdmission>()
let meta: RosterMeta | null = null
let sold: ReadonlyMap<string, SaleRow> = new Map()

interface StoredRoster {
  entries: readonly RosterEntry[]
  admitted: readonly LocalAdmission[]
  meta: RosterMeta | null
}

export function loadRoster(stored: StoredRoster): void {
  entries = new Map(stored.entries.map((entry) => [entry.id, entry]))
  admitted = new Map(stored.admitted.map((admission) => [admission.ticketId, admission]))
  meta = stored.meta
  publishFacts()
}

/**
 * Loads the store's admissions, including changes by other tabs. Settled admissions that the store lacks (not written
 * yet, or no room) stay until the list contains them.
 */
export function loadAdmitted(rows: readonly LocalAdmission[]): void {
  const settledAdmissions = [...admitted.values()].filter(({ settledAt }) => settledAt !== null)
  admitted = new Map([...settledAdmissions, ...rows].map((admission) => [admission.ticketId, admission]))
}

export type RosterNews = Pick<
  RosterAnswer,
  'revision' | 'full' | 'keys' | 'event' | 'tickets' | 'gates' | 'gateTypes' | 'people' | 'inside'
> & {
  nameless?: boolean
}

/**
 * Applies an answer of the server to the list. Own admissions settled before `askedAt` (device time in ms) are part of
 * the answer; they are dropped and their tickets returned. False when the answer is older than the list, or changes a
 * list that is gone.
 */
export function applyRoster(answer: RosterNews, askedAt: number): string[] | false {
  if (!answer.full && (meta === null || isListBehind() || answer.revision < meta.revision)) return false
  entries = rosterApply(entries, answer)
  meta = buildRosterMeta(answer, askedAt)
  const superseded = [...admitted.values()].filter(({ settledAt }) => isAdmissionSettledBefore(settledAt, askedAt))
  for (const { ticketId } of superseded) admitted.delete(ticketId)
  publishFacts()
  return superseded.map(({ ticketId }) => ticketId)
}

/** A time ahead of the clock is from before the clock was set back, so it was earlier too. */
const isAdmissionSettledBefore = (settledAt: number | null, askedAt: number): boolean =>
  settledAt !== null && (settledAt < askedAt || settledAt > Date.now())

function buildRosterMeta(
  { full, revision, keys, event, gateTypes = [], people, inside, ...asked }: RosterNews,
  askedAt: number,
): RosterMeta {
  const counted = { ...(people !== undefined && { people }), ...(inside !== undefined && { inside }) }
  const gates = (asked.gates ?? []).map((gate) => ({ ...gate, ...gateTypes.find(({ name }) => name === gate.name) }))
  const nameless = full ? (asked.nameless ?? false) : isNameless()
  return { key: 'roster', revision, keys, event, gates, ...counted, syncedAt: askedAt, epoch: epochNow(), nameless }
}

const isNameless = (): boolean => meta?.nameless ?? false

export function markRosterFresh(at: number): void {
  if (meta === null || at <= meta.syncedAt) return
  meta = { ...meta, syncedAt: at }
  useRoster.setState({ syncedAt: at })
}

export const addLocalAdmission = (admission: LocalAdmission): void => {
  admitted.set(admission.ticketId, admission)
}
/** `now` is device time in ms. */
export function markAdmissionsSettled(scans: readonly { scanId: string; ticketId: string }[], now: number): void {
  for (const { scanId, ticketId } of scans) {
    const admission = admitted.get(ticketId)
    if (admission?.scanId === scanId) admitted.set(ticketId, { ...admission, settledAt: now })
  }
}
export const isTicketUnsettled = (ticketId: string): boolean =>
  admitted.get(ticketId)?.settledAt === null || sold.get(ticketId)?.state === 'unsent'
export const addSoldTickets = (sale: SaleRow): void => {
  sold = new Map([...sold, ...sale.tickets.map(({ id }) => [id, sale] as const)])
}
/** Skips sales that the server only noted, because it has made no tickets for them. */
export function loadSold(sales: readonly SaleRow[]): void {
  sold = new Map(sales.filter(({ noted }) => !noted).flatMap((sale) => sale.tickets.map(({ id }) => [id, sale])))
}
/** An undone exit leaves the person inside; an undone entry leaves nothing. */
export function dropAdmission(ticketId: string): void {
  const { leftAt, ...inside } = admitted.get(ticketId) ?? {}
  if (leftAt === undefined) admitted.delete(ticketId)
  else admitted.set(ticketId, inside as LocalAdmission)
}

export function findTicketType(ticketId: string | null) {
  const id = ticketId === null ? undefined : (entries.get(ticketId)?.type ?? sold.get(ticketId)?.type?.id)
  return id === undefined ? null : (eventTypes().find((type) => type.id === id) ?? null)
}

const eventTypes = () => meta?.event?.types ?? []
/** The types to which the gate is limited. */
export const typesOfGate = ({ types }: Gate) => eventTypes().filter(({ id }) => types?.includes(id))

export interface KnownTicket {
  status: RosterEntry['status']
  entryTime: string | null
  leftAt?: RosterEntry['leftAt']
  name: string | null
  kind?: RosterEntry['kind']
  type?: RosterEntry['type']
  replacedAt?: RosterEntry['replacedAt']
  entry: Entry
}

/** A ticket as this device knows it: its own unsettled admissions first, then the list, then its own sales. */
export function findKnownTicket(id: string): KnownTicket | null {
  const own = admitted.get(id)
  const listed = entries.get(id)
  if (own) {
    const entry = { at: own.at, by: own.checkerName, device: own.deviceName, left: own.leftAt }
    const left = own.leftAt === undefined ? {} : { leftAt: own.leftAt }
    const { kind, type } = listed ?? {}
    return { status: 'used', entryTime: own.at, ...left, kind, type, name: own.name ?? listed?.name ?? null, entry }
  }
  if (!listed) return soldTicket(id)
  return { ...listed, entry: { at: listed.entryTime, by: null, device: null, gate: listed.gate, left: listed.leftAt } }
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
    type: sale.type?.id,
    entry: { at: null, by: null, device: null },
  }
}

/** The keys of all events; null before there are any. Without an event every known code is another event's. */
export const rosterKeys = () =>
  meta === null || meta.keys.length === 0 ? null : { keys: meta.keys, eventId: meta.event?._id ?? '' }
export const rosterGates = (): readonly Gate[] => meta?.gates ?? []
/** The gate in the form of rules/admission. A gate that the desk has removed limits nobody. */
export function findGateFacts(name: string | undefined): AdmissionFacts['at'] {
  const gate = rosterGates().find((one) => one.name === name)
  return gate && { gate, gates: rosterGates() }
}
/**
 * Whether the list is of an earlier epoch of the server. Such a list knows admissions that the server may have lost, so
 * it is not changed until they have been sent again.
 */
export const isListBehind = (): boolean => meta !== null && meta.epoch < epochNow()
/** A list that was read at most this long ago is current without a live stream (ms). */
const CURRENT_MS = 10_000
let isStreaming = false
export const setListStreaming = (is: boolean): void => {
  isStreaming = is
}
/** A list that was read in the future is from before the clock was set back, so its age is not known. */
export function isListCurrent(): boolean {
  if (meta === null || isListBehind()) return false
  const age = Date.now() - meta.syncedAt
  return isStreaming || (age >= 0 && age <= CURRENT_MS)
}
/** Whether the list has the names this phone may read: its rights may have changed since it got the whole list. */
export const isListAsAllowed = (): boolean => isNameless() !== mayReadNames()
export function eventTimes(): EventTimes | null {
  const event = meta?.event
  if (!event) return null
  return { id: event._id, endsAt: endOfEvent(event, timeZoneNow()).getTime() }
}
export const isCalledOff = (): boolean => meta?.event?.calledOff === true
export const rosterEvent = () => meta?.event ?? null
export const mayReturnNow = (): boolean => mayReturn(meta?.event ?? {}, serverNow().getTime())
export const rosterRevision = (): number | null => meta?.revision ?? null
export interface FindableEntry extends RosterEntry {
  phone?: string
  party?: string
}

/** The search by hand covers the list and this device's sales, with the facts that the list does not have of them yet. */
export const findableEntries = (): FindableEntry[] =>
  [...entries.values(), ...[...sold.keys()].filter((id) => !entries.has(id)).flatMap(soldEntry)].map((entry) => {
    const sale = sold.get(entry.id)
    const party = sale?.key ?? entry.order
    return { ...entry, ...(sale?.phone && { phone: sale.phone }), ...(party && { party }) }
  })

function soldEntry(id: string): RosterEntry[] {
  const ticket = soldTicket(id)
  const order = sold.get(id)?.order
  return ticket
    ? [{ id, status: ticket.status, name: ticket.name ?? '', entryTime: null, ...(order && { order }) }]
    : []
}
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
  const { revision = null, syncedAt = null, people = null, inside = null, event } = meta ?? {}
  useRoster.setState({ size, revision, syncedAt, people, inside, capacity: event?.capacity ?? null })
}

/** The stored roster, read in one transaction. Throws StorageFailure. */
export function readRoster(): Promise<StoredRoster> {
  return readStore(async (db) => {
    const tx = db.transaction(['roster', 'meta', 'admitted'])
    const [entries, meta, admitted] = await Promise.all([
      tx.objectStore('roster').getAll(),
      tx.objectStore('meta').get('roster'),
      tx.objectStore('admitted').getAll(),
    ])
    return { entries, admitted, meta: meta?.key === 'roster' ? meta : null }
  })
}

interface RosterUpdate {
  answer: RosterNews
  /** The device time of the request in ms. */
  askedAt: number
  lacks: boolean
}

/**
 * Applies an answer to the stored roster in one transaction. An answer older than another tab's write changes nothing. A
 * store that lacks a change, or that the browser has erased, gets the whole list. Throws StorageFailure.
 */
export async function applyToStore({ answer, askedAt, lacks }: RosterUpdate): Promise<void> {
  // The list was forgotten meanwhile, so its names must not come back.
  if (rosterRevision() === null) return
  const { revision, full, tickets } = answer
  const next = buildRosterMeta(answer, askedAt)
  await writeRelaxed(['roster', 'meta'], async (tx) => {
    const meta = tx.objectStore('meta')
    const before = await meta.get('roster')
    if (!full && before?.key === 'roster' && before.revision > revision) return
    const roster = tx.objectStore('roster')
    const whole = lacks || before === undefined
    if (full || whole) await roster.clear()
    // The puts run together, because twelve thousand round trips would take seconds.
    await Promise.all(Array.from(whole ? entries.values() : tickets, (entry) => roster.put(entry)))
    await meta.put(next)
  })
}

/** Drops settled admissions that the server has reported since, because its version is newer. */
export async function forgetAdmissions(ticketIds: readonly string[]): Promise<void> {
  if (ticketIds.length === 0) return
  await writeRelaxed(['admitted'], async (tx) => {
    for (const id of ticketIds) {
      const admission = await tx.objectStore('admitted').get(id)
      if (admission && admission.settledAt !== null) await tx.objectStore('admitted').delete(id)
    }
  })
}

import { randomUUID } from 'node:crypto'
import type { Code } from '@garba/shared/contracts/codes'
import type { Right } from '@garba/shared/contracts/names'
import type { PublicKey, ScanBody } from '@garba/shared/contracts/phones/scan'
import { AUDIT } from '@garba/shared/messages/audit'
import { messageFor } from '@garba/shared/messages/codes'
import type { AdmissionFacts } from '@garba/shared/rules/admission'
import { decodeGroupQr, isGroupText, memberFact, readGroupQr } from '@garba/shared/rules/groupQr'
import { type ScanTime, timeOfScan } from '@garba/shared/rules/phones/scanTime'
import { type QrFact, readQr } from '@garba/shared/rules/qr'
import { wrongField } from '../../refusal.ts'
import { findPairedDevice, listGates } from '../../store/devices.ts'
import { type ReadTx, timeOfId, type WriteTx } from '../../store/engine/sql.ts'
import { closedEvents, type EventRow, eventOf, findEvent, isClosed } from '../../store/events.ts'
import { idOfNewCode, ticketNow } from '../../store/newCodes.ts'
import { findScan, insertRefusal } from '../../store/scans.ts'
import { entryBy, findTicketOrTombstone, type TicketRow } from '../../store/tickets.ts'
import { findUser } from '../../store/users.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { knowNewCode } from '../tickets/newCode.ts'

type ScannedEvent = Pick<EventRow, 'id' | 'name'>

export interface SentScan {
  scanId: string
  code: QrFact
  /** The event the scan counts for: that of the ticket its code proves, or else the current one. */
  event: ScannedEvent | null
  admittedOffline: boolean
  /** The device's gate; null if it has none. */
  gate: string | null
  /** For times in messages. A scan made by a sale has no message. */
  timezone?: string
  /** A sale admits at every gate, whatever kinds of ticket the gate accepts. */
  bySale?: true
  device: { id: string | null; name: string | null }
  checker: { id: string; name: string }
  sender: { id: string; name: string }
  deviceTime: Date | null
  /** Device time plus the offset the device measured; null when it sent no time. */
  claimed: Date | null
  receivedAt: Date
}
/** A scan with the time at which it counts as made. */
export type ScanFacts = SentScan & ScanTime

/** `entryBy` for a scan that is being judged. */
export const entryOf = ({ scanId, at, checker, device, gate }: ScanFacts) =>
  entryBy({ id: scanId, at, checkerName: checker.name, deviceId: device.id, deviceName: device.name, gate })

interface ReadCode {
  code: QrFact
  event: ScannedEvent | null
}

interface Scanned {
  qrCode: string
  /** The ticket that a group code stands for; a ticket's own code names its ticket itself. */
  ticketId?: string | undefined
  admittedOffline?: boolean | undefined
}

/**
 * Reads and verifies a scanned text. Codes of closed events belong to another event. A device that had not learned of a
 * revoked key or a closed event may have admitted someone offline. That person is inside, so for such scans revoked
 * keys still count and a code is judged by its ticket's event.
 */
export async function readCode(deps: Deps, { qrCode, ticketId = '', admittedOffline }: Scanned): Promise<ReadCode> {
  const { event, closed, keys } = await readKeys(deps, { admittedOffline })
  const scanned = { text: qrCode.trim(), keys, eventId: event?.id ?? '' }
  const code = isGroupText(scanned.text) ? memberFact(await readGroupQr(scanned), ticketId) : await readQr(scanned)
  if (code.type === 'genuine') await knowNewCode(deps, code.ticketId)
  if (code.type !== 'otherEvent' || !admittedOffline) return { code, event }
  const own = closed.find(({ id }) => id === code.eventId) ?? null
  return { code: { type: 'genuine', ticketId: code.ticketId }, event: own }
}

/** The event, closed events, and the keys of all of them: revoked ones too for a person admitted offline. */
export async function readKeys({ store, signer }: Deps, { admittedOffline = false }: Pick<Scanned, 'admittedOffline'>) {
  const [{ event, closed }, now] = await Promise.all([store.read(readEvents), signer.now()])
  const keys = (event ? [event, ...closed] : closed).flatMap(({ id }): PublicKey[] =>
    admittedOffline ? [...now.publicKeys(id), ...now.revokedKeys(id)] : now.publicKeys(id),
  )
  return { event, closed, keys }
}

const readEvents = async (tx: ReadTx) => {
  const [event, closed] = await Promise.all([findEvent(tx), closedEvents(tx)])
  return { event: event ?? null, closed }
}

/** The ticket was chosen from the list, without a code. */
export const isByHand = ({ qrCode, manual }: ScanBody): boolean => qrCode === undefined && manual === true

/** The right that a paired phone needs for a scan. */
export const rightToScan = (scan: ScanBody): Right => (isByHand(scan) ? 'find' : 'scan')

/**
 * A ticket chosen from an outdated list may have got a new code since. No code was read, so the choice still counts. A
 * scan that was sent before keeps the id it was stored with.
 */
async function chosenTicket(tx: ReadTx, { ticketId, scanId }: { ticketId: string; scanId: string | undefined }) {
  const stored = scanId === undefined ? undefined : (await findScan(tx, scanId))?.ticketId
  if (!stored) return (await ticketNow(tx, ticketId))?.id ?? ticketId
  let id = ticketId
  while (id !== stored && (await findTicketOrTombstone(tx, id))?.replacedAt) id = idOfNewCode(id)
  return id
}

async function codeOf(deps: Deps, scan: ScanBody): Promise<ReadCode> {
  const { qrCode, ticketId, admittedOffline } = scan
  if (qrCode !== undefined) {
    if (ticketId === undefined && isGroupCode(qrCode)) throw wrongField('ticketId', SCAN_NEEDS.ticketOfGroup)
    return await readCode(deps, { qrCode, ticketId, admittedOffline })
  }
  if (ticketId !== undefined && isByHand(scan)) {
    // The restored server may lack this new code, which the phone knew when it admitted the ticket.
    if (admittedOffline) await knowNewCode(deps, ticketId)
    return deps.store.read(async (tx) => ({
      code: { type: 'manual', ticketId: await chosenTicket(tx, { ticketId, scanId: scan.scanId }) },
      event: (await findEvent(tx)) ?? null,
    }))
  }
  throw wrongField('qrCode', SCAN_NEEDS.code)
}

const SCAN_NEEDS = {
  code: 'A scan needs a qrCode, or a ticketId with manual: true',
  ticketOfGroup: 'A scan of a group code needs the ticketId of the ticket to admit',
} as const

/** Recognises a group code, whatever its signature: it does not say which of its tickets is meant. */
export const isGroupCode = (qrCode: string): boolean => decodeGroupQr(qrCode.trim()) !== null

type Named = Pick<AnyCaller, 'id' | 'name'>

/**
 * The person named in the scan, if they are or were a checker or admin; otherwise the sender. If the account was
 * created after the restored backup was made, only the name in the admission identifies the person.
 */
async function makerOf({ store, epoch }: Deps, scan: ScanBody, sender: AnyCaller): Promise<Named> {
  const { checkerId: id, checkerName: name, admittedOffline } = scan
  if (id === undefined || id === sender.id) return sender
  const maker = await store.read((tx) => findUser(tx, id))
  if (maker) return maker.wasChecker ? maker : sender
  const isLost = name !== undefined && admittedOffline === true && timeOfId(id).getTime() < epoch.number
  return isLost ? { id, name } : sender
}

/**
 * Finds who made the scan, and where. A paired phone is identified by its signature and names its user at the time;
 * people are identified by their account.
 */
async function originOf(deps: Deps, scan: ScanBody, sender: AnyCaller): Promise<Pick<SentScan, 'checker' | 'device'>> {
  const { id, name } = await makerOf(deps, scan, sender)
  if (sender.device && id === sender.id)
    return { checker: { id, name: scan.checkerName ?? name }, device: { id, name: sender.device.name } }
  const shift = id === sender.id ? await shiftOf(deps, scan) : null
  return { checker: shift ?? { id, name }, device: { id: scan.deviceId ?? null, name: scan.deviceName || null } }
}

/** A phone that is no longer paired still reports who was on shift when it admitted someone. */
async function shiftOf({ store }: Deps, scan: ScanBody): Promise<Named | null> {
  const { admittedOffline, checkerId, checkerName: name, deviceId } = scan
  if (!admittedOffline || checkerId !== undefined || name === undefined || deviceId === undefined) return null
  const device = await store.read((tx) => findPairedDevice(tx, deviceId))
  return device ? { id: device.id, name } : null
}

/**
 * A phone assigned to gates is at one of them, whatever its scan says; but someone admitted offline entered where the
 * scan says.
 */
function gateOf({ gate, admittedOffline }: ScanBody, { device }: AnyCaller): string | null {
  const isBound = device !== undefined && device.gates.length > 0 && !admittedOffline
  return gate === undefined || (isBound && !device.gates.includes(gate)) ? (device?.gate ?? null) : gate
}

/** Device time plus the offset the device measured; null without a time. */
export const claimedTime = ({ scannedAt, clockOffset = 0 }: ScanBody): Date | null =>
  scannedAt === undefined ? null : new Date(Date.parse(scannedAt) + clockOffset)

/** Refuses with VALIDATION_FAILED when the scan has neither a code nor a ticket chosen by hand. */
export async function readScan(deps: Deps, { sender, scan }: { sender: AnyCaller; scan: ScanBody }): Promise<SentScan> {
  const { code, event } = await codeOf(deps, scan)
  const now = deps.now()
  const origin = await originOf(deps, scan, sender)
  return {
    scanId: scan.scanId ?? randomUUID(),
    code,
    event,
    admittedOffline: scan.admittedOffline === true,
    gate: gateOf(scan, sender),
    ...origin,
    sender: { id: sender.id, name: sender.name },
    deviceTime: scan.scannedAt === undefined ? null : new Date(scan.scannedAt),
    claimed: claimedTime(scan),
    receivedAt: now,
    timezone: deps.settings.timezone,
  }
}

/**
 * Assigns a scan to its ticket's event, which is usually `likely`. A closed event admits no one, but records who was
 * admitted offline.
 */
export async function atItsEvent(
  tx: ReadTx,
  sent: SentScan,
  { ticket, likely }: { ticket: TicketRow | undefined; likely?: EventRow | undefined },
): Promise<SentScan> {
  const { code, admittedOffline } = sent
  if (!ticket || (code.type !== 'genuine' && code.type !== 'manual')) return sent
  const event = likely?.id === ticket.eventId ? likely : await eventOf(tx, ticket)
  if (!isClosed(event) || admittedOffline) return { ...sent, event }
  return { ...sent, code: { type: 'otherEvent', ticketId: ticket.id, eventId: event.id } }
}

export const nameOfEvent = ({ event }: SentScan): string => event?.name ?? ''

export const ticketIdOf = (code: QrFact): string | null => (code.type === 'malformed' ? null : code.ticketId)

/** If the ticket is missing from the database, the time in its id counts as the time of its sale. */
export const saleTime = (ticketId: string | null, ticket: TicketRow | undefined): Date | null =>
  ticket?.createdAt ?? (ticketId === null ? null : timeOfId(ticketId))

export const timed = (sent: SentScan, ticket: TicketRow | undefined): ScanFacts => ({
  ...sent,
  ...timeOfScan({ ...sent, soldAt: saleTime(ticketIdOf(sent.code), ticket) }),
})

/** The audit note for a time that was not accepted as claimed. */
export const timeNote = ({ at, claimedAt, backDated }: ScanFacts): string =>
  [backDated && 'back-dated', claimedAt !== null && `its time ${claimedAt.toISOString()} taken as ${at.toISOString()}`]
    .filter(Boolean)
    .join(', ')

/** Converts a ticket for rules/admission. */
export const knownTicket = (ticket: TicketRow | undefined): AdmissionFacts['ticket'] =>
  ticket
    ? {
        status: ticket.status,
        entryTime: ticket.entryTime?.toISOString() ?? null,
        kind: ticket.kind,
        ...(ticket.replacedAt && { replacedAt: ticket.replacedAt.toISOString() }),
      }
    : null

/** Converts a gate for rules/admission. A removed gate does not restrict anyone. */
export async function standingAt(tx: ReadTx, name: string | null): Promise<AdmissionFacts['at']> {
  if (name === null) return undefined
  const gates = await listGates(tx)
  const gate = gates.find((one) => one.name === name)
  return gate && { gate, gates }
}

interface Refused extends Pick<SentScan, 'receivedAt' | 'checker' | 'device'> {
  code: Code
  ticketId: string | null
  /** The event whose gate refused. */
  eventId: string | null
  holderName: string | null
}

/** Records a refused scan, for the evening view and the audit trail. */
export async function recordRefusal(tx: WriteTx, refused: Refused): Promise<void> {
  const { receivedAt, code, ticketId, eventId, holderName, checker, device } = refused
  await insertRefusal(tx, {
    at: receivedAt,
    code,
    ticketId,
    holderName,
    checkerName: checker.name,
    deviceId: device.id,
    deviceName: device.name,
    eventId,
  })
  const where = device.name ?? device.id
  const detail = `${where === null ? '' : `At ${where}: `}${messageFor(code)}`
  const subject =
    ticketId === null
      ? { id: null, name: AUDIT.unreadable, eventId }
      : aboutTicket({ id: ticketId, buyerName: holderName, eventId })
  await audited(tx, { at: receivedAt, action: 'ticket.refused', actor: checker, subject, detail })
}

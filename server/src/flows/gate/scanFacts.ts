import { randomUUID } from 'node:crypto'
import type { Code } from '@garba/shared/contracts/codes'
import type { Right } from '@garba/shared/contracts/names'
import type { PublicKey, ScanBody } from '@garba/shared/contracts/phones/scan'
import { AUDIT } from '@garba/shared/messages/audit'
import { messageFor, SCAN } from '@garba/shared/messages/codes'
import { BLOCK } from '@garba/shared/messages/gate'
import { type AdmissionFacts, gatesOfEvent } from '@garba/shared/rules/admission'
import { isOtherDay } from '@garba/shared/rules/event/eventDay'
import { decodeGroupQr, isGroupText, memberFact, readGroupQr } from '@garba/shared/rules/groupQr'
import { type ScanTime, timeOfScan } from '@garba/shared/rules/phones/scanTime'
import { decodeQr, type QrFact, readQr } from '@garba/shared/rules/qr'
import { mayUndo } from '@garba/shared/rules/ticketStatus'
import { type RefusalFacts, wrongField } from '../../refusal.ts'
import { findBlock, findCodes } from '../../store/codeBlocks.ts'
import { listGates } from '../../store/devices.ts'
import { type ReadTx, timeOfId, type WriteTx } from '../../store/engine/sql.ts'
import { backupBefore } from '../../store/epoch.ts'
import {
  closedEvents,
  type EventRow,
  findEvent,
  findEventById,
  getEventFor,
  isEventClosed,
} from '../../store/events.ts'
import { idOfNewCode, ticketNow } from '../../store/newCodes.ts'
import { findScan, insertRefusal } from '../../store/scans.ts'
import { entryBy, findTicketOrTombstone, type TicketRow } from '../../store/tickets.ts'
import { findUser } from '../../store/users.ts'
import { aboutTicket, auditChange } from '../audited.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { computeTimes, type TimedEvent } from '../event/readEvent.ts'
import { endOfDevice, readPhone, wasHeard } from '../phones/authenticateDevice.ts'
import { knowNewCode } from '../tickets/newCode.ts'

type ScannedEvent = Pick<EventRow, 'id' | 'name' | 'state' | 'reentry' | 'reentryUntil' | 'types'> & TimedEvent

export interface SentScan {
  scanId: string
  code: QrFact
  /** The event of the ticket that the code proves, or else the current event. */
  event: ScannedEvent | null
  group?: readonly string[] | undefined
  /** The ticket that the phone took, if the scan counts with another ticket of its group. */
  chosen?: string
  admittedOffline: boolean
  gate: string | null
  timezone: string
  /** A sale admits at every gate, whatever kinds of ticket the gate accepts. */
  bySale?: true
  device: { id: string | null; name: string | null }
  checker: { id: string; name: string }
  sender: { id: string; name: string }
  deviceTime: Date | null
  claimed: Date | null
  receivedAt: Date
  wasHeard?: (at: Date) => boolean
}
export type ScanFacts = SentScan & ScanTime

export const buildScanEntry = ({ scanId, at, checker, device, gate }: ScanFacts) =>
  entryBy({ id: scanId, at, checkerName: checker.name, deviceId: device.id, deviceName: device.name, gate })

interface ReadCode {
  code: QrFact
  group?: readonly string[] | undefined
  event: ScannedEvent | null
}

interface ScannedCode {
  qrCode: string
  ticketId?: string | undefined
  admittedOffline?: boolean | undefined
}

/**
 * Reads and verifies a scanned text. Codes of closed events belong to another event. A device that had not learned of a
 * revoked key or a closed event may have admitted someone offline. That person is inside, so for such scans revoked
 * keys still count and a code is judged by its ticket's event.
 */
export async function readCode(deps: Deps, { qrCode, ticketId = '', admittedOffline }: ScannedCode): Promise<ReadCode> {
  const text = qrCode.trim()
  const [{ event, closed, keys, hasRevoked }, sold] = await Promise.all([
    readKeys(deps, { admittedOffline }),
    findSoldCode(deps, text),
  ])
  const scanned = { text, keys, eventId: event?.id ?? '' }
  const group = isGroupText(text) ? await readGroupQr(scanned) : null
  const isSold = sold !== null && sold.eventId === event?.id && !hasRevoked
  const code = group !== null ? memberFact(group, ticketId) : isSold ? sold.code : await readQr(scanned)
  const ids = group?.type === 'genuine' || group?.type === 'otherEvent' ? group.ticketIds : undefined
  if (code.type === 'genuine') await knowNewCode(deps, code.ticketId)
  if (code.type !== 'otherEvent' || !admittedOffline) return { code, event, group: ids }
  const own = closed.find(({ id }) => id === code.eventId) ?? null
  return { code: { type: 'genuine', ticketId: code.ticketId }, event: own, group: ids }
}

/**
 * The code of an active ticket that was sold with this text. It was signed here, so its signature need not be computed again
 * unless a key was revoked since; null for any other text.
 */
async function findSoldCode({ store }: Deps, text: string): Promise<{ code: QrFact; eventId: string } | null> {
  const { ticketId, block } = decodeQr(text) ?? {}
  const ticket = ticketId === undefined ? undefined : await store.read((tx) => findTicketOrTombstone(tx, ticketId))
  if (ticketId === undefined || ticket?.status !== 'active' || ticket.qrCode !== text) return null
  return { code: { type: 'genuine', ticketId, ...(block && { block }) }, eventId: ticket.eventId }
}

export async function readKeys(
  { store, signer }: Deps,
  { admittedOffline = false }: Pick<ScannedCode, 'admittedOffline'>,
) {
  const [{ event, closed }, now] = await Promise.all([store.read(readEvents), signer.now()])
  const keys = (event ? [event, ...closed] : closed).flatMap(({ id }): PublicKey[] =>
    admittedOffline ? [...now.publicKeys(id), ...now.revokedKeys(id)] : now.publicKeys(id),
  )
  return { event, closed, keys, hasRevoked: now.revokedKeys('').length > 0 }
}

const readEvents = async (tx: ReadTx) => {
  const [event, closed] = await Promise.all([findEvent(tx), closedEvents(tx)])
  return { event: event ?? null, closed }
}

export const isByHand = ({ qrCode, manual }: ScanBody): boolean => qrCode === undefined && manual === true

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

async function readScanCode(deps: Deps, scan: ScanBody): Promise<ReadCode> {
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

type ScanMaker = Pick<AnyCaller, 'id' | 'name'>

/**
 * The person named in the scan, if they are or were a checker or admin; otherwise the sender. If the account was
 * created after the restored backup was made, only the name in the admission identifies the person.
 */
async function readScanMaker({ store, epoch }: Deps, scan: ScanBody, sender: AnyCaller): Promise<ScanMaker> {
  const { checkerId: id, checkerName: name, admittedOffline } = scan
  if (id === undefined || id === sender.id) return sender
  const maker = await store.read((tx) => findUser(tx, id))
  if (maker) return maker.wasChecker ? maker : sender
  const isLost = name !== undefined && admittedOffline === true && timeOfId(id).getTime() < epoch.number
  return isLost ? { id, name } : sender
}

/**
 * Finds who made the scan, and where. A paired phone is identified by its signature and names its user at the time;
 * people are identified by their account. A paired phone's id counts only with its own signature, or after its end.
 */
async function readScanOrigin(
  deps: Deps,
  scan: ScanBody,
  sender: AnyCaller,
): Promise<Pick<SentScan, 'checker' | 'device'>> {
  const { id, name } = await readScanMaker(deps, scan, sender)
  const isOwn = id === sender.id
  if (sender.device) {
    const device = { id: sender.device.id, name: sender.device.name }
    return { checker: { id, name: (isOwn && scan.checkerName) || name }, device }
  }
  const { deviceId, deviceName } = scan
  const paired = deviceId === undefined ? undefined : await deps.store.read((tx) => readPhone(deps, tx, deviceId))
  if (!paired) return { checker: { id, name }, device: { id: deviceId ?? null, name: deviceName || null } }
  const shiftName = isOwn && endOfDevice(paired, deps.now()) ? findShiftName(scan) : null
  if (shiftName === null) return { checker: { id, name }, device: { id: null, name: null } }
  return { checker: { id: paired.id, name: shiftName }, device: { id: paired.id, name: deviceName || null } }
}

/** A phone that is no longer paired still reports who was on shift when it admitted someone. */
const findShiftName = ({ admittedOffline, checkerId, checkerName }: ScanBody): string | null =>
  admittedOffline && checkerId === undefined && checkerName !== undefined ? checkerName : null

/**
 * A phone assigned to gates is at one of them, whatever its scan says; but someone admitted offline entered where the
 * scan says.
 */
export function findScanGate(
  { gate, admittedOffline }: Pick<ScanBody, 'gate' | 'admittedOffline'>,
  { device }: AnyCaller,
): string | null {
  const isBound = device !== undefined && device.gates.length > 0 && !admittedOffline
  return gate === undefined || (isBound && !device.gates.includes(gate)) ? (device?.gate ?? null) : gate
}

export const claimedTime = ({ scannedAt, clockOffset = 0 }: ScanBody): Date | null =>
  scannedAt === undefined ? null : new Date(Date.parse(scannedAt) + clockOffset)

export const readScanPlace = async (
  deps: Deps,
  { sender, scan }: { sender: AnyCaller; scan: ScanBody },
): Promise<Pick<SentScan, 'checker' | 'device' | 'gate' | 'sender'>> => ({
  ...(await readScanOrigin(deps, scan, sender)),
  gate: findScanGate(scan, sender),
  sender: { id: sender.id, name: sender.name },
})

export async function readScan(deps: Deps, { sender, scan }: { sender: AnyCaller; scan: ScanBody }): Promise<SentScan> {
  const { code, event, group } = await readScanCode(deps, scan)
  const now = deps.now()
  return {
    scanId: scan.scanId ?? randomUUID(),
    code,
    event,
    group,
    admittedOffline: scan.admittedOffline === true,
    ...(await readScanPlace(deps, { sender, scan })),
    deviceTime: scan.scannedAt === undefined ? null : new Date(scan.scannedAt),
    claimed: claimedTime(scan),
    receivedAt: now,
    timezone: deps.settings.timezone,
    wasHeard: (at) => wasHeard(deps, sender, at),
  }
}

export async function atItsEvent(
  tx: ReadTx,
  sent: SentScan,
  { ticket, likely }: { ticket: TicketRow | undefined; likely?: EventRow | undefined },
): Promise<SentScan> {
  const { code, admittedOffline } = sent
  if (!ticket || (code.type !== 'genuine' && code.type !== 'manual')) return sent
  const event = likely?.id === ticket.eventId ? likely : await getEventFor(tx, ticket)
  if (!isEventClosed(event) || admittedOffline) return { ...sent, event }
  return { ...sent, code: { type: 'otherEvent', ticketId: ticket.id, eventId: event.id } }
}

/** Whether a scan was made outside its event's day; false if the day is unknown, because people wait. */
export function isOnOtherDay({ event, at, timezone }: ScanFacts): boolean {
  try {
    return event !== null && isOtherDay(computeTimes(event, timezone), at)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

export const nameOfEvent = ({ event }: SentScan): string => event?.name ?? ''

export const findTicketId = (code: QrFact): string | null => (code.type === 'malformed' ? null : code.ticketId)

/** If the ticket is missing from the database, the time in its id counts as the time of its sale. */
export const saleTime = (ticketId: string | null, ticket: TicketRow | undefined): Date | null =>
  ticket?.createdAt ?? (ticketId === null ? null : timeOfId(ticketId))

export const addScanTime = (sent: SentScan, ticket: TicketRow | undefined): ScanFacts => ({
  ...sent,
  ...timeOfScan({ ...sent, soldAt: saleTime(findTicketId(sent.code), ticket) }),
})

export const timeNote = ({ at, claimedAt, backDated }: ScanFacts): string =>
  [backDated && 'back-dated', claimedAt !== null && `its time ${claimedAt.toISOString()} taken as ${at.toISOString()}`]
    .filter(Boolean)
    .join(', ')

export const toAdmissionTicket = (ticket: TicketRow | undefined): AdmissionFacts['ticket'] =>
  ticket
    ? {
        status: ticket.status,
        entryTime: ticket.entryTime?.toISOString() ?? null,
        ...(ticket.leftAt && { leftAt: ticket.leftAt.toISOString() }),
        kind: ticket.kind,
        type: ticket.typeId,
        ...(ticket.replacedAt && { replacedAt: ticket.replacedAt.toISOString() }),
      }
    : null

export async function findAdmissionGate(
  tx: ReadTx,
  { gate: name, event }: Pick<SentScan, 'gate' | 'event'>,
): Promise<AdmissionFacts['at']> {
  if (name === null) return undefined
  const gates = gatesOfEvent(await listGates(tx), event)
  const gate = gates.find((one) => one.name === name)
  return gate && { gate, gates }
}

export async function refusalFacts(tx: ReadTx, code: Code, qr: QrFact): Promise<RefusalFacts> {
  if (code === 'NOT_ACTIVATED' && qr.type === 'genuine') {
    const [known] = await findCodes(tx, [qr.ticketId])
    const block = known && (await findBlock(tx, known.blockId))
    if (known?.state === 'allotted' && block?.kind === 'device') return { message: BLOCK.inOfflinePhone(block.label) }
  }
  const event = code === 'QR_OTHER_EVENT' && qr.type === 'otherEvent' ? await findEventById(tx, qr.eventId) : undefined
  return event && isEventClosed(event) ? { message: SCAN.closedEvent(event.name) } : {}
}

interface RefusedScan extends Pick<SentScan, 'receivedAt' | 'checker' | 'device' | 'gate'> {
  scanId: string | null
  code: Code
  ticketId: string | null
  eventId: string | null
  holderName: string | null
}

export async function recordScanRefusal(tx: WriteTx, refused: RefusedScan): Promise<void> {
  const { scanId, receivedAt, code, ticketId, eventId, holderName, checker, device, gate } = refused
  const isNew = await insertRefusal(tx, {
    scanId,
    at: receivedAt,
    code,
    ticketId,
    holderName,
    checkerName: checker.name,
    deviceId: device.id,
    deviceName: device.name,
    gate,
    eventId,
  })
  if (!isNew) return
  const where = device.name ?? device.id
  const detail = `${where === null ? '' : `At ${where}: `}${messageFor(code)}`
  const subject =
    ticketId === null
      ? { id: null, name: AUDIT.unreadable, eventId }
      : aboutTicket({ id: ticketId, buyerName: holderName, eventId })
  await auditChange(tx, { at: receivedAt, action: 'ticket.refused', actor: checker, subject, detail })
}

/**
 * Whether the restored backup may have been made between an entry or exit and its undo, so that only the device knows
 * of the undo.
 */
export async function isLostUndo(tx: ReadTx, { at }: { at: Date }): Promise<boolean> {
  const last = await backupBefore(tx, at)
  return last !== null && mayUndo({ admittedAt: at, now: last })
}

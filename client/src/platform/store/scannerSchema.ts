import type { Code } from '@garba/shared/contracts/codes'
import type { CashSession } from '@garba/shared/contracts/money/cash'
import type { CountGroup, DeskMethod, Movement } from '@garba/shared/contracts/names'
import type { DeviceBlock } from '@garba/shared/contracts/phones/block'
import type { DevicePublicKey, Gate, OwnDevice } from '@garba/shared/contracts/phones/device'
import type { DeviceConflict, PublicKey, RosterAnswer, RosterEntry } from '@garba/shared/contracts/phones/scan'
import type { NamedType, TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'

/** A scan's result in the history's list, one of the spec's four words. */
export type HistoryStatus = 'valid' | 'used' | 'cancelled' | 'invalid'

/** `left` and `leaving` are exits, answered by the server and not yet. */
export type ScanEnding = 'admitted' | 'pending' | 'conflict' | 'refused' | 'failed' | 'undone' | 'left' | 'leaving'

export interface HistoryRecord {
  /** Device time in ms, made unique. */
  id: number
  /** The scanned text; empty when the ticket was chosen by hand. */
  qrCode: string
  ticket: { id: string; name: string | null } | null
  status: HistoryStatus
  marked: boolean
  timestamp: string
  scannedBy: string
  scanId: string
  manual: boolean
  ending: ScanEnding
  title: string
  detail: string
}

interface AdmissionPayload {
  scanId: string
  ticketId: string
  qrCode: string | null
  manual: boolean
  scannedAt: string
  /** Server time minus device time in ms, as measured at the scan. */
  clockOffset: number
  deviceId: string
  deviceName: string
  checkerUid: string
  checkerId: string
  checkerName: string
  gate?: string
  /** Absent for an entry. A count has no ticket, and its id is empty. */
  movement?: Exclude<Movement, 'entry'>
  group?: CountGroup
  change?: number
}

export interface OutboxRow extends AdmissionPayload {
  /** Rows sort by writing order, so that a changed clock does not matter. */
  seq?: number
  name: string | null
  attempts: number
  undo: boolean
  /** Device time of the undo. */
  undoneAt?: string
  /** An earlier server answered it, and the restored server must too. A number, because an index needs such a key. */
  again?: 1
  parked: { code: Code | 'UNKNOWN'; message: string; at: string } | null
}

/**
 * A scan that this phone decided, without the guest's name. It is kept until a day after its event, across sign-ins, to
 * be sent again to a server that was restored from an older backup.
 */
export interface JournalRow extends Omit<AdmissionPayload, 'ticketId'> {
  ticketId: string | null
  ending: 'admitted' | 'refused' | 'undone' | 'givenUp'
  /** Device time of the undo; present if `ending` is `undone`. */
  undoneAt?: string
  eventId: string | null
  /** Device time in ms until which it is kept. */
  until: number
  /**
   * The epoch of the server that has the scan, or will get it from the outbox. Absent if no server needs it: nobody
   * went in, or the admission was undone before it was sent.
   */
  epoch?: number
}

/** What this device did last with a ticket, which the server's roster may not show yet. */
export interface LocalAdmission {
  ticketId: string
  scanId: string
  /** Server time, as far as the device knew it. */
  at: string
  leftAt?: string
  name: string | null
  checkerName: string
  deviceName: string
  /** Device time in ms of the server's answer; null while in the outbox. A roster requested later takes precedence. */
  settledAt: number | null
}

/**
 * A person was let in on a ticket that had no entry left, and the checker must acknowledge it. The row is kept
 * afterwards, so that a repeated report changes nothing.
 */
export interface ConflictRow extends DeviceConflict {
  heardAt: string
  acknowledgedAt: string | null
}

/** The tiles of one evening count scans made here; the server counts the people. */
export interface Tally {
  evening: string
  scanned: number
  valid: number
  rejected: number
}

export interface RosterMeta {
  key: 'roster'
  revision: number
  keys: PublicKey[]
  event: RosterAnswer['event']
  gates: Gate[]
  /** The server's count of people who went in. */
  people?: number
  inside?: number
  /** Device time in ms of the request. */
  syncedAt: number
  /** The epoch of the server that sent the list. */
  epoch: number
  /** The phone had no right that needs guests' names, so the list has none. */
  nameless: boolean
}
export interface DeviceMeta {
  key: 'device'
  id: string
  name: string
  /** The gate that a signed-in checker has chosen; a paired phone has the server's. */
  gate?: string
}
export interface ResendMeta {
  key: 'resend'
  epoch: number
  total: number
}
/** The open cash session of the person on shift, from the server's last answer; null if there is none. */
export interface CashMeta {
  key: 'cash'
  deviceId: string
  person: string
  session: CashSession | null
}
/** How many more tickets this phone may sell without cash after an answer of the server, which came then. */
export interface CashlessMeta {
  key: 'cashless'
  left: number
  at: string
}
/** The types on sale after the last answer of the server; none for an event with one type. */
export interface TypesMeta {
  key: 'types'
  types: readonly TicketTypeOffer[]
}
export type MetaRow = RosterMeta | DeviceMeta | CashMeta | CashlessMeta | ResendMeta | TypesMeta

export type DoorMethod = Exclude<DeskMethod, 'card'>

/**
 * A sale made on this phone. `asking`: the server has not answered yet and may have sold. `unknown`: the seller went on
 * without its answer. `unsent`: sold with codes of a block, and not yet reported. `done`: the server has it.
 */
export interface SaleRow {
  key: string
  state: 'asking' | 'unknown' | 'unsent' | 'done'
  deviceId: string
  checkerName: string
  quantity: number
  /** Absent where the event has one type. `quantity` counts this type, which may let several people in. */
  type?: NamedType
  method: DoorMethod
  /** In rupees. */
  total: number
  name?: string
  phone?: string
  reason?: string
  reference?: string
  payLink?: string
  admit: boolean
  /** Device time; clockOffset is server time minus device time in ms. */
  soldAt: string
  clockOffset: number
  tickets: { id: string; qrCode: string | null }[]
  scanIds?: string[]
  /** The gate at which the phone stood; null if there was none. */
  gate: string | null
  order: string | null
  /** The number of tickets without a seat, because their codes had been taken back. */
  unseated?: number
  /** The server stored the sale without creating tickets, and the organiser decides about it. */
  noted?: true
  /** The epoch of the server that has a sale from this phone's codes; a later epoch may lack it. */
  epoch?: number
  parked: OutboxRow['parked']
}

/** Codes that this phone may sell without a network. `returning` blocks go back to the server and are not sold from. */
export interface BlockRow extends DeviceBlock {
  returning: boolean
}

/** Why a paired phone may no longer scan. `unknown`: the server does not know it, or has another key for it. */
export type PairingEnd = 'revoked' | 'lapsed' | 'unknown'

export interface PairingRow {
  key: 'pairing'
  device: OwnDevice
  /** The key is not extractable, so it signs only in this browser. */
  privateKey: CryptoKey
  /** The current shift; `sent` and `before` tell which names the server has yet to learn. Null until a name is set. */
  shift: { name: string; sent: boolean; before?: string[] } | null
  ended: { why: PairingEnd; at: string } | null
}
/** The key made for a code that the server has not answered. The same code and key may be sent again. */
export interface PairingAttempt {
  key: 'attempt'
  code: string
  privateKey: CryptoKey
  publicKey: DevicePublicKey
}

/** Stores of the scanner's database. The spec fixes the name `qr_scan_history`. */
export type ScannerSchema = {
  qr_scan_history: { key: number; value: HistoryRecord; indexes: { scanId: string } }
  outbox: { key: number; value: OutboxRow; indexes: { scanId: string; parkedAt: string; again: number } }
  journal: { key: string; value: JournalRow; indexes: { due: [epoch: number, scannedAt: string]; until: number } }
  roster: { key: string; value: RosterEntry }
  meta: { key: MetaRow['key']; value: MetaRow }
  conflicts: { key: string; value: ConflictRow }
  admitted: { key: string; value: LocalAdmission }
  tally: { key: string; value: Tally }
  pairing: { key: string; value: PairingRow | PairingAttempt }
  blocks: { key: string; value: BlockRow }
  sales: { key: string; value: SaleRow; indexes: { inTurn: [SaleRow['state'], string]; parkedAt: string } }
}

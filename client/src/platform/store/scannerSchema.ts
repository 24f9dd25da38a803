import type { DeviceBlock } from '@garba/shared/contracts/block'
import type { Code } from '@garba/shared/contracts/codes'
import type { DevicePublicKey, Gate, OwnDevice } from '@garba/shared/contracts/device'
import type { DeskMethod } from '@garba/shared/contracts/names'
import type { CashSession } from '@garba/shared/contracts/order'
import type { DeviceConflict, PublicKey, RosterAnswer, RosterEntry } from '@garba/shared/contracts/scan'

/** SPEC 3, "Local scan history record": what became of a scan, in its four words. */
export type HistoryStatus = 'valid' | 'used' | 'cancelled' | 'invalid'

/** How a scan ended at this device: finer than SPEC's four words. */
export type Ending = 'admitted' | 'pending' | 'conflict' | 'refused' | 'failed' | 'undone'

export interface HistoryRecord {
  /** Device time in ms, made unique (SPEC 3: id is the timestamp). */
  id: number
  /** The scanned text; empty when the ticket was chosen by hand. */
  qrCode: string
  ticket: { id: string; name: string | null } | null
  status: HistoryStatus
  /** Known to the server as used by this scan. */
  marked: boolean
  timestamp: string
  scannedBy: string
  scanId: string
  manual: boolean
  ending: Ending
  /** The words the checker read. */
  title: string
  detail: string
}

/** Who scanned what, where and when: what the server is sent of an admission. */
interface Sent {
  scanId: string
  ticketId: string
  /** null when the ticket was chosen by hand. */
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
  /** Where the phone stood; absent at no gate. */
  gate?: string
}

/** One admission by this device that the server has not answered yet. */
export interface OutboxRow extends Sent {
  /** Order of writing: oldest first, whatever the clock did meanwhile. */
  seq?: number
  /** The holder, where the device knew. */
  name: string | null
  attempts: number
  /** Taken back by the checker after it may have been sent. */
  undo: boolean
  /** With `undo`: when, by the device's clock; absent in rows from before this was kept. */
  undoneAt?: string
  /** An earlier server has answered it, and the one restored in its place must too. A number, so that it can be an index's key. */
  again?: 1
  parked: { code: Code | 'UNKNOWN'; message: string; at: string } | null
}

/**
 * One scan this phone decided, without the guest's name. Kept until a day after its event, no matter who signs in or out,
 * for a server that is restored from an older backup.
 */
export interface JournalRow extends Omit<Sent, 'ticketId'> {
  /** null for a code that names no ticket. */
  ticketId: string | null
  ending: 'admitted' | 'refused' | 'undone' | 'givenUp'
  /** With `undone`: when, by the device's clock. */
  undoneAt?: string
  eventId: string | null
  /** Device time in ms until which it is kept. */
  until: number
  /**
   * The epoch of the server that has it, or will get it from the outbox. Absent where no server need know: nobody went in, or the
   * admission was taken back before it left.
   */
  epoch?: number
}

/** An admission by this device, which the server's roster may not show yet. */
export interface LocalAdmission {
  ticketId: string
  scanId: string
  /** By the server's clock, as far as the device knew it. */
  at: string
  name: string | null
  checkerName: string
  deviceName: string
  /** Device time in ms of the server's answer; null while the outbox has it. A roster asked for later than this knows better. */
  settledAt: number | null
}

/**
 * A person let in on a ticket with no entry left to give, to be acknowledged by the checker. Kept once it
 * is, so that hearing of it again changes nothing.
 */
export interface ConflictRow extends DeviceConflict {
  heardAt: string
  acknowledgedAt: string | null
}

/** Tiles of one evening: scans made here, not people (those are the server's to count). */
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
  /** Absent in a list from before there were gates. */
  gates?: Gate[]
  /** Everybody who went in at the event, as the server counted them; absent in a list from before. */
  people?: number
  /** Device time in ms when the answer was asked for. */
  syncedAt: number
  /** Of the server that gave the list; absent in one from before there were epochs. */
  epoch?: number
}
export interface DeviceMeta {
  key: 'device'
  id: string
  /** What the checkers call it, as in "Gate A". */
  name: string
}
/** How many scans a restored server was sent again, or is to be. */
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
export type MetaRow = RosterMeta | DeviceMeta | CashMeta | ResendMeta

/**
 * A sale made on this phone. `asking`: the server was asked and has not answered, so it may have sold. `unknown`: the seller
 * went on without its answer. `unsent`: sold here with codes of a block, and the server does not know it yet. `done`: the
 * server has it.
 */
export interface SaleRow {
  /** The idempotency key. */
  key: string
  state: 'asking' | 'unknown' | 'unsent' | 'done'
  deviceId: string
  checkerName: string
  quantity: number
  method: DeskMethod
  /** Rupees. */
  total: number
  name?: string
  phone?: string
  reason?: string
  /** What proves a payment by UPI or card. */
  reference?: string
  /** Where the buyer of a sale that waits for the bank pays. */
  payLink?: string
  /** The buyers go in as they buy. */
  admit: boolean
  /** The device's clock; clockOffset is server time minus device time in ms. */
  soldAt: string
  clockOffset: number
  /** Empty until they are known. */
  tickets: { id: string; qrCode: string | null }[]
  /** One for each ticket, if the buyers went in at once. */
  scanIds?: string[]
  /** Where the phone stood as it sold; null at no gate. Absent in sales of earlier versions. */
  gate?: string | null
  /** The order's code, once the server has answered. */
  order: string | null
  /** How many of the tickets got no seat, because their codes had been taken back. */
  unseated?: number
  /** The server kept it without making tickets: the organiser decides. */
  noted?: true
  /** The epoch of the server that has it, if it was sold from this phone's codes: a later one may lack it. */
  epoch?: number
  parked: OutboxRow['parked']
}

/** Codes that this phone may sell without a network. `returning`: they go back, and are sold no more. */
export interface BlockRow extends DeviceBlock {
  returning: boolean
}

/** Why a paired phone may not scan any more; `unknown`: the server does not know it, or has another key for it. */
export type PairingEnd = 'revoked' | 'lapsed' | 'unknown'

/** This phone as the desk paired it. It scans with the key, and nobody signs in. */
export interface PairingRow {
  key: 'pairing'
  device: OwnDevice
  /** Not extractable: it signs in this browser and nowhere else. */
  privateKey: CryptoKey
  /** Who scans now, and whether the server knows; `before`: earlier names that it does not know. Null until one was typed. */
  shift: { name: string; sent: boolean; before?: string[] } | null
  ended: { why: PairingEnd; at: string } | null
}
/** A key that was made for a code whose answer has not come. The same code with the same key may be sent again. */
export interface PairingAttempt {
  key: 'attempt'
  code: string
  privateKey: CryptoKey
  publicKey: DevicePublicKey
}

/** Stores of the scanner's database. `qr_scan_history` is SPEC's name. */
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

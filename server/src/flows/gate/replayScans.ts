import { setImmediate } from 'node:timers/promises'
import { CALLS } from '@garba/shared/calls/calls'
import { type Code, STATUS_OF } from '@garba/shared/contracts/codes'
import type { ScanFlag } from '@garba/shared/contracts/names'
import {
  type BatchResult,
  batchResultSchema,
  countRowSchema,
  queuedExitSchema,
  queuedScanSchema,
  type ScanBody,
} from '@garba/shared/contracts/phones/scan'
import { DEVICE, NOTED_BY_HAND } from '@garba/shared/messages/gate'
import { timeOfScan } from '@garba/shared/rules/phones/scanTime'
import { decodeQr } from '@garba/shared/rules/qr'
import { failureBody, parseInput, Refusal } from '../../refusal.ts'
import { buildNotedKey, insertAttention } from '../../store/attention.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import { isPassing } from '../../store/engine/unusable.ts'
import { findTicketOrTombstone } from '../../store/tickets.ts'
import { hadRight, hasAnyRight, recheckAccess } from '../authenticate.ts'
import type { AnyCaller, Deps, DeviceCaller } from '../deps.ts'
import { type DeviceEnd, endOfDevice, isBelieved, tellEnd } from '../phones/authenticateDevice.ts'
import { admitTicket, type ScanAnswer } from './admit.ts'
import { recordCount, recordExit } from './inside/exits.ts'
import { claimedTime, isByHand, rightToScan, saleTime } from './scanFacts.ts'
import { takeBackLate } from './undoAdmission.ts'

interface ScanBatch {
  sender: AnyCaller
  scans: readonly unknown[]
  count: (limit: 'user' | 'manual') => Promise<void>
}

interface ScanBatchAnswer {
  results: BatchResult[]
  ended?: DeviceEnd['code']
}

/**
 * Replays queued scans in order, each in its own transaction, so a bad row fails alone. Each row counts against the
 * limits like a single call; a row above a limit must be sent again later. Other requests get a turn between rows, and
 * the sender is read again for each row, so losing a right takes effect from the next row on. Returns one result per
 * row.
 */
export async function replayScans(deps: Deps, { sender, scans, count }: ScanBatch): Promise<ScanBatchAnswer> {
  const results: BatchResult[] = []
  let current = sender
  for (const [index, row] of scans.entries()) {
    try {
      // The call itself was checked and counted for the first row.
      if (index > 0) {
        await count('user')
        current = await recheckAccess(deps, current, CALLS.markUsedBatch, 'FORBIDDEN')
      }
      results.push(buildBatchResult(row, await replay(deps, { sender: current, row, count })))
    } catch (error) {
      const refusal = rowRefusal(deps, error, { code: 'SCAN_NOT_RECORDED', words: 'a replayed scan failed' })
      results.push(buildBatchResult(row, failed(refusal)))
    }
    await setImmediate()
  }
  return { results, ...(await tellEnd(deps, current)) }
}

interface Row extends Pick<ScanBatch, 'sender' | 'count'> {
  row: unknown
}

const findMovementOf = (row: unknown): unknown =>
  typeof row === 'object' && row !== null && 'movement' in row ? row.movement : undefined

async function replay(deps: Deps, { sender, row, count }: Row): Promise<ScanAnswer> {
  switch (findMovementOf(row)) {
    case 'exit':
      return replayExit(deps, { sender, row })
    case 'count': {
      const counted = parseInput(countRowSchema, row)
      if (sender.device) await assessScan(deps, { sender, scan: { ...pickClaim(counted), admittedOffline: true } })
      return recordCount(deps, { sender, row: counted })
    }
    default:
      return replayEntry(deps, { sender, row, count })
  }
}

const pickClaim = ({ scannedAt, clockOffset, qrCode }: ScanBody): ScanBody => ({ scannedAt, clockOffset, qrCode })

async function replayExit(deps: Deps, { sender, row }: Omit<Row, 'count'>): Promise<ScanAnswer> {
  const { movement: _movement, undoneAt, ...scan } = parseInput(queuedExitSchema, row)
  if (sender.device) await assessScan(deps, { sender, scan: { ...pickClaim(scan), admittedOffline: true } })
  const undone = undoneAt === undefined ? {} : { undoneAt: claimedTime({ ...scan, scannedAt: undoneAt }) ?? deps.now() }
  return recordExit(deps, { sender, scan, hasLeft: true, ...undone })
}

async function replayEntry(deps: Deps, { sender, row, count }: Row): Promise<ScanAnswer> {
  const { undoneAt, movement: _movement, ...scan } = parseInput(queuedScanSchema, row)
  if (undoneAt !== undefined) return await takeBackLate(deps, { sender, scan, undoneAt })
  const standing = sender.device ? await assessScan(deps, { sender, scan }) : { flag: null }
  if (isByHand(scan)) await count('manual')
  if (standing.noted) {
    await addByHandMatter(deps, { sender: standing.noted, scan, at: standing.at })
    return { status: 200, body: { success: true, outcome: 'noted' } }
  }
  return await admitTicket(deps, { sender, scan, flag: standing.flag })
}

type ScanAssessment = { flag: ScanFlag | null; noted?: undefined } | { noted: DeviceCaller; at: Date }

/**
 * The time at which an offline row counts as made. It is judged by this time and not by the claimed one, or a phone that
 * has lost its right could still admit tickets that were sold afterwards.
 */
async function computeScanTime(tx: ReadTx, scan: ScanBody, receivedAt: Date): Promise<Date> {
  const ticketId = decodeQr(scan.qrCode?.trim() ?? '')?.ticketId ?? scan.ticketId ?? null
  const ticket = ticketId === null ? undefined : await findTicketOrTombstone(tx, ticketId)
  return timeOfScan({
    claimed: claimedTime(scan),
    soldAt: saleTime(ticketId, ticket),
    receivedAt,
    admittedOffline: true,
  }).at
}

/**
 * Decides how a phone's row counts. An offline admission is a fact and is judged by the phone's rights at its time; it
 * is flagged when the phone has ended or lost the right since. A code scanned after the end, but before the phone
 * learned of it, still proves who came; a ticket chosen by hand proves nothing, and is only noted. Every other row
 * needs the phone's rights now.
 */
export async function assessScan(
  deps: Deps,
  { sender, scan }: { sender: DeviceCaller; scan: ScanBody },
): Promise<ScanAssessment> {
  const { device } = sender
  const end = endOfDevice(device, deps.now())
  if (end && !scan.admittedOffline) throw new Refusal(end.code)
  const right = rightToScan(scan)
  if (!scan.admittedOffline) {
    if (!hasAnyRight(sender, right)) throw new Refusal('FORBIDDEN')
    return { flag: null }
  }
  const now = deps.now()
  const at = await deps.store.read(async (tx) => {
    const made = await computeScanTime(tx, scan, now)
    return (await hadRight(tx, sender, { right, at: made, now })) ? made : null
  })
  if (at === null) throw new Refusal('FORBIDDEN', { message: DEVICE.hadNoRight })
  if (!end) return { flag: hasAnyRight(sender, right) ? null : 'noRight' }
  if (at < end.at) return { flag: end.code === 'DEVICE_REVOKED' ? 'revoked' : 'lapsed' }
  if (isByHand(scan)) return { noted: sender, at }
  if (!isBelieved(device, at)) throw new Refusal(end.code)
  return { flag: 'afterEnd' }
}

/** Notes a ticket chosen by hand on an ended phone as a matter for the desk, once per phone and ticket. */
const addByHandMatter = (
  deps: Deps,
  { sender, scan, at }: { sender: DeviceCaller; scan: ScanBody; at: Date },
): Promise<void> =>
  deps.store.write(async (tx) => {
    const ticket = scan.ticketId === undefined ? undefined : await findTicketOrTombstone(tx, scan.ticketId)
    if (!ticket) throw new Refusal('TICKET_NOT_FOUND')
    const { name: phone } = sender.device
    await insertAttention(tx, {
      kind: 'noted',
      dedupeKey: buildNotedKey(sender.id, ticket.id),
      amountPaise: 0,
      detail: NOTED_BY_HAND({ ticketId: ticket.id, phone, at, timezone: deps.settings.timezone }),
      at: deps.now(),
    })
  })

/**
 * A row that fails for its own reason would fail again, and the phone would resend it forever. Its answer is final, so
 * the phone sets the row aside with the reason. Only a row that met an unavailable database is tried again.
 */
export function rowRefusal({ log }: Deps, error: unknown, last: { code: Code; words: string }): Refusal {
  // Read-only mode affects all rows, so the whole request fails and is sent again.
  if (error instanceof Refusal && error.code === 'READ_ONLY') throw error
  if (error instanceof Refusal) return error
  log.error({ err: error }, last.words)
  return new Refusal(isPassing(error) ? 'UNAVAILABLE' : last.code)
}

const buildBatchResult = (row: unknown, { status, body }: ScanAnswer): BatchResult =>
  batchResultSchema.parse({ scanId: findScanId(row), ...body, status })

const failed = ({ code, facts }: Refusal): ScanAnswer => ({ status: STATUS_OF[code], body: failureBody(code, facts) })

const findScanId = (row: unknown): string | null => {
  if (typeof row !== 'object' || row === null || !('scanId' in row)) return null
  return typeof row.scanId === 'string' ? row.scanId.slice(0, 64) : null
}

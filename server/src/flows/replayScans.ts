import { setImmediate } from 'node:timers/promises'
import { STATUS_OF } from '@garba/shared/contracts/codes'
import type { ScanFlag } from '@garba/shared/contracts/names'
import { type BatchResult, batchResultSchema, queuedScanSchema, type ScanBody } from '@garba/shared/contracts/scan'
import { parse } from '../parse.ts'
import { failureBody, Refusal } from '../refusal.ts'
import { isPassing } from '../store/unusable.ts'
import { admit, type ScanAnswer } from './admit.ts'
import { hasRight } from './authenticate.ts'
import type { AnyCaller, Deps } from './deps.ts'
import { endOfDevice } from './devices/authenticateDevice.ts'
import { claimedTime, isByHand, rightToScan } from './scanFacts.ts'
import { takeBackLate } from './takeBackLate.ts'

interface Replaying {
  sender: AnyCaller
  scans: readonly unknown[]
  /** Counts a row against one of the sender's limits. Refuses with RATE_LIMITED. */
  count: (limit: 'user' | 'manual') => Promise<void>
}

/**
 * Replays queued scans in order, each in its own transaction, so a bad row fails alone (DECISIONS 2). Each row counts
 * against the limits like a single call; a row above a limit is to be sent again later. Other requests get a turn between
 * rows. Returns one result per row.
 */
export async function replayScans(deps: Deps, { sender, scans, count }: Replaying): Promise<BatchResult[]> {
  const results: BatchResult[] = []
  for (const [index, row] of scans.entries()) {
    // The call itself was counted for the first row.
    results.push(await replay(deps, { sender, row, count, isFirst: index === 0 }))
    await setImmediate()
  }
  return results
}

interface Row extends Pick<Replaying, 'sender' | 'count'> {
  row: unknown
  isFirst: boolean
}

async function replay(deps: Deps, { sender, row, count, isFirst }: Row): Promise<BatchResult> {
  try {
    if (!isFirst) await count('user')
    const { undoneAt, ...scan } = parse(queuedScanSchema, row)
    const flag = flagOf(deps, { sender, scan })
    if (undoneAt !== undefined) return resultOf(row, await takeBackLate(deps, { sender, scan, undoneAt, flag }))
    if (isByHand(scan)) await count('manual')
    return resultOf(row, await admit(deps, { sender, scan, flag }))
  } catch (error) {
    return resultOf(row, failed(refusalOf(deps, error)))
  }
}

/**
 * Whether the desk should look at a row. An admission that happened is a fact, even when its phone has ended or lost the
 * right since: it is judged as ever, and flagged. Refuses every other row of such a phone, with DEVICE_REVOKED or DEVICE_LAPSED
 * also those made after its end, and with FORBIDDEN (DECISIONS 7).
 */
function flagOf({ now }: Deps, { sender, scan }: { sender: AnyCaller; scan: ScanBody }): ScanFlag | null {
  const end = sender.device ? endOfDevice(sender.device, now()) : null
  const claimed = claimedTime(scan)
  if (end && !(scan.admittedOffline && claimed && claimed < end.at)) throw new Refusal(end.code)
  if (end) return end.code === 'DEVICE_REVOKED' ? 'revoked' : 'lapsed'
  if (hasRight(sender, rightToScan(scan))) return null
  if (!scan.admittedOffline) throw new Refusal('FORBIDDEN')
  return 'noRight'
}

/**
 * A row that fails for its own reason would fail again, and the phone would resend it forever. Its answer is final, so the
 * phone sets the row aside with the reason. Only an unavailable database is worth another try.
 */
function refusalOf({ log }: Deps, error: unknown): Refusal {
  // Of all rows alike: they are sent again.
  if (error instanceof Refusal && error.code === 'READ_ONLY') throw error
  if (error instanceof Refusal) return error
  log.error({ err: error }, 'a replayed scan failed')
  return new Refusal(isPassing(error) ? 'UNAVAILABLE' : 'SCAN_NOT_RECORDED')
}

const resultOf = (row: unknown, { status, body }: ScanAnswer): BatchResult =>
  batchResultSchema.parse({ scanId: scanIdOf(row), ...body, status })

const failed = ({ code, facts }: Refusal): ScanAnswer => ({ status: STATUS_OF[code], body: failureBody(code, facts) })

const scanIdOf = (row: unknown): string | null => {
  if (typeof row !== 'object' || row === null || !('scanId' in row)) return null
  return typeof row.scanId === 'string' ? row.scanId.slice(0, 64) : null
}

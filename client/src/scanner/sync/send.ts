import type { BatchResult, ScanBody } from '@garba/shared/contracts/scan'
import { messageFor } from '@garba/shared/messages/codes'
import { isFailure } from '../../platform/http/failure.ts'
import type { OutboxRow } from '../../platform/store/gateSchema.ts'
import type { Heard } from './fate.ts'
import { scannerCall } from './scannerCall.ts'

/** A half-dead network answers late; a replay, unlike a line of people, can wait (ms). */
const REPLAY_TIMEOUT_MS = 60_000

/** A queued admission as the server takes it, in the name of who made it. */
function bodyOf(row: OutboxRow): ScanBody {
  const { scanId, scannedAt, clockOffset, checkerId, deviceId, deviceName } = row
  return {
    ...(row.qrCode === null ? { ticketId: row.ticketId, manual: true } : { qrCode: row.qrCode }),
    scanId,
    scannedAt,
    clockOffset,
    checkerId,
    deviceId,
    ...(deviceName === '' ? {} : { deviceName }),
    admittedOffline: true,
  }
}

export type Sent = { answered: true; results: BatchResult[] } | { answered: false; heard: Heard; message: string }

/** Sends rows as one batch. Never throws: what went wrong is what was heard. */
export async function sendBatch(rows: readonly OutboxRow[]): Promise<Sent> {
  try {
    const { results } = await scannerCall('markUsedBatch', {
      body: { scans: rows.map(bodyOf) },
      timeoutMs: REPLAY_TIMEOUT_MS,
    })
    return { answered: true, results }
  } catch (error) {
    return { answered: false, ...heardOf(error) }
  }
}

/** Takes back an admission the server has heard of. Never throws; null: taken back, or never there. */
export async function sendUndo(scanId: string): Promise<{ heard: Heard; message: string } | null> {
  try {
    await scannerCall('undoMark', { body: { scanId } })
    return null
  } catch (error) {
    const told = heardOf(error)
    return told.heard.code === 'SCAN_NOT_FOUND' ? null : told
  }
}

function heardOf(error: unknown): { heard: Heard; message: string } {
  if (!isFailure(error)) return { heard: { status: 0, code: 'UNKNOWN', success: false }, message: String(error) }
  return { heard: { status: error.status, code: error.code, success: false }, message: error.message }
}

export const heardInRow = (result: BatchResult): Heard => ({
  status: result.status,
  code: result.code ?? null,
  success: result.success,
})

export const messageOfRow = ({ message, code }: BatchResult): string =>
  message ?? (code === undefined ? '' : messageFor(code))

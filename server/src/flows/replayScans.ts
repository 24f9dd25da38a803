import { STATUS_OF } from '@garba/shared/contracts/codes'
import { type BatchResult, batchResultSchema, scanBodySchema } from '@garba/shared/contracts/scan'
import { parse } from '../parse.ts'
import { failureBody, Refusal } from '../refusal.ts'
import { admit, type ScanAnswer } from './admit.ts'
import type { Caller, Deps } from './deps.ts'
import { isNotNow } from './storage.ts'

/**
 * Replays queued scans in the order given, each in a transaction of its own: a bad row is told as one and blocks nothing
 * (DECISIONS 2). Answers one result for each row.
 */
export async function replayScans(
  deps: Deps,
  { sender, scans }: { sender: Caller; scans: readonly unknown[] },
): Promise<BatchResult[]> {
  const results: BatchResult[] = []
  for (const row of scans) {
    results.push(await replay(deps, sender, row))
  }
  return results
}

async function replay(deps: Deps, sender: Caller, row: unknown): Promise<BatchResult> {
  try {
    return resultOf(row, await admit(deps, { sender, scan: parse(scanBodySchema, row) }))
  } catch (error) {
    return resultOf(row, failed(refusalOf(deps, error)))
  }
}

/**
 * What fails for a reason of its own would fail again, and the phone would send it for ever: its answer is final, so that it
 * is set aside there with the reason. Only a database that cannot be used just now is worth another try.
 */
function refusalOf({ log }: Deps, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  log.error({ err: error }, 'a replayed scan failed')
  return new Refusal(isNotNow(error) ? 'UNAVAILABLE' : 'SCAN_NOT_RECORDED')
}

const resultOf = (row: unknown, { status, body }: ScanAnswer): BatchResult =>
  batchResultSchema.parse({ scanId: scanIdOf(row), ...body, status })

const failed = ({ code, facts }: Refusal): ScanAnswer => ({ status: STATUS_OF[code], body: failureBody(code, facts) })

const scanIdOf = (row: unknown): string | null => {
  if (typeof row !== 'object' || row === null || !('scanId' in row)) return null
  return typeof row.scanId === 'string' ? row.scanId.slice(0, 64) : null
}

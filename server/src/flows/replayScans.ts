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
    const { status, body } = await replay(deps, sender, row)
    results.push(batchResultSchema.parse({ scanId: scanIdOf(row), ...body, status }))
  }
  return results
}

async function replay(deps: Deps, sender: Caller, row: unknown): Promise<ScanAnswer> {
  try {
    return await admit(deps, { sender, scan: parse(scanBodySchema, row) })
  } catch (error) {
    if (error instanceof Refusal) return failed(error)
    deps.log.error({ err: error }, 'a replayed scan failed')
    return failed(new Refusal(isNotNow(error) ? 'UNAVAILABLE' : 'INTERNAL'))
  }
}

const failed = ({ code, facts }: Refusal): ScanAnswer => ({ status: STATUS_OF[code], body: failureBody(code, facts) })

const scanIdOf = (row: unknown): string | null => {
  if (typeof row !== 'object' || row === null || !('scanId' in row)) return null
  return typeof row.scanId === 'string' ? row.scanId.slice(0, 64) : null
}

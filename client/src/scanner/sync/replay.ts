import { SCAN_BATCH_MAX } from '@garba/shared/constants'
import type { BatchResult } from '@garba/shared/contracts/scan'
import { clockNow } from '../core/clock.ts'
import { noteLeft } from '../store/left.ts'
import { nextRows, noteAttempt, park, type StoredRow } from '../store/outbox.ts'
import { fateOf, fateOfRequest, type Heard } from './fate.ts'
import { heardInRow, messageOfRow, sendBatch, sendUndo } from './send.ts'
import { settleAll } from './settleAll.ts'
import { settlementOf } from './settlement.ts'

/** How a run ended. `busy`: another tab is at it. `empty`: nothing is left that may be sent. */
export type RunEnd = 'empty' | 'retry' | 'signIn' | 'busy'

const LOCK = 'garba-outbox'

/**
 * Sends what waits, oldest first, one run at a time over all tabs (DECISIONS 3). Sent twice a scan stays one, by its
 * scanId. Throws StorageFailure when the outbox cannot be read.
 */
export function replay(): Promise<RunEnd> {
  if (!('locks' in navigator)) return run()
  return navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => (lock === null ? 'busy' : run()))
}

async function run(): Promise<RunEnd> {
  let after = 0
  let limit = SCAN_BATCH_MAX
  /** Rows up to here are tried one by one: the batch they were in was refused as a whole. */
  let alone = 0
  let end: RunEnd = 'empty'
  for (;;) {
    const rows = turnOf(await nextRows({ after, limit: after < alone ? 1 : limit }))
    const last = rows.at(-1)
    if (!last) return end
    await noteAttempt(rows).catch(() => noteLeft(rows))
    const fate = await send(rows)
    if (fate === 'signIn' || fate === 'retry') return fate
    if (fate === 'split') {
      alone = last.seq
      continue
    }
    if (fate === 'someRetry') end = 'retry'
    after = last.seq
    limit = SCAN_BATCH_MAX
  }
}

/** A row that is to be taken back goes alone: mark and undo follow each other before anything younger. */
function turnOf(rows: StoredRow[]): StoredRow[] {
  const undo = rows.findIndex((row) => row.undo)
  if (undo < 0) return rows
  return undo === 0 ? rows.slice(0, 1) : rows.slice(0, undo)
}

type Turn = 'sent' | 'someRetry' | 'split' | 'retry' | 'signIn'

async function send(rows: readonly StoredRow[]): Promise<Turn> {
  const sent = await sendBatch(rows)
  if (!sent.answered) return requestFailed(rows, sent)
  const answered = rows.map((row, index) => ({ row, result: sent.results[index] }))
  const done: { row: StoredRow; result: BatchResult }[] = []
  let turn: Turn = 'sent'
  for (const { row, result } of answered) {
    // An answer with fewer results than rows has not answered for the rest.
    const fate = result === undefined || result.scanId !== row.scanId ? 'retry' : await undone(row, result)
    if (fate === 'done' && result) done.push({ row, result })
    else if (fate === 'park' && result) await setAside(row, heardInRow(result), messageOfRow(result))
    else if (fate === 'retry' || fate === 'signIn') turn = 'someRetry'
  }
  const clock = clockNow()
  await settleAll(done.map((heard) => settlementOf({ ...heard, clock })))
  return turn
}

/** The fate of a row, its undo included where one is wanted. */
async function undone(row: StoredRow, result: BatchResult): Promise<ReturnType<typeof fateOf> | 'parked'> {
  const fate = fateOf(heardInRow(result))
  if (fate !== 'done' || !row.undo || !result.success) return fate
  const refused = await sendUndo(row.scanId)
  if (refused === null) return 'done'
  const after = fateOf(refused.heard)
  if (after !== 'park') return after
  await setAside(row, refused.heard, refused.message)
  return 'parked'
}

async function requestFailed(
  rows: readonly StoredRow[],
  { heard, message }: { heard: Heard; message: string },
): Promise<Turn> {
  const fate = fateOfRequest({ ...heard, rows: rows.length })
  if (fate !== 'park') return fate
  for (const row of rows) await setAside(row, heard, message)
  return 'sent'
}

const setAside = (row: StoredRow, { code }: Heard, message: string) =>
  park(row.scanId, {
    code: code === null || code === 'NETWORK' ? 'UNKNOWN' : code,
    message,
    at: new Date().toISOString(),
  })

import { expect, vi } from 'vitest'
import type { HistoryRecord } from '../../platform/store/scannerSchema.ts'
import type { Subject } from '../core/scan.ts'
import { decideScan } from '../scan/decide.ts'
import { finishScan } from '../scan/finish.ts'
import { readHistory } from '../store/record.ts'
import { made } from './phone.ts'

/** A scan from the camera or by hand, until its row is in the history. Resolves with what the checker saw. */
export async function scan(subject: Subject) {
  const scanned = await made(subject)
  const before = (await readHistory()).length
  const shown = await finishScan(await decideScan(scanned), scanned)
  // What the server has admitted is written without anybody waiting for it.
  await vi.waitFor(async () => expect((await readHistory()).length).toBe(before + 1), 30_000)
  return shown
}

/** The newest row of the history. */
export async function newest(): Promise<HistoryRecord> {
  const [record] = await readHistory()
  if (!record) throw new Error('Nothing was scanned')
  return record
}

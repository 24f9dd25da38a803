import { noteSettled } from '../roster/memory.ts'
import { type Settlement, settle } from '../store/outbox.ts'

/** Writes what final answers have come to, and tells the list in memory: from now on the server's word may replace ours. */
export async function settleAll(settlements: readonly Settlement[]): Promise<void> {
  const now = Date.now()
  await settle(settlements, now)
  noteSettled(settlements, now)
}

import { UNSENT } from '@garba/shared/messages/scannerScreens'
import { noteSettled } from '../roster/memory.ts'
import { type Settlement, type StoredRow, settle } from '../store/outbox.ts'

/** Writes what final answers have come to, and tells the list in memory: from now on the server's word may replace ours. */
export async function settleAll(settlements: readonly Settlement[]): Promise<void> {
  const now = Date.now()
  await settle(settlements, now)
  noteSettled(settlements, now)
}

/** Gives a scan up by the checker's own, asked-twice wish; from then on the server's word on the ticket counts. Throws StorageFailure. */
export const giveUp = ({ scanId, ticketId }: StoredRow): Promise<void> =>
  settleAll([
    {
      scanId,
      ticketId,
      conflict: null,
      record: { ending: 'failed', marked: false, title: UNSENT.removed, detail: '' },
    },
  ])

import { UNSENT } from '@garba/shared/messages/scanner'
import { type Settlement, type StoredRow, settle } from '../store/outbox.ts'
import { noteSettled } from '../store/rosterMemory.ts'

/** Takes in what final answers have come to: from now on the server's word may replace ours, whatever becomes of the write. */
export async function settleAll(settlements: readonly Settlement[]): Promise<void> {
  const now = Date.now()
  noteSettled(settlements, now)
  await settle(settlements, now)
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

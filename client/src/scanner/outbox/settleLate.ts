import { SCAN } from '@garba/shared/messages/codes'
import type { OutboxRow } from '../../platform/store/gateSchema.ts'
import { clockNow } from '../gate/clock.ts'
import type { ServerWord } from '../verdict/serverWord.ts'
import { settleAll } from './settleAll.ts'
import { conflictOf, settlementOf } from './settlement.ts'

/**
 * The answer to a scan on which the device has decided meanwhile. An admission settles the queued row at once; a refusal
 * leaves it to be sent, for the person is inside and the server must hear so (DECISIONS 3). Never throws.
 */
export async function settleLate(row: OutboxRow, word: ServerWord): Promise<void> {
  if (word.is !== 'admitted') return
  const { ticket, conflict } = word
  const result = {
    scanId: row.scanId,
    success: true,
    status: 200,
    outcome: conflict === null ? ('admitted' as const) : ('conflict' as const),
    ticket,
    ...(conflict === null ? {} : { conflict: conflictOf(row, conflict, ticket.user.name) }),
  }
  try {
    await settleAll([settlementOf({ row, result, clock: clockNow() })])
  } catch (error) {
    console.warn(SCAN.notMarked.title, error)
  }
}

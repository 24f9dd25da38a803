import type { AnsweredConflict, ScannedTicket } from '@garba/shared/contracts/scan'
import { SCAN } from '@garba/shared/messages/codes'
import type { OutboxRow } from '../../platform/store/gateSchema.ts'
import { clockNow } from '../core/clock.ts'
import { settleAll } from './settleAll.ts'
import { conflictOf, settlementOf } from './settlement.ts'

interface Admitted {
  ticket: ScannedTicket
  conflict: AnsweredConflict | null
}

/**
 * The server's late admission of a scan that the device has decided meanwhile: settles the queued row at once. After a late
 * refusal the row stays, because the person is inside and the server must learn of it (DECISIONS 3). Never throws.
 */
export async function settleLate(row: OutboxRow, { ticket, conflict }: Admitted): Promise<void> {
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

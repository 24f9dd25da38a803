import type { OpenMatter } from '@garba/shared/contracts/event'
import { LINK_PROVIDERS, type OpenMatterKind } from '@garba/shared/contracts/names'
import { openAttention } from '../../store/attention.ts'
import { openSessions } from '../../store/cashSessions.ts'
import { countPhonesUnsent } from '../../store/devices.ts'
import { findOrderById } from '../../store/orders.ts'
import { countOpenRefunds } from '../../store/refunds.ts'
import type { ReadTx } from '../../store/sql.ts'
import { creditLines } from '../reconciliation/statements.ts'

/**
 * Lists the kinds of matters still to be settled before an event is closed. Drawers, phones and credits belong to no
 * event, so all of them count; other matters count if they belong to the event or to none.
 */
export async function openMatters(tx: ReadTx, eventId: string): Promise<OpenMatter[]> {
  const open = await mattersOf(tx, eventId)
  const counts: Readonly<Record<OpenMatterKind, number>> = {
    drawers: (await openSessions(tx)).length,
    refundsByHand: await countOpenRefunds(tx, { eventId, states: ['requested', 'failed'], except: LINK_PROVIDERS }),
    refundsInDoubt: await countOpenRefunds(tx, { eventId, states: ['asking'], except: [] }),
    phonesUnsent: await countPhonesUnsent(tx),
    matters: open.filter((kind) => kind !== 'unproven').length,
    unmatchedCredits: (await creditLines(tx)).filter(({ match }) => match !== 'done' && match !== 'aside').length,
    unproven: open.filter((kind) => kind === 'unproven').length,
  }
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => ({ kind: kind as OpenMatterKind, count }))
}

async function mattersOf(tx: ReadTx, eventId: string): Promise<string[]> {
  const kinds: string[] = []
  for (const { orderId, kind } of await openAttention(tx)) {
    const order = orderId === null ? undefined : await findOrderById(tx, orderId)
    if (order === undefined || order.eventId === eventId) kinds.push(kind)
  }
  return kinds
}

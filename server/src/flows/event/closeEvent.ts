import type { ClosedEvent, OpenMatter } from '@garba/shared/contracts/event'
import { LINK_PROVIDERS, type OpenMatterKind } from '@garba/shared/contracts/names'
import { AUDIT } from '@garba/shared/messages/audit'
import { openText } from '@garba/shared/messages/eventForm'
import { refundOf } from '@garba/shared/rules/cancellation'
import { closingProblem } from '@garba/shared/rules/evening'
import { FREE_PROVIDERS } from '@garba/shared/rules/orders/orderMoney'
import { orRefuse, Refusal } from '../../refusal.ts'
import { openAttention } from '../../store/attention.ts'
import { openSessions } from '../../store/cashSessions.ts'
import { endBlock, openBlocks } from '../../store/codeBlocks.ts'
import { countPhonesUnsent } from '../../store/devices.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import { closeEvent as close, findEventById, isClosed } from '../../store/events.ts'
import { nextRevision } from '../../store/meta.ts'
import { findOrderById, heldOrders } from '../../store/orders.ts'
import { countOpenRefunds, unrequestedPrices } from '../../store/refunds.ts'
import { aboutEvent, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { countOpenCredits } from '../reconciliation/statements.ts'
import { closedEventView, endOf } from './readEvent.ts'

/**
 * Closes an event that is over, so that another can be created. Its tickets stay readable, without codes; scanners drop
 * them from their roster. Unsold codes are returned. An event that is already closed is answered unchanged. Refuses
 * with EVENT_NOT_FOUND, EVENT_NOT_OVER or EVENT_HAS_HOLDS, and with EVENT_HAS_OPEN_MATTERS unless it is to be closed
 * anyway, or when there is more than the admin has seen.
 */
export async function closeEvent(
  deps: Deps,
  { admin, id, anyway, seen }: { admin: Caller; id: string; anyway: boolean; seen?: readonly OpenMatter[] | undefined },
): Promise<ClosedEvent> {
  const { timezone } = deps.settings
  return deps.store.write(async (tx) => {
    const event = orRefuse(await findEventById(tx, id), 'EVENT_NOT_FOUND')
    if (isClosed(event)) return closedEventView(event, timezone)
    const now = deps.now()
    const held = (await heldOrders(tx)).length
    const problem = closingProblem({ endsAt: endOf(event, timezone).getTime(), held }, now.getTime())
    if (problem) throw new Refusal(problem)
    const matters = await openMatters(tx, id)
    if (isMore(matters, anyway ? (seen ?? matters) : []))
      throw new Refusal('EVENT_HAS_OPEN_MATTERS', { body: { matters } })
    tx.announce('roster', 'evening')
    for (const block of await openBlocks(tx, id)) await endBlock(tx, block, { at: now, byId: null })
    const closed = orRefuse(
      await close(tx, id, { closedAt: now, closedRevision: await nextRevision(tx) }),
      'UNAVAILABLE',
    )
    const { takenSeats, totalTickets } = closed
    const detail = [AUDIT.eventClosed(takenSeats, totalTickets), openText(matters)].filter(Boolean).join('; ')
    await audited(tx, { at: now, action: 'event.closed', actor: admin, subject: aboutEvent(closed), detail })
    return closedEventView(closed, timezone)
  })
}

const isMore = (matters: readonly OpenMatter[], accepted: readonly OpenMatter[]): boolean =>
  matters.some(({ kind, count }) => count > (accepted.find((one) => one.kind === kind)?.count ?? 0))

/** Lists what is still open at an event. Refuses with EVENT_NOT_FOUND. */
export const listOpenMatters = ({ store }: Pick<Deps, 'store'>, id: string): Promise<OpenMatter[]> =>
  store.read(async (tx) => {
    if (!(await findEventById(tx, id))) throw new Refusal('EVENT_NOT_FOUND')
    return openMatters(tx, id)
  })

/**
 * Lists the kinds of matters still to be settled before an event is closed. Drawers, phones and credits belong to no
 * event, so all of them count; other matters count if they belong to the event or to none.
 */
async function openMatters(tx: ReadTx, eventId: string): Promise<OpenMatter[]> {
  const open = await mattersOf(tx, eventId)
  const unrequested = await unrequestedPrices(tx, { eventId, except: FREE_PROVIDERS })
  const byHand = await countOpenRefunds(tx, { eventId, states: ['requested', 'failed'], except: LINK_PROVIDERS })
  const counts: Readonly<Record<OpenMatterKind, number>> = {
    drawers: (await openSessions(tx)).length,
    refundsByHand: byHand + unrequested.filter((paise) => refundOf(paise).refundPaise > 0).length,
    refundsInDoubt: await countOpenRefunds(tx, { eventId, states: ['asking'], except: [] }),
    phonesUnsent: await countPhonesUnsent(tx),
    matters: open.filter((kind) => kind !== 'unproven').length,
    unmatchedCredits: await countOpenCredits(tx),
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

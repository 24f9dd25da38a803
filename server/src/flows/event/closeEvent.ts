import type { ClosedEvent, OpenMatter } from '@garba/shared/contracts/event'
import { LINK_PROVIDERS, type OpenMatterKind } from '@garba/shared/contracts/names'
import { AUDIT } from '@garba/shared/messages/audit'
import { openText } from '@garba/shared/messages/eventForm'
import { computeRefund } from '@garba/shared/rules/cancellation'
import { closingProblem } from '@garba/shared/rules/event/evening'
import { findEventDay } from '@garba/shared/rules/event/eventDay'
import { FREE_PROVIDERS } from '@garba/shared/rules/orders/orderMoney'
import { orRefuse, Refusal } from '../../refusal.ts'
import { openAttention } from '../../store/attention.ts'
import { openSessions } from '../../store/cashSessions.ts'
import { countPhonesSilent, endBlock, listOpenBlocks } from '../../store/codeBlocks.ts'
import { countOpenConflicts } from '../../store/conflicts.ts'
import { countPhonesUnsent, fixDeadlines } from '../../store/devices.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import { markEventClosed as close, type EventRow, findEventById, isEventClosed } from '../../store/events.ts'
import { cashOutside } from '../../store/figures.ts'
import { nextRevision } from '../../store/meta.ts'
import { findOrderById, heldOrders } from '../../store/orders.ts'
import { countOpenRefunds, unrequestedPrices } from '../../store/refunds.ts'
import { endLine } from '../../store/waiting.ts'
import { aboutEvent, auditChange } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { countOpenCredits } from '../reconciliation/statements.ts'
import { closedEventView, computeTimes, getEventEnd } from './readEvent.ts'

/**
 * Closes an event that is over, so that another can be created. Its tickets stay readable, without codes; scanners drop
 * them from their roster. Unsold codes are returned. An event that is already closed is answered unchanged.
 */
export async function closeEvent(
  deps: Deps,
  { admin, id, anyway, seen }: { admin: Caller; id: string; anyway: boolean; seen?: readonly OpenMatter[] | undefined },
): Promise<ClosedEvent> {
  const { timezone } = deps.settings
  return deps.store.write(async (tx) => {
    const event = orRefuse(await findEventById(tx, id), 'EVENT_NOT_FOUND')
    if (isEventClosed(event)) return closedEventView(event, timezone)
    const now = deps.now()
    const held = (await heldOrders(tx)).length
    const problem = closingProblem({ endsAt: getEventEnd(event, timezone).getTime(), held }, now.getTime())
    if (problem) throw new Refusal(problem)
    const matters = await openMatters(deps, tx, event)
    if (isMore(matters, anyway ? (seen ?? matters) : []))
      throw new Refusal('EVENT_HAS_OPEN_MATTERS', { body: { matters } })
    tx.announceChanges('roster', 'evening')
    await fixDeadlines(tx, findEventDay(computeTimes(event, timezone)).until)
    for (const block of await listOpenBlocks(tx, id)) await endBlock(tx, block, { at: now, byId: null })
    await endLine(tx, id)
    const closed = orRefuse(
      await close(tx, id, { closedAt: now, closedRevision: await nextRevision(tx) }),
      'UNAVAILABLE',
    )
    const { takenSeats, totalTickets } = closed
    const detail = [AUDIT.eventClosed(takenSeats, totalTickets), openText(matters)].filter(Boolean).join('; ')
    await auditChange(tx, { at: now, action: 'event.closed', actor: admin, subject: aboutEvent(closed), detail })
    return closedEventView(closed, timezone)
  })
}

const isMore = (matters: readonly OpenMatter[], accepted: readonly OpenMatter[]): boolean =>
  matters.some(({ kind, count }) => count > (accepted.find((one) => one.kind === kind)?.count ?? 0))

export const listOpenMatters = (deps: Pick<Deps, 'store' | 'settings'>, id: string): Promise<OpenMatter[]> =>
  deps.store.read(async (tx) => openMatters(deps, tx, orRefuse(await findEventById(tx, id), 'EVENT_NOT_FOUND')))

/**
 * Drawers, phones and credits belong to no event, so all of them count; other matters count if they belong to this
 * event or to none.
 */
async function openMatters({ settings }: Pick<Deps, 'settings'>, tx: ReadTx, event: EventRow): Promise<OpenMatter[]> {
  const { id: eventId } = event
  const open = await listMatterKinds(tx, eventId)
  const unrequested = await unrequestedPrices(tx, { eventId, except: FREE_PROVIDERS })
  const byHand = await countOpenRefunds(tx, { eventId, states: ['requested', 'failed'], except: LINK_PROVIDERS })
  const counts: Readonly<Record<OpenMatterKind, number>> = {
    heldOrders: (await heldOrders(tx)).length,
    drawers: (await openSessions(tx)).length,
    refundsByHand: byHand + unrequested.filter((paise) => computeRefund(paise).refundPaise > 0).length,
    refundsInDoubt: await countOpenRefunds(tx, { eventId, states: ['asking'], except: [] }),
    phonesUnsent: await countPhonesUnsent(tx),
    doubleAdmissions: await countOpenConflicts(tx, eventId),
    phonesSilent: await countPhonesSilent(tx, eventId, getEventEnd(event, settings.timezone)),
    cashOutside: (await cashOutside(tx, eventId)).length,
    matters: open.filter((kind) => kind !== 'unproven').length,
    unmatchedCredits: await countOpenCredits(tx),
    unproven: open.filter((kind) => kind === 'unproven').length,
  }
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => ({ kind: kind as OpenMatterKind, count }))
}

async function listMatterKinds(tx: ReadTx, eventId: string): Promise<string[]> {
  const kinds: string[] = []
  for (const { orderId, kind } of await openAttention(tx)) {
    const order = orderId === null ? undefined : await findOrderById(tx, orderId)
    if (order === undefined || order.eventId === eventId) kinds.push(kind)
  }
  return kinds
}

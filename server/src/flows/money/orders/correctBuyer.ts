import type { CallInput } from '@garba/shared/calls/calls'
import type { DeskOrder } from '@garba/shared/contracts/order'
import { AUDIT } from '@garba/shared/messages/audit'
import { ORDER_WORDS } from '@garba/shared/messages/order'
import { Refusal } from '../../../refusal.ts'
import { resolveOrderMatter } from '../../../store/attention.ts'
import { listIds, type WriteTx } from '../../../store/engine/sql.ts'
import { isEventClosed } from '../../../store/events.ts'
import { nextRevision } from '../../../store/meta.ts'
import { idOfNewCode, replaceTicketId } from '../../../store/newCodes.ts'
import { changeBuyer, type OrderRow } from '../../../store/orders.ts'
import { endLinksTo } from '../../../store/ticketLinks.ts'
import { nameBuyer, rowsOfOrder, type TicketRow, ticketsOfOrder } from '../../../store/tickets.ts'
import { aboutBuyer, auditChange } from '../../audited.ts'
import type { Caller, Deps } from '../../deps.ts'
import { mailPaid } from '../upkeep/tell.ts'
import { readDeskOrder } from './deskOrders.ts'
import { eventOfOrder, getOrderById, isWithBuyer, orderByCode } from './orderRows.ts'

type BuyerCorrection = CallInput<'correctBuyer'> & { admin: Caller; code: string }

/**
 * Corrects a mistyped buyer, or hands the order to another person. With another name or email whoever had the tickets
 * loses them: links end, active tickets get new codes, an account that got them by the old email lets go, and the mail
 * with the tickets goes to the present email. A phone number alone moves nothing. A repeated request changes nothing.
 */
export async function correctBuyer(deps: Deps, { admin, code, reason, ...given }: BuyerCorrection): Promise<DeskOrder> {
  const { found, codes } = await deps.store.read(async (tx) => {
    const order = await orderByCode(tx, code)
    return { found: order, codes: await ticketsOfOrder(tx, order.id) }
  })
  // Signing is asynchronous, so it happens before the write.
  const signed = new Map<string, string>()
  for (const { id, eventId, status } of codes)
    if (status === 'active') signed.set(id, await deps.signer.sign({ ticketId: idOfNewCode(id), eventId }))
  return deps.store.write(async (tx) => {
    const order = await getOrderById(tx, found)
    if (order.buyerName === AUDIT.erased) throw new Refusal('ORDER_NOT_FOUND')
    const to = buyerAfter(order, given)
    const [isNewEmail, isNewName] = [to.buyerEmail !== order.buyerEmail, to.buyerName !== order.buyerName]
    const moves = isNewEmail || isNewName || given.claimed === true
    if (!moves && to.buyerPhone === order.buyerPhone) return readDeskOrder(deps, tx, order)
    tx.announceChanges('roster', 'evening')
    const now = deps.now()
    const changed = await changeBuyer(tx, order, to)
    const moved = moves
      ? await moveTickets(tx, { order, to: changed, signed, now, claimed: given.claimed === true })
      : 0
    if (moved > 0) await mailPaid(deps, tx, changed)
    const resolved = { resolvedAt: now, resolution: ORDER_WORDS.corrected }
    await resolveOrderMatter(tx, { kind: 'takenOver', orderId: order.id }, resolved)
    // The audit row names the present buyer, because it is erased with that buyer.
    const was = aboutBuyer(order).name ?? ''
    const detail = AUDIT.corrected({ code: order.code, was, codes: moved, reason })
    await auditChange(tx, { at: now, action: 'order.corrected', actor: admin, subject: aboutBuyer(changed), detail })
    return readDeskOrder(deps, tx, changed)
  })
}

type NewBuyer = Pick<OrderRow, 'buyerName' | 'buyerEmail' | 'buyerPhone' | 'userId'>

/** With another email the order leaves its account, which has an email of its own. */
function buyerAfter(
  order: OrderRow,
  { name, email, phone }: Pick<BuyerCorrection, 'name' | 'email' | 'phone'>,
): NewBuyer {
  const buyerEmail = email ?? order.buyerEmail
  return {
    buyerName: name ?? order.buyerName,
    buyerEmail,
    buyerPhone: phone === undefined ? order.buyerPhone : phone || null,
    userId: buyerEmail === order.buyerEmail ? order.userId : null,
  }
}

interface TicketTransfer {
  order: OrderRow
  to: OrderRow
  signed: ReadonlyMap<string, string>
  now: Date
  claimed: boolean
}

/** Returns the number of active tickets, which have new codes. Tombstones move along, so that nothing names who had them. */
async function moveTickets(tx: WriteTx, { order, to, signed, now, claimed }: TicketTransfer): Promise<number> {
  const moving = async () => (await rowsOfOrder(tx, order.id)).filter(claimed ? () => true : isWithBuyer(order))
  const theirs = await moving()
  await endLinksTo(tx, listIds(theirs), now)
  const isOver = order.eventId === null || isEventClosed(await eventOfOrder(tx, order))
  const active = isOver ? [] : theirs.filter(({ status }) => status === 'active')
  for (const ticket of active) await replaceNow(tx, ticket, { qrCode: signed.get(ticket.id), now })
  const revision = await nextRevision(tx)
  const { buyerName, buyerEmail } = to
  const isKept = !claimed && buyerEmail === order.buyerEmail
  for (const ticket of await moving()) {
    const owner = isKept ? { userId: ticket.userId } : { userId: null, holderName: null }
    await nameBuyer(tx, ticket, { to: { buyerName, buyerEmail, ...owner }, now, revision })
  }
  return active.length
}

async function replaceNow(
  tx: WriteTx,
  ticket: TicketRow,
  { qrCode, now }: { qrCode: string | undefined; now: Date },
): Promise<void> {
  if (qrCode === undefined || (await replaceTicketId(tx, ticket, { qrCode, now })) === 'stale')
    throw new Refusal('UNAVAILABLE')
}

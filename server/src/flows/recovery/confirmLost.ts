import type { LostTicket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { LOST_AUDIT } from '@garba/shared/messages/order'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { Refusal } from '../../refusal.ts'
import { type EventRow, eventOf, isClosed } from '../../store/events.ts'
import { timeOfId } from '../../store/ids.ts'
import { decideLost, findLost, type LostDecision, type LostRow, offersOf } from '../../store/lostTickets.ts'
import type { OrderRow } from '../../store/orders.ts'
import type { ReadTx, WriteTx } from '../../store/sql.ts'
import { findTicketOrTombstone, insertTickets } from '../../store/tickets.ts'
import { findUser } from '../../store/users.ts'
import { aboutTicket, aboutUser, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { enterSold } from '../doorSales/enterSold.ts'
import { readCode } from '../gate/scanFacts.ts'
import { applyFacts } from '../money/orders/applyFacts.ts'
import { ticketsFor } from '../tickets/issueTickets.ts'
import { takeSeatsOf } from '../tickets/onSale.ts'
import { boughtTogether, lostView, priceOfLost } from './lostTickets.ts'
import { type HowPaid, moneyAtProvider, orderOfLost } from './payLost.ts'

interface Deciding {
  admin: Caller
  id: string
}

const lostById = async (tx: ReadTx, id: string): Promise<LostRow> => {
  const row = await findLost(tx, id)
  if (!row) throw new Refusal('LOST_NOT_FOUND')
  return row
}

/**
 * Takes a lost ticket back: a ticket with the same id and code, at the event's price, on a free seat. An admission made
 * with it meanwhile becomes its entry. Without payments it is an ordinary web order; otherwise see payLost. Other
 * accounts that offer the same ticket are refused. Repeated, it changes nothing. The limit per person does not apply:
 * the ticket was sold within it.
 *
 * Refuses with LOST_NOT_FOUND, LOST_KNOWN for a ticket that exists by now, LOST_INVALID, EVENT_CLOSED, SOLD_OUT, or as
 * payLost.
 */
export async function confirmLost(deps: Deps, { admin, id, ...paid }: Deciding & HowPaid): Promise<LostTicket> {
  const { qrCode } = await deps.store.read((tx) => lostById(tx, id))
  const { code } = await readCode(deps, { qrCode })
  const found = await moneyAtProvider(deps, paid.money)
  const view = await deps.store.write(async (tx) => {
    const row = await lostById(tx, id)
    if (row.state === 'confirmed') return lostView(tx, row)
    const event = await eventOf(tx, row)
    if (isClosed(event)) throw new Refusal('EVENT_CLOSED')
    if (code.type !== 'genuine') throw new Refusal('LOST_INVALID')
    if (await findTicketOrTombstone(tx, row.ticketId)) throw new Refusal('LOST_KNOWN')
    return lostView(tx, await confirm(deps, tx, { row, event, admin, paid, found }))
  })
  // Refunds of its payment can be applied only now that the payment is stored.
  if (found) await applyFacts(deps, found.refunds)
  return view
}

interface Confirming {
  row: LostRow
  event: EventRow
  admin: Caller
  paid: HowPaid
  found: Awaited<ReturnType<typeof moneyAtProvider>>
}

async function confirm(deps: Deps, tx: WriteTx, { row, event, admin, paid, found }: Confirming): Promise<LostRow> {
  const { ticketId, qrCode, userId } = row
  const now = deps.now()
  const account = await findUser(tx, userId)
  if (!account) throw new Refusal('LOST_NOT_FOUND')
  await takeSeatsOf(tx, event, 1)
  const createdAt = new Date(Math.min(timeOfId(ticketId).getTime(), now.getTime()))
  const unitPaise = priceOfLost(event, await boughtTogether(tx, row))
  const { order, paise } = await orderOfLost(deps, tx, {
    ticketId,
    account,
    event,
    unitPaise,
    createdAt,
    admin,
    paid,
    found,
  })
  const tickets = await ticketsFor(
    tx,
    { ...order, unitPaise: paise },
    { eventId: event.id, signed: [{ id: ticketId, qrCode }], createdAt, kind: 'online' },
  )
  await insertTickets(tx, tickets)
  await enterSold(tx, { tickets, by: admin, now })
  tx.announce('roster', 'evening')
  const decided = { decidedAt: now, decidedByName: admin.name }
  for (const other of await offersOf(tx, [ticketId]))
    if (other.id !== row.id) await decideLost(tx, other.id, { ...decided, state: 'refused', note: null })
  const subject = aboutTicket({ id: ticketId, buyerName: account.name, eventId: event.id })
  const detail = detailOf(order, paise, paid)
  await audited(tx, { at: now, action: 'lost.confirmed', actor: admin, subject, detail })
  return decide(tx, row, { ...decided, state: 'confirmed', note: paid.reason ?? null })
}

const detailOf = ({ code, provider }: OrderRow, paise: number, { reason }: HowPaid): string =>
  [LOST_AUDIT.confirmed(code, formatRupees(toRupees(paise)), provider), reason].filter(Boolean).join('; ')

async function decide(tx: WriteTx, { id }: LostRow, set: LostDecision): Promise<LostRow> {
  const row = await decideLost(tx, id, set)
  if (!row) throw new Refusal('LOST_NOT_FOUND')
  return row
}

/**
 * Refuses a lost ticket; its owner reads the note. A later note replaces an earlier one, and a refused ticket can still be
 * confirmed. Refuses with LOST_NOT_FOUND, or with LOST_KNOWN for one that was confirmed.
 */
export const refuseLost = (deps: Deps, { admin, id, note }: Deciding & { note: string }): Promise<LostTicket> =>
  deps.store.write(async (tx) => {
    const row = await lostById(tx, id)
    if (row.state === 'confirmed') throw new Refusal('LOST_KNOWN')
    if (row.state === 'refused' && row.note === note) return lostView(tx, row)
    const now = deps.now()
    const account = await findUser(tx, row.userId)
    const subject = account ? aboutUser(account) : { id: row.userId, name: '' }
    await audited(tx, {
      at: now,
      action: 'lost.refused',
      actor: admin,
      subject: { ...subject, eventId: row.eventId },
      detail: LOST_AUDIT.refused(last8(row.ticketId), note),
    })
    return lostView(tx, await decide(tx, row, { state: 'refused', decidedAt: now, decidedByName: admin.name, note }))
  })

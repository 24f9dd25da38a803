import type { FoundMoney, LostTicket } from '@garba/shared/contracts/ticket'
import { toRupees } from '@garba/shared/rules/money'
import { quote } from '@garba/shared/rules/pricing'
import { openAttention } from '../../store/attention.ts'
import { firstMissing } from '../../store/conflicts.ts'
import { type EventRow, eventOf, findEvent } from '../../store/events.ts'
import { timeOfId } from '../../store/ids.ts'
import { countLost, type LostRow, listLost, lostOf, offersOf } from '../../store/lostTickets.ts'
import type { ReadTx } from '../../store/sql.ts'
import { findUser } from '../../store/users.ts'
import type { Deps } from '../deps.ts'

/** The codes of one purchase are signed within this time. */
const TOGETHER_MS = 2_000
const DECIDED = 50

/** Counts the lost tickets that were bought together with this one, itself included. */
export async function boughtTogether(tx: ReadTx, { userId, eventId, ticketId }: LostRow): Promise<number> {
  const at = timeOfId(ticketId).getTime()
  const near = (row: LostRow) =>
    row.eventId === eventId && Math.abs(timeOfId(row.ticketId).getTime() - at) <= TOGETHER_MS
  return (await lostOf(tx, userId)).filter(near).length
}

export const priceOfLost = (event: EventRow, together: number): number =>
  quote({ quantity: together, ...event }).unitPaise

/** Accounts exist as long as their offers do. */
export async function lostView(tx: ReadTx, row: LostRow): Promise<LostTicket> {
  const user = await findUser(tx, row.userId)
  const together = await boughtTogether(tx, row)
  const missing = await firstMissing(tx, row.ticketId)
  const offers = await offersOf(tx, [row.ticketId])
  return {
    id: row.id,
    ticketId: row.ticketId,
    holder: { name: user?.name ?? '', email: user?.email ?? '' },
    offeredAt: row.offeredAt.toISOString(),
    state: row.state,
    decidedBy: row.decidedByName,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    note: row.note,
    others: offers.length - 1,
    together,
    price: toRupees(priceOfLost(await eventOf(tx, row), together)),
    letIn: missing ? { at: missing.second.at, by: missing.second.checkerName } : null,
  }
}

/** Guests' offers for the current event, with the facts the desk needs to decide. */
export const listLostTickets = ({ store, settings }: Pick<Deps, 'store' | 'settings'>) =>
  store.read(async (tx) => {
    const event = await findEvent(tx)
    const paid = settings.payments.on
    if (!event) return { lost: [], waiting: 0, paid, remaining: 0, money: [] }
    const lost: LostTicket[] = []
    for (const row of await listLost(tx, { eventId: event.id, decided: DECIDED })) lost.push(await lostView(tx, row))
    return {
      lost,
      waiting: await countLost(tx, event.id),
      paid,
      remaining: event.totalTickets - event.takenSeats,
      money: lost.length === 0 ? [] : await foundMoney(tx),
    }
  })

const foundMoney = async (tx: ReadTx): Promise<FoundMoney[]> =>
  (await openAttention(tx))
    .filter(({ kind }) => kind === 'unknown')
    .map(({ id, amountPaise, createdAt, detail }) => ({
      id,
      amount: toRupees(amountPaise),
      at: createdAt.toISOString(),
      detail,
    }))

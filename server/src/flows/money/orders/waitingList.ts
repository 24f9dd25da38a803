import { OFFER_MS, UNPAID_SEATS_PER_PERSON } from '@garba/shared/constants'
import type { OwnWaiting, WaitingList } from '@garba/shared/contracts/waiting'
import { findOnlineSale } from '@garba/shared/rules/event/evening'
import { countRemaining } from '@garba/shared/rules/types/ticketTypes'
import { Refusal } from '../../../refusal.ts'
import { newId, type ReadTx, type WriteTx } from '../../../store/engine/sql.ts'
import type { Store } from '../../../store/engine/store.ts'
import { type EventRow, findEvent } from '../../../store/events.ts'
import { findHeldOrder, heldOrders, insertOrder, type OrderRow } from '../../../store/orders.ts'
import { insertPayment } from '../../../store/payments.ts'
import { getFirstType, readTypeSeats, takeSeats } from '../../../store/typeSeats.ts'
import { findUser } from '../../../store/users.ts'
import { countBefore, findInLine, leaveLine, listLine, putInLine, type WaitingRow } from '../../../store/waiting.ts'
import type { Caller, Deps } from '../../deps.ts'
import { onlineSaleView } from '../../event/readEvent.ts'
import { runRegularly } from '../../regularly.ts'
import { countSeats, isOfferedType, priceSale, requireOffered } from '../../tickets/saleLines.ts'
import { requireMayBuy } from '../../tickets/sellTickets.ts'
import { queueBuyerMail } from '../upkeep/tell.ts'
import { endHold } from './orderRows.ts'

/**
 * Puts the caller in line, or changes their number. Refuses with WAITING_LIST_OFF, NOT_SOLD_OUT while that many can be
 * bought, ORDER_OPEN, or as a purchase of the first type does.
 */
export const joinWaiting = (
  deps: Deps,
  { user, quantity, language }: { user: Caller; quantity: number; language: string },
): Promise<OwnWaiting> =>
  deps.store.write(async (tx) => {
    if (!deps.settings.waitingList) throw new Refusal('WAITING_LIST_OFF')
    const open = await findHeldOrder(tx, user.id)
    if (open) throw new Refusal('ORDER_OPEN', { body: { order: open.code } })
    const event = await requireMayBuy(deps, tx, {
      userId: user.id,
      choice: { quantity },
      most: UNPAID_SEATS_PER_PERSON,
    })
    const createdAt = deps.now()
    requireOffered({ type: getFirstType(event), quantity }, { code: null, now: createdAt })
    if ((await countFree(tx, event, createdAt)) >= quantity) throw new Refusal('NOT_SOLD_OUT')
    await putInLine(tx, { id: newId(createdAt), eventId: event.id, userId: user.id, quantity, language, createdAt })
    return ownWaiting(tx, user)
  })

export const leaveWaiting = (deps: Deps, user: Caller): Promise<OwnWaiting> =>
  deps.store.write(async (tx) => {
    await leaveLine(tx, user.id)
    return ownWaiting(tx, user)
  })

export const readOwnWaiting = (deps: Deps, user: Caller): Promise<OwnWaiting> =>
  deps.store.read((tx) => ownWaiting(tx, user))

async function ownWaiting(tx: ReadTx, { id }: Caller): Promise<OwnWaiting> {
  const [row, held] = [await findInLine(tx, id), await findHeldOrder(tx, id)]
  const { people: ahead } = row ? await countBefore(tx, row) : { people: 0 }
  return {
    waiting: row ? { quantity: row.quantity, ahead, since: row.createdAt.toISOString() } : null,
    offer: held ? offerOf(held) : null,
  }
}

const offerOf = ({ code, quantity, offeredUntil }: OrderRow): OwnWaiting['offer'] =>
  offeredUntil === null ? null : { order: code, quantity, until: offeredUntil.toISOString() }

export const readWaitingList = ({ store }: Deps): Promise<WaitingList> =>
  store.read(async (tx) => {
    const event = await findEvent(tx)
    const rows = event ? await listLine(tx, event.id) : []
    const people = await Array.fromAsync(rows, async ({ userId, quantity, createdAt }) => {
      const account = await findUser(tx, userId)
      const { name = '', email = '' } = account ?? {}
      return { user: userId, name, email, quantity, since: createdAt.toISOString() }
    })
    const offers = (await heldOrders(tx)).flatMap((order) => {
      const offer = offerOf(order)
      return offer ? { ...offer, name: order.buyerName } : []
    })
    return { waiting: people, offers, tickets: rows.reduce((sum, { quantity }) => sum + quantity, 0) }
  })

/**
 * Adds to each write that frees seats their offer to the line, so that nobody else can get them in between and nothing
 * of it is half done.
 */
export function offerFreedSeats<D extends Deps>(deps: D): D {
  const { store } = deps
  const write: Store['write'] = (work, touching) =>
    store.write(async (tx) => {
      const value = await work(tx)
      if (tx.announced.includes('seats')) await offerSeats(deps, tx)
      return value
    }, touching)
  return { ...deps, store: { ...store, write } }
}

/** How many of the first type, which is what people wait for, guests can buy. */
async function countFree(tx: ReadTx, event: EventRow, now: Date): Promise<number> {
  const first = getFirstType(event)
  if (!isOfferedType(first, { code: null, now })) return 0
  const { taken } = (await readTypeSeats(tx, event))(first.id)
  return countRemaining(first, { taken, free: event.totalTickets - event.takenSeats })
}

/** Offers free seats to the first in line whose number they are; who needs more keeps their place. */
async function offerSeats(deps: Deps, tx: WriteTx): Promise<void> {
  const event = deps.settings.waitingList ? await findEvent(tx) : undefined
  if (!event) return
  const line = await listLine(tx, event.id)
  if (line.length === 0) return
  const sale = findOnlineSale(onlineSaleView(event, deps.settings.timezone), deps.now().getTime())
  if (sale !== 'open' && sale !== 'soldOut') return
  let free = await countFree(tx, event, deps.now())
  for (const row of line) {
    if (row.quantity > free || (await findHeldOrder(tx, row.userId))) continue
    if (await offer(deps, tx, { row, event })) free -= row.quantity
  }
}

async function offer(deps: Deps, tx: WriteTx, { row, event }: { row: WaitingRow; event: EventRow }): Promise<boolean> {
  const { userId, quantity, language } = row
  await leaveLine(tx, userId)
  const account = await findUser(tx, userId)
  if (!account) return false
  const choice = { quantity }
  const { tier: _, ...price } = await priceSale(deps, tx, event, { userId: null, choice })
  if ((await takeSeats(tx, event, price.lines)) === null) return false
  const createdAt = deps.now()
  const until = new Date(createdAt.getTime() + OFFER_MS)
  const provider = deps.settings.payments.guest[0] ?? 'none'
  const order = await insertOrder(tx, {
    ...{ eventId: event.id, userId, buyerName: account.name, buyerEmail: account.email, language },
    ...{ state: 'held', provider, idempotencyKey: `waiting:${row.id}`, createdAt },
    ...{ ...price, quantity: countSeats(event, choice) },
    ...{ holdUntil: until, offeredUntil: until, settledAt: null },
  })
  if (provider !== 'none')
    await insertPayment(tx, { orderId: order.id, provider, amountPaise: price.totalPaise, state: 'created', createdAt })
  tx.announceChanges('evening')
  await queueBuyerMail(deps, tx, order, { what: 'offer', about: order.id })
  return true
}

const LOOK_MS = 30_000

/** Offers what became free without a release, such as by the end of a pause, until the server stops. */
export const startWaitingRounds = (deps: Deps): (() => Promise<void>) =>
  runRegularly(
    { work: () => waitingRound(deps), everyMs: LOOK_MS, atStart: true, failed: 'the waiting list failed' },
    deps,
  )

export async function waitingRound(deps: Deps): Promise<void> {
  const now = deps.now()
  // Nobody else looks after holds that need no payment.
  const isLapsed = ({ provider, holdUntil }: OrderRow) => provider === 'none' && holdUntil !== null && holdUntil <= now
  const { lapsed, isAnyone } = await deps.store.read(async (tx) => {
    const event = await findEvent(tx)
    const line = event ? await listLine(tx, event.id) : []
    const free = event ? await countFree(tx, event, now) : 0
    return { lapsed: (await heldOrders(tx)).filter(isLapsed), isAnyone: line.some(({ quantity }) => quantity <= free) }
  })
  for (const order of lapsed) await deps.store.write((tx) => endHold(tx, order, { to: 'expired', now }))
  if (isAnyone) await deps.store.write(async (tx) => tx.announceChanges('seats'))
}

import { DAY_MS, MINUTE_MS } from '@garba/shared/constants'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { cancelTicket, deleteTicket, recordRefund } from '../../server/src/flows/tickets/changeTickets.ts'
import { sellTickets } from '../../server/src/flows/tickets/sellTickets.ts'
import type { History } from './evening.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import type { Stage } from './stage.ts'

const BUYERS = 0.68
/** Owners may cancel until 10 days before. One more day keeps clear of the limit. */
const CANCELLED_UNTIL_MS = 11 * DAY_MS
const CANCELLED = 0.09
const DELETED = 3

const REASONS = [
  'Family function on the same day',
  'Exam dates were moved',
  'Travelling for work that week',
  'Bought one too many by mistake',
  'પરિવારમાં લગ્ન છે',
  'Not well, doctor advised rest',
  'Friends are going on another day',
]

export interface Sale {
  at: number
  buyer: Person
  quantity: number
  tickets: Ticket[]
}
export interface Seat {
  sale: Sale
  index: number
}
export interface SalesPlan {
  standing: Seat[]
  cancelled: Seat[]
  deleted: Seat[]
}
interface SalesPlanOptions {
  stage: Stage
  random: Random
  history: History
  now: Date
  people: readonly Person[]
  tickets: number
}

export const getSeatTicket = ({ sale, index }: Seat): Ticket => {
  const ticket = sale.tickets[index]
  if (!ticket) throw new Error('This ticket is not sold yet')
  return ticket
}

/** Plans sign-ups, purchases, cancellations, refunds and deletions that leave exactly `tickets` tickets. */
export function planSales(planning: SalesPlanOptions): SalesPlan {
  const sales = makeSales(planning)
  planSignUps(planning, sales)
  planPurchases(planning, sales)
  const seats = sales.flatMap((sale) => Array.from({ length: sale.quantity }, (_, index) => ({ sale, index })))
  const cancelled = planCancellations(planning, seats)
  const left = seats.filter((seat) => !cancelled.has(seat))
  const deletedAt = planning.now.getTime() - 3 * DAY_MS
  const deleted = new Set(left.filter(({ sale }) => sale.at < deletedAt).slice(0, DELETED))
  for (const seat of deleted)
    planning.stage.timeline.add(deletedAt, async () =>
      deleteTicket(planning.stage.deps, {
        admin: await planning.stage.userOf('demo-admin'),
        id: getSeatTicket(seat).id,
      }),
    )
  return { standing: left.filter((seat) => !deleted.has(seat)), cancelled: [...cancelled], deleted: [...deleted] }
}

function makeSales({ random, history, people, tickets }: SalesPlanOptions): Sale[] {
  const buyers = people.filter(({ never }) => !never).slice(0, Math.floor(people.length * BUYERS))
  const sales: Sale[] = []
  for (let left = tickets + DELETED; left > 0; ) {
    const quantity = Math.min(left, history.quantity())
    const buyer = buyers[sales.length] ?? random.pick(buyers)
    sales.push({ at: history.saleAt().getTime(), buyer, quantity, tickets: [] })
    left -= quantity
  }
  return sales
}

function planSignUps({ stage, random, history, people }: SalesPlanOptions, sales: readonly Sale[]): void {
  const first = new Map<Person, number>()
  for (const { buyer, at } of sales) first.set(buyer, Math.min(at, first.get(buyer) ?? at))
  for (const person of people) {
    const bought = first.get(person)
    const at = bought === undefined ? history.saleAt().getTime() : bought - random.int(1, 40) * MINUTE_MS
    stage.timeline.add(at, () => stage.signUp(person))
  }
}

function planPurchases({ stage, random }: SalesPlanOptions, sales: readonly Sale[]): void {
  for (const sale of sales) {
    const idempotencyKey = random.uuid()
    stage.timeline.add(sale.at, async () => {
      const user = await stage.userOf(sale.buyer.uid)
      sale.tickets = (await sellTickets(stage.deps, { user, quantity: sale.quantity, idempotencyKey })).tickets
    })
  }
}

function planCancellations({ stage, random, now }: SalesPlanOptions, seats: readonly Seat[]): Set<Seat> {
  const until = now.getTime() - CANCELLED_UNTIL_MS
  const cancelled = seats.filter(({ sale }) => sale.at < until - DAY_MS && random.chance(CANCELLED))
  for (const seat of cancelled) {
    const at = random.int(seat.sale.at + 60 * MINUTE_MS, until)
    const reason = random.pick(REASONS)
    stage.timeline.add(at, async () =>
      cancelTicket(stage.deps, { user: await stage.userOf(seat.sale.buyer.uid), id: getSeatTicket(seat).id, reason }),
    )
    const isRefundDone = random.weighted([
      [true, 62],
      [false, 8],
      [null, 30],
    ] as const)
    const paidAt = at + random.int(1, 7) * DAY_MS + random.int(0, 300) * MINUTE_MS
    if (isRefundDone === null) continue
    stage.timeline.add(paidAt, async () =>
      recordRefund(stage.deps, { admin: await stage.userOf('demo-admin'), id: getSeatTicket(seat).id, isRefundDone }),
    )
  }
  return new Set(cancelled)
}

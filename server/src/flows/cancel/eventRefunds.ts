import type { EventRefunds, TicketSum } from '@garba/shared/contracts/eventState'
import { type OrderProvider, paysByLink } from '@garba/shared/contracts/names'
import { LEAST_REFUND_PAISE } from '@garba/shared/rules/cancellation'
import { toRupees } from '@garba/shared/rules/money'
import { orRefuse } from '../../refusal.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import { listEventMoney, type TicketMoney } from '../../store/eventMoney.ts'
import { type EventRow, findEvent } from '../../store/events.ts'
import type { Deps } from '../deps.ts'

type RefundGroup = 'done' | 'waiting' | 'failed' | 'byHand'

interface OwedMoney {
  people: number
  providers: { provider: OrderProvider; count: number; paise: number }[]
  byHand: { count: number; paise: number }
}

/** Whether a ticket's money goes back by itself: through the provider that took it. */
const goesByProvider = ({ provider, pricePaise }: TicketMoney): boolean =>
  provider !== null && paysByLink(provider) && pricePaise >= LEAST_REFUND_PAISE

const isOwed = ({ pricePaise, provider }: TicketMoney): boolean => pricePaise > 0 && provider !== 'complimentary'

/** What goes back for the valid tickets of an event if it is called off. */
export async function sumOwed(tx: ReadTx, { id }: Pick<EventRow, 'id'>): Promise<OwedMoney> {
  const valid = (await listEventMoney(tx, id)).filter(({ status }) => status !== 'cancelled')
  const byProvider = Map.groupBy(valid.filter(goesByProvider), ({ provider }) => provider)
  const byHand = valid.filter((ticket) => isOwed(ticket) && !goesByProvider(ticket))
  return {
    people: valid.length,
    providers: [...byProvider].flatMap(([provider, some]) =>
      provider === null ? [] : { provider, count: some.length, paise: sumPrices(some) },
    ),
    byHand: { count: byHand.length, paise: sumPrices(byHand) },
  }
}

const sumPrices = (some: readonly TicketMoney[]): number => some.reduce((sum, { pricePaise }) => sum + pricePaise, 0)

/** Guests of a moved event may have cancelled in full before it was called off. */
const wasEnded = ({ refundInFull, cancelledAt }: TicketMoney, since: Date): boolean =>
  refundInFull && cancelledAt !== null && cancelledAt >= since

/** A ticket counts as a whole: as failed if any part of its refund failed, and as done once all parts are. */
function findGroup(ticket: TicketMoney): RefundGroup {
  if (ticket.status !== 'cancelled') return goesByProvider(ticket) ? 'waiting' : 'byHand'
  if (ticket.isRefundDone === false) return 'failed'
  if (ticket.isRefundDone === true) return 'done'
  return ticket.refunds > 0 && goesByProvider(ticket) ? 'waiting' : 'byHand'
}

const LEFT_MAX = 500

/** How far the refunds of an event called off are. Tickets that guests cancelled before it was are not among them. */
export const readEventRefunds = ({ store }: Pick<Deps, 'store'>): Promise<EventRefunds> =>
  store.read(async (tx) => {
    const event = orRefuse(await findEvent(tx), 'EVENT_NOT_FOUND')
    const all = event.state === 'calledOff' ? await listEventMoney(tx, event.id) : []
    const since = event.stateAt ?? event.createdAt
    const due = all.filter((ticket) => isOwed(ticket) && (ticket.status !== 'cancelled' || wasEnded(ticket, since)))
    const groups = Map.groupBy(due, findGroup)
    const sumOf = (some: readonly TicketMoney[]): TicketSum => ({
      count: some.length,
      amount: toRupees(sumPrices(some)),
    })
    const sumOfGroup = (group: RefundGroup) => sumOf(groups.get(group) ?? [])
    const left = due.filter((ticket) => ['failed', 'byHand'].includes(findGroup(ticket))).slice(0, LEFT_MAX)
    return {
      total: sumOf(due),
      done: sumOfGroup('done'),
      waiting: sumOfGroup('waiting'),
      failed: sumOfGroup('failed'),
      byHand: sumOfGroup('byHand'),
      paused: event.refundsPaused,
      left: left.map((ticket) => ({
        ticketId: ticket.id,
        order: ticket.order,
        name: ticket.name,
        amount: toRupees(ticket.pricePaise),
        failed: findGroup(ticket) === 'failed',
      })),
    }
  })

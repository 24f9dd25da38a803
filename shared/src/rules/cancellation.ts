import { CANCELLATION_CUTOFF_DAYS, DEDUCTION_GATEWAY_RUPEES, DEDUCTION_PLATFORM_RUPEES } from '../constants.ts'
import type { EventState, TicketStatus } from '../contracts/names.ts'
import { daysUntil } from './event/calendar.ts'
import { toPaise } from './money.ts'
import { mayMove } from './ticketStatus.ts'

export type Cancellation =
  | { allowed: true; daysLeft: number; inFull: boolean }
  | { allowed: false; why: 'TICKET_NOT_ACTIVE' | 'CANCELLATION_WAITS' | 'CANCELLATION_CLOSED'; daysLeft: number }

interface CancellationFacts {
  status: TicketStatus
  timeZone: string
  now: Date
  event: {
    date: string
    state?: EventState | undefined
    /** Until this instant guests may cancel in full, because the event has moved. */
    freeCancelUntil?: Date | string | null | undefined
    undoUntil?: Date | string | null | undefined
  }
}

/**
 * Whether the owner may cancel a ticket now: it must be active, with at least 10 days left. An event that has moved or is
 * called off lets go of all its guests, but only once the organiser cannot take that back: a refund cannot be. (Spec:
 * Validation.)
 */
export function checkCancellation({ status, timeZone, now, event }: CancellationFacts): Cancellation {
  const { date: day, state, freeCancelUntil: freeUntil, undoUntil } = event
  const daysLeft = daysUntil({ day, timeZone, now })
  const calledOff = state === 'calledOff'
  if (!mayMove({ from: status, to: 'cancelled', by: 'owner' }))
    return { allowed: false, why: 'TICKET_NOT_ACTIVE', daysLeft }
  if ((calledOff || state === 'moved') && undoUntil && now < new Date(undoUntil))
    return { allowed: false, why: 'CANCELLATION_WAITS', daysLeft }
  if (calledOff || (freeUntil && now < new Date(freeUntil))) return { allowed: true, daysLeft, inFull: true }
  if (daysLeft < CANCELLATION_CUTOFF_DAYS) return { allowed: false, why: 'CANCELLATION_CLOSED', daysLeft }
  return { allowed: true, daysLeft, inFull: false }
}

export interface Refund {
  gatewayPaise: number
  platformPaise: number
  refundPaise: number
}

/** No provider sends less than a rupee. */
export const LEAST_REFUND_PAISE = 100

/**
 * The refund of a ticket's price: minus 25 rupees for the gateway and 15 for the platform. Less than a rupee is nothing. The
 * deductions never exceed the price, so the three parts always add up to it.
 */
export function computeRefund(pricePaise: number): Refund {
  const gatewayPaise = Math.min(pricePaise, toPaise(DEDUCTION_GATEWAY_RUPEES))
  const restPaise = pricePaise - gatewayPaise
  const leftPaise = restPaise - toPaise(DEDUCTION_PLATFORM_RUPEES)
  const refundPaise = leftPaise < LEAST_REFUND_PAISE ? 0 : leftPaise
  return { gatewayPaise, platformPaise: restPaise - refundPaise, refundPaise }
}

export const refundOfCancelled = ({
  pricePaise,
  refundInFull,
}: {
  pricePaise: number
  refundInFull: boolean
}): Refund => (refundInFull ? fullRefund(pricePaise) : computeRefund(pricePaise))

/** The refund when the organiser changed the event: nothing is deducted. */
export const fullRefund = (refundPaise: number): Refund => ({ gatewayPaise: 0, platformPaise: 0, refundPaise })

export function refundFacts(paise: number): { isRefundDone: true | null; nothingToRefund: boolean } {
  return { isRefundDone: paise === 0 ? true : null, nothingToRefund: paise === 0 }
}

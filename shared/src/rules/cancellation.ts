import { CANCELLATION_CUTOFF_DAYS, DEDUCTION_GATEWAY_RUPEES, DEDUCTION_PLATFORM_RUPEES } from '../constants.ts'
import type { TicketStatus } from '../contracts/names.ts'
import { daysUntil } from './calendar.ts'
import { toPaise } from './money.ts'
import { mayMove } from './ticketStatus.ts'

export type Cancellation =
  | { allowed: true; daysLeft: number }
  | { allowed: false; why: 'TICKET_NOT_ACTIVE' | 'CANCELLATION_CLOSED'; daysLeft: number }

interface CancellationFacts {
  status: TicketStatus
  /** The event's day, in its time zone. */
  day: string
  timeZone: string
  now: Date
}

/** Whether the owner may cancel a ticket now: it must be active, with at least 10 days left. (Spec: Validation.) */
export function cancellationOf({ status, day, timeZone, now }: CancellationFacts): Cancellation {
  const daysLeft = daysUntil({ day, timeZone, now })
  if (!mayMove({ from: status, to: 'cancelled', by: 'owner' }))
    return { allowed: false, why: 'TICKET_NOT_ACTIVE', daysLeft }
  if (daysLeft < CANCELLATION_CUTOFF_DAYS) return { allowed: false, why: 'CANCELLATION_CLOSED', daysLeft }
  return { allowed: true, daysLeft }
}

export interface Refund {
  gatewayPaise: number
  platformPaise: number
  refundPaise: number
}

/**
 * The refund of a ticket's price: minus 25 rupees for the gateway and 15 for the platform, not below 0. The
 * deductions never exceed the price, so the three parts always add up to it.
 */
export function refundOf(pricePaise: number): Refund {
  const gatewayPaise = Math.min(pricePaise, toPaise(DEDUCTION_GATEWAY_RUPEES))
  const platformPaise = Math.min(pricePaise - gatewayPaise, toPaise(DEDUCTION_PLATFORM_RUPEES))
  return { gatewayPaise, platformPaise, refundPaise: pricePaise - gatewayPaise - platformPaise }
}

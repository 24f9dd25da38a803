import { CANCELLATION_CUTOFF_DAYS, REASON_MAX } from '../constants.ts'

const days = (n: number) => (n === 1 ? '1 day' : `${n} days`)

/** The words of cancelling (SPEC 5 and 9). */
export const CANCELLATION = {
  reasonRequired: 'Reason is required',
  reasonTooLong: `Reason must be at most ${REASON_MAX} characters`,
  allowed: (daysLeft: number) => `${days(daysLeft)} remaining until the event. You can cancel this ticket.`,
  /** Without days, or with the event behind us, the rule alone. */
  closed: (daysLeft?: number) =>
    `Tickets can only be cancelled at least ${CANCELLATION_CUTOFF_DAYS} days before the event.${
      daysLeft === undefined || daysLeft < 0 ? '' : ` Only ${days(daysLeft)} remaining until the event.`
    }`,
  notActive: 'Only an active ticket can be cancelled.',
  /** The reason on a ticket that an administrator cancelled. */
  byOrganiser: 'Cancelled by the organiser',
  refundTiming:
    'Refunds are processed within 5-7 business days to the original payment method, with a confirmation email.',
} as const

import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { REFUND_STATE } from '@garba/shared/rules/ticketStatus'
import type { StateTone } from '../../kit/Badge.tsx'
import type { GuestWords } from '../words.ts'

const REFUND_TONES = {
  Done: 'ok',
  Failed: 'bad',
  Pending: 'warn',
  'Nothing to refund': 'info',
} as const satisfies Record<string, StateTone>

export const isUnused = ({ status, isPast }: Pick<Ticket, 'status' | 'isPast'>): boolean =>
  isPast && status === 'active'

/** A cancelled ticket whose refund is settled looks like a used one: red is for what somebody still has to do. */
export const findTicketLook = ({
  status,
  isRefundDone,
  nothingToRefund,
}: Pick<Ticket, 'status' | 'isRefundDone' | 'nothingToRefund'>): TicketStatus =>
  status === 'cancelled' && (isRefundDone || nothingToRefund) ? 'used' : status

export function statusText(
  ticket: Pick<Ticket, 'status' | 'isPast' | 'isRefundDone' | 'nothingToRefund'>,
  words: GuestWords['ticket'],
): string {
  const { status } = ticket
  if (isUnused(ticket)) return words.past.over
  if (status === 'active') return words.ready
  if (status === 'used') return words.completed
  const state = REFUND_STATE(ticket)
  if (state === 'Nothing to refund') return words.refundState[state]
  return { Done: words.refundDone, Failed: words.refundFailed, Pending: words.refundPending }[state]
}

export function refundOfTicket(ticket: Ticket, words: GuestWords['ticket']): { tone: StateTone; word: string } {
  const state = REFUND_STATE(ticket)
  return { tone: REFUND_TONES[state], word: words.refundState[state] }
}

export type Counts = Readonly<Record<TicketStatus | 'total', number>>

export function countTicketsByStatus(tickets: readonly Ticket[]): Counts {
  const of = (status: TicketStatus) => tickets.filter((ticket) => ticket.status === status).length
  return { total: tickets.length, active: of('active'), used: of('used'), cancelled: of('cancelled') }
}

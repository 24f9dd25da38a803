import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { REFUND_STATE } from '@garba/shared/rules/ticketStatus'
import type { StateTone } from '../../kit/Badge.tsx'
import type { GuestWords } from '../words.ts'

const REFUND_TONES = { Done: 'ok', Failed: 'bad', Pending: 'warn' } as const satisfies Record<string, StateTone>

/** Whether the ticket's event is over and nobody came with it. */
export const isUnused = ({ status, isPast }: Pick<Ticket, 'status' | 'isPast'>): boolean =>
  isPast && status === 'active'

/** The text for a ticket's status. A cancelled one shows the state of its refund. */
export function statusText(
  ticket: Pick<Ticket, 'status' | 'isPast' | 'isRefundDone'>,
  words: GuestWords['ticket'],
): string {
  const { status, isRefundDone } = ticket
  if (isUnused(ticket)) return words.past.over
  if (status === 'active') return words.ready
  if (status === 'used') return words.completed
  return { Done: words.refundDone, Failed: words.refundFailed, Pending: words.refundPending }[
    REFUND_STATE(isRefundDone)
  ]
}

export function refundOfTicket(
  { isRefundDone }: Ticket,
  words: GuestWords['ticket'],
): { tone: StateTone; word: string } {
  const state = REFUND_STATE(isRefundDone)
  return { tone: REFUND_TONES[state], word: words.refundState[state] }
}

export type Counts = Readonly<Record<TicketStatus | 'total', number>>

export function countsOf(tickets: readonly Ticket[]): Counts {
  const of = (status: TicketStatus) => tickets.filter((ticket) => ticket.status === status).length
  return { total: tickets.length, active: of('active'), used: of('used'), cancelled: of('cancelled') }
}

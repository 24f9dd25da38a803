import type { TicketStatus } from '@garba/shared/contracts/names'
import type { ManagedTicket, Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { type QueryClient, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { toast } from 'sonner'
import { type AnswerOf, type BodyOf, callServer } from '../../platform/http/call.ts'
import { getErrorMessage, isFailure } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'
import { deleteLater } from '../frame/deletions.ts'
import { DESK } from '../texts/desk.ts'

const FIGURES = [KEYS.analytics, KEYS.ticketStats, KEYS.event, KEYS.evening]

interface TicketChange {
  id?: string
  ticketIds?: readonly string[]
  status?: TicketStatus
  isRefundDone?: boolean | null
}

const changeRow = (
  ticket: ManagedTicket,
  { id, ticketIds = [], status = ticket.status, isRefundDone = ticket.isRefundDone }: TicketChange,
): ManagedTicket => (ticket.id === id || ticketIds.includes(ticket.id) ? { ...ticket, status, isRefundDone } : ticket)

const eachRow = (client: QueryClient, change: (ticket: ManagedTicket) => ManagedTicket) =>
  client.setQueriesData<AnswerOf<'ticketManagement'>>(
    { queryKey: KEYS.tickets },
    (page) => page && { ...page, tickets: page.tickets.map(change) },
  )

/** Shows the changes under way before the server has answered. One that fails is no longer under way. */
export function useWithChanges(): (tickets: readonly ManagedTicket[]) => ManagedTicket[] {
  const underWay = useMutationState({
    filters: { mutationKey: KEYS.tickets, status: 'pending' },
    select: ({ state }) => state.variables as TicketChange,
  })
  return (tickets) => tickets.map((ticket) => underWay.reduce(changeRow, ticket))
}

const reread = (client: QueryClient) =>
  Promise.all([KEYS.tickets, ...FIGURES].map((queryKey) => client.invalidateQueries({ queryKey })))

export interface UsedTicketsQuestion {
  used: number
  confirm: () => void
}

const usedIn = (error: unknown): number | null => {
  if (!isFailure(error) || error.code !== 'TICKET_USED') return null
  const { tickets = [] } = error.body as { tickets?: unknown[] }
  return tickets.length
}

interface Change<V, A> {
  send: (values: V) => Promise<A>
  /** A toast; null where the page shows the change. */
  done: string | ((answer: A) => string) | null
  failed: (reason: string) => string
  taken?: (answer: A, values: V) => { id: string; ticket: Ticket }
  onUsed?: (values: V, used: number) => void
}

function useChange<V extends TicketChange, A>({ send, done, failed, taken, onUsed }: Change<V, A>) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: KEYS.tickets,
    mutationFn: send,
    onSuccess: (answer, values) => {
      const change = taken?.(answer, values)
      eachRow(client, (row) => (change?.id === row.id ? { ...row, ...change.ticket } : changeRow(row, values)))
      if (done !== null) toast.success(typeof done === 'function' ? done(answer) : done)
    },
    onError: (error, values) => {
      const used = usedIn(error)
      if (onUsed && used !== null) onUsed(values, used)
      else toast.error(failed(getErrorMessage(error)))
    },
    onSettled: () => void reread(client),
  })
}

/** A change that is sent again after a lost answer must not undo an entry made meanwhile. */
const once = () => ({ 'Idempotency-Key': crypto.randomUUID() })

export type RefundMany = BodyOf<'bulkRefund'>

export function useTicketChanges({ onBulkDone }: { onBulkDone: () => void }) {
  const client = useQueryClient()
  const [question, setQuestion] = useState<UsedTicketsQuestion | null>(null)
  const setStatus = useChange({
    send: ({ id, ...body }: { id: string; status: TicketStatus; includeUsed?: true }) =>
      callServer('setTicketStatus', { params: { id }, body, headers: once() }),
    done: SUCCESS_TOASTS.statusUpdated,
    failed: FAILURE_TOASTS.updateStatus,
    onUsed: (values, used) => setQuestion({ used, confirm: () => setStatus.mutate({ ...values, includeUsed: true }) }),
  })
  const setRefund = useChange({
    send: ({ id, isRefundDone }: { id: string; isRefundDone: boolean | null }) =>
      callServer('refund', { params: { id }, body: { isRefundDone } }),
    done: DESK.tickets.refundSaved,
    failed: FAILURE_TOASTS.updateStatus,
  })
  const remove = ({ id }: Ticket, press: MouseEvent) =>
    deleteLater(
      {
        id,
        deleting: DESK.tickets.deleting(shortenTicketId(id)),
        call: 'deleteTicket',
        done: SUCCESS_TOASTS.ticketDeleted,
        failed: FAILURE_TOASTS.deleteTicket,
        reread: () => reread(client),
      },
      press,
    )
  const bulk = useChange({
    send: (body: { ticketIds: string[]; status: TicketStatus; includeUsed?: true }) =>
      callServer('bulkUpdate', { body, headers: once() }),
    done: ({ updated }) => SUCCESS_TOASTS.ticketsUpdated(updated),
    failed: FAILURE_TOASTS.updateTickets,
    onUsed: (values, used) =>
      setQuestion({ used, confirm: () => bulk.mutate({ ...values, includeUsed: true }, { onSuccess: onBulkDone }) }),
  })
  const refundMany = useChange({
    send: (body: RefundMany) => callServer('bulkRefund', { body }),
    done: ({ updated }) => DESK.tickets.refundDialog.saved(updated),
    failed: DESK.tickets.refundDialog.failed,
  })
  const newCode = useChange({
    send: ({ id, key }: { id: string; key: string }) =>
      callServer('newCode', { params: { id }, headers: { 'Idempotency-Key': key } }),
    taken: ({ ticket }, { id }) => ({ id, ticket }),
    // The new code itself is shown.
    done: null,
    failed: DESK.tickets.newCode.failed,
  })
  return { setStatus, setRefund, newCode, remove, bulk, refundMany, question, closeQuestion: () => setQuestion(null) }
}

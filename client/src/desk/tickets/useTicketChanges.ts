import type { TicketStatus } from '@garba/shared/contracts/names'
import type { ManagedTicket, Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { toast } from 'sonner'
import { type AnswerOf, call } from '../../platform/http/call.ts'
import { isFailure, messageOf } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'
import { deleteLater } from '../frame/deletions.ts'
import { DESK } from '../texts/desk.ts'

/** Queries whose figures a changed ticket makes stale. */
const FIGURES = [KEYS.analytics, KEYS.ticketStats, KEYS.event, KEYS.evening]

interface OptimisticChange {
  ids: readonly string[]
  looks: Partial<Ticket>
}

/** For each change under way, oldest first: its rows as they were before it. */
const underWay = new Set<Map<string, ManagedTicket>>()

/**
 * Shows a change before the server has answered; returns a function that ends it, and undoes it if it was not made. Only the
 * changed rows are touched: the server decides afterwards which rows belong to the page, and another change may be under way.
 */
async function showAtOnce(client: QueryClient, { ids, looks }: OptimisticChange): Promise<(made: boolean) => void> {
  await client.cancelQueries({ queryKey: KEYS.tickets })
  const changed = new Set(ids)
  const before = new Map<string, ManagedTicket>()
  const eachRow = (change: (ticket: ManagedTicket) => ManagedTicket) =>
    client.setQueriesData<AnswerOf<'ticketManagement'>>(
      { queryKey: KEYS.tickets },
      (page) => page && { ...page, tickets: page.tickets.map((row) => (changed.has(row.id) ? change(row) : row)) },
    )
  eachRow((ticket) => {
    before.set(ticket.id, ticket)
    return { ...ticket, ...looks }
  })
  underWay.add(before)
  return (made) => {
    const all = [...underWay]
    const later = all.slice(all.indexOf(before) + 1)
    underWay.delete(before)
    if (made) return
    // A row that was changed again shows that change. Should it fail too, nothing is left of this one.
    for (const [id, row] of before) later.find((next) => next.has(id))?.set(id, row)
    eachRow((ticket) => (later.some((next) => next.has(ticket.id)) ? ticket : (before.get(ticket.id) ?? ticket)))
  }
}

const reread = (client: QueryClient) =>
  Promise.all([KEYS.tickets, ...FIGURES].map((queryKey) => client.invalidateQueries({ queryKey })))

/** A change that the server refuses until it is confirmed for used tickets too. */
export interface UsedTicketsQuestion {
  used: number
  /** Makes the change for them too. */
  confirm: () => void
}

const usedIn = (error: unknown): number | null => {
  if (!isFailure(error) || error.code !== 'TICKET_USED') return null
  const { tickets = [] } = error.body as { tickets?: unknown[] }
  return tickets.length
}

interface Change<V, A> {
  send: (values: V) => Promise<A>
  /** Which rows change and what they become; absent when only the server knows. */
  shown?: (values: V) => OptimisticChange
  done: string | ((answer: A) => string)
  failed: (reason: string) => string
  /** Asks before used tickets are cancelled, instead of only saying that they were not. */
  onUsed?: (values: V, used: number) => void
}

function useChange<V, A>({ send, shown, done, failed, onUsed }: Change<V, A>) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: KEYS.tickets,
    mutationFn: send,
    onMutate: (values) => (shown ? showAtOnce(client, shown(values)) : undefined),
    onSuccess: (answer, _values, end) => {
      end?.(true)
      toast.success(typeof done === 'function' ? done(answer) : done)
    },
    onError: (error, values, end) => {
      end?.(false)
      const used = usedIn(error)
      if (onUsed && used !== null) onUsed(values, used)
      else toast.error(failed(messageOf(error)))
    },
    onSettled: () => {
      // Rereading between two changes would undo the second one on screen until its answer comes.
      if (client.isMutating({ mutationKey: KEYS.tickets }) > 1) return
      void reread(client)
    },
  })
}

/** A change that is sent again after a lost answer must not undo an entry made meanwhile. */
const once = () => ({ 'Idempotency-Key': crypto.randomUUID() })

export interface RefundMany {
  ticketIds: string[]
  isRefundDone: boolean | null
  reason?: string
}

/** An admin's changes to tickets: shown at once, undone when the server refuses. */
export function useTicketChanges({ onBulkDone }: { onBulkDone: () => void }) {
  const client = useQueryClient()
  const [question, setQuestion] = useState<UsedTicketsQuestion | null>(null)
  const setStatus = useChange({
    send: ({ id, ...body }: { id: string; status: TicketStatus; includeUsed?: true }) =>
      call('setTicketStatus', { params: { id }, body, headers: once() }),
    shown: ({ id, status }) => ({ ids: [id], looks: { status } }),
    done: SUCCESS_TOASTS.statusUpdated,
    failed: FAILURE_TOASTS.updateStatus,
    onUsed: (values, used) => setQuestion({ used, confirm: () => setStatus.mutate({ ...values, includeUsed: true }) }),
  })
  const setRefund = useChange({
    send: ({ id, isRefundDone }: { id: string; isRefundDone: boolean | null }) =>
      call('refund', { params: { id }, body: { isRefundDone } }),
    shown: ({ id, isRefundDone }) => ({ ids: [id], looks: { isRefundDone } }),
    done: DESK.tickets.refundSaved,
    failed: FAILURE_TOASTS.updateStatus,
  })
  const remove = ({ id }: Ticket, press: MouseEvent) =>
    deleteLater(
      {
        id,
        deleting: DESK.tickets.deleting(last8(id)),
        call: 'deleteTicket',
        done: SUCCESS_TOASTS.ticketDeleted,
        failed: FAILURE_TOASTS.deleteTicket,
        reread: () => reread(client),
      },
      press,
    )
  const bulk = useChange({
    send: (body: { ticketIds: string[]; status: TicketStatus; includeUsed?: true }) =>
      call('bulkUpdate', { body, headers: once() }),
    shown: ({ ticketIds, status }) => ({ ids: ticketIds, looks: { status } }),
    done: ({ updated }) => SUCCESS_TOASTS.ticketsUpdated(updated),
    failed: FAILURE_TOASTS.updateTickets,
    onUsed: (values, used) =>
      setQuestion({ used, confirm: () => bulk.mutate({ ...values, includeUsed: true }, { onSuccess: onBulkDone }) }),
  })
  const refundMany = useChange({
    send: (body: RefundMany) => call('bulkRefund', { body }),
    shown: ({ ticketIds, isRefundDone }) => ({ ids: ticketIds, looks: { isRefundDone } }),
    done: ({ updated }) => DESK.tickets.refundDialog.saved(updated),
    failed: DESK.tickets.refundDialog.failed,
  })
  const newCode = useChange({
    send: ({ id, key }: { id: string; key: string }) =>
      call('newCode', { params: { id }, headers: { 'Idempotency-Key': key } }),
    done: DESK.tickets.newCode.done,
    failed: DESK.tickets.newCode.failed,
  })
  return { setStatus, setRefund, newCode, remove, bulk, refundMany, question, closeQuestion: () => setQuestion(null) }
}

import type { TicketStatus } from '@garba/shared/contracts/names'
import type { ManagedTicket, Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { toast } from 'sonner'
import { type AnswerOf, type BodyOf, callServer } from '../../platform/http/call.ts'
import { getErrorMessage, isFailure } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'
import { deleteLater } from '../frame/deletions.ts'
import { DESK } from '../texts/desk.ts'

const FIGURES = [KEYS.analytics, KEYS.ticketStats, KEYS.event, KEYS.evening]

interface OptimisticChange {
  ids: readonly string[]
  looks: Partial<Ticket>
}

const eachRow = (client: QueryClient, change: (ticket: ManagedTicket) => ManagedTicket) =>
  client.setQueriesData<AnswerOf<'ticketManagement'>>(
    { queryKey: KEYS.tickets },
    (page) => page && { ...page, tickets: page.tickets.map(change) },
  )

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
  const eachChanged = (change: (ticket: ManagedTicket) => ManagedTicket) =>
    eachRow(client, (row) => (changed.has(row.id) ? change(row) : row))
  eachChanged((ticket) => {
    before.set(ticket.id, ticket)
    return { ...ticket, ...looks }
  })
  underWay.add(before)
  return (made) => {
    const all = [...underWay]
    const later = all.slice(all.indexOf(before) + 1)
    underWay.delete(before)
    if (made) return
    // A row changed again shows the later change. Should that fail too, nothing is left of this change.
    for (const [id, row] of before) later.find((next) => next.has(id))?.set(id, row)
    eachChanged((ticket) => (later.some((next) => next.has(ticket.id)) ? ticket : (before.get(ticket.id) ?? ticket)))
  }
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
  /** Which rows change and what they become; absent when only the server knows. */
  shown?: (values: V) => OptimisticChange
  /** A toast; null where the page shows the change. */
  done: string | ((answer: A) => string) | null
  failed: (reason: string) => string
  taken?: (answer: A, values: V) => { id: string; ticket: Ticket }
  onUsed?: (values: V, used: number) => void
}

function useChange<V, A>({ send, shown, done, failed, taken, onUsed }: Change<V, A>) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: KEYS.tickets,
    mutationFn: send,
    onMutate: (values) => (shown ? showAtOnce(client, shown(values)) : undefined),
    onSuccess: (answer, values, end) => {
      end?.(true)
      if (taken) {
        const { id, ticket } = taken(answer, values)
        eachRow(client, (row) => (row.id === id ? { ...row, ...ticket } : row))
      }
      if (done !== null) toast.success(typeof done === 'function' ? done(answer) : done)
    },
    onError: (error, values, end) => {
      end?.(false)
      const used = usedIn(error)
      if (onUsed && used !== null) onUsed(values, used)
      else toast.error(failed(getErrorMessage(error)))
    },
    onSettled: () => {
      // Rereading between two changes would undo the second change on screen until its answer comes.
      if (client.isMutating({ mutationKey: KEYS.tickets }) > 1) return
      void reread(client)
    },
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
    shown: ({ id, status }) => ({ ids: [id], looks: { status } }),
    done: SUCCESS_TOASTS.statusUpdated,
    failed: FAILURE_TOASTS.updateStatus,
    onUsed: (values, used) => setQuestion({ used, confirm: () => setStatus.mutate({ ...values, includeUsed: true }) }),
  })
  const setRefund = useChange({
    send: ({ id, isRefundDone }: { id: string; isRefundDone: boolean | null }) =>
      callServer('refund', { params: { id }, body: { isRefundDone } }),
    shown: ({ id, isRefundDone }) => ({ ids: [id], looks: { isRefundDone } }),
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
    shown: ({ ticketIds, status }) => ({ ids: ticketIds, looks: { status } }),
    done: ({ updated }) => SUCCESS_TOASTS.ticketsUpdated(updated),
    failed: FAILURE_TOASTS.updateTickets,
    onUsed: (values, used) =>
      setQuestion({ used, confirm: () => bulk.mutate({ ...values, includeUsed: true }, { onSuccess: onBulkDone }) }),
  })
  const refundMany = useChange({
    send: (body: RefundMany) => callServer('bulkRefund', { body }),
    shown: ({ ticketIds, isRefundDone }) => ({ ids: ticketIds, looks: { isRefundDone } }),
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

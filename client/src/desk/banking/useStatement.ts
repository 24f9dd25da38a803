import { STATEMENT } from '@garba/shared/messages/statement'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { type BodyOf, call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'

/** Queries whose rows or figures confirmed payments make stale. */
const STALE = [KEYS.orders, KEYS.tickets, KEYS.analytics, KEYS.ticketStats, KEYS.event, KEYS.evening, KEYS.money]
/** A long list of payments is confirmed one after another. */
const PATIENCE_MS = 120_000

/** Reads a statement's columns, keeps its credits, and confirms what they paid. */
export function useStatement() {
  const client = useQueryClient()
  const show = (lines: unknown) => client.setQueryData(KEYS.statement, { success: true, lines })
  const failed = (error: Error) => toast.error(messageOf(error))
  const read = useMutation({ mutationFn: (csv: string) => call('readStatement', { body: { csv } }), onError: failed })
  const add = useMutation({
    mutationFn: (body: BodyOf<'importStatement'>) => call('importStatement', { body }),
    onSuccess: ({ lines, ...counts }) => {
      show(lines)
      toast.success(STATEMENT.imported(counts))
    },
    onError: failed,
  })
  const confirm = useMutation({
    mutationFn: (lines: string[]) => call('confirmStatement', { body: { lines }, timeoutMs: PATIENCE_MS }),
    onSuccess: ({ confirmed, left, lines }) => {
      show(lines)
      if (confirmed > 0) toast.success(STATEMENT.confirmed(confirmed))
      if (left.length > 0) toast.error(STATEMENT.left(left.length))
    },
    onError: failed,
    onSettled: () => void Promise.all(STALE.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  const aside = useMutation({
    mutationFn: ({ id, note }: { id: string; note: string | null }) =>
      call('setLineAside', { params: { id }, body: { aside: note } }),
    onSuccess: ({ lines }, { note }) => {
      show(lines)
      toast.success(note === null ? STATEMENT.aside.broughtBack : STATEMENT.aside.done)
    },
    onError: failed,
  })
  return { read, add, confirm, aside }
}

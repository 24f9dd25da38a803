import { LOST } from '@garba/shared/messages/deskLost'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { type BodyOf, call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'

/** What the desk does with a lost ticket; tickets, orders and money change with it. */
export function useLostDecisions() {
  const client = useQueryClient()
  const after = {
    onError: (error: Error) => toast.error(LOST.decideFailed(messageOf(error))),
    onSettled: () => {
      for (const key of [KEYS.lostTickets, KEYS.tickets, KEYS.orders, KEYS.money])
        void client.invalidateQueries({ queryKey: key })
    },
  }
  const confirm = useMutation({
    mutationFn: ({ id, body }: { id: string; body: BodyOf<'confirmLost'> }) =>
      call('confirmLost', { params: { id }, body }),
    onSuccess: () => toast.success(LOST.confirmed),
    ...after,
  })
  const refuse = useMutation({
    mutationFn: ({ id, note }: { id: string; note: string }) => call('refuseLost', { params: { id }, body: { note } }),
    onSuccess: () => toast.success(LOST.refused),
    ...after,
  })
  return { confirm, refuse }
}

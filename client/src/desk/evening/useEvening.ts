import { type Evening, eveningSchema } from '@garba/shared/contracts/desk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type StreamState, stream } from '../../platform/http/stream.ts'
import { KEYS, queries } from '../../platform/queries.ts'

/** The evening as the server last reported it: read once, then followed live. `line` says whether the figures are still live. */
export function useEvening() {
  const client = useQueryClient()
  const [line, setLine] = useState<StreamState>('connecting')
  // A heartbeat means that nothing has changed: the figures are as current as the last message.
  const [receivedAt, setReceivedAt] = useState(0)
  const query = useQuery(queries.evening())
  useEffect(
    () =>
      stream('gateLive', {
        onState: (state) => {
          setLine(state)
          // The dashboard shows the reason, such as a removed role, from the answer of an ordinary call.
          if (state === 'refused') void client.invalidateQueries({ queryKey: KEYS.evening })
        },
        onMessage: ({ event, data }) => {
          setReceivedAt(Date.now())
          if (event !== 'gate') return
          const evening: Evening = eveningSchema.parse(JSON.parse(data))
          client.setQueryData(queries.evening().queryKey, { success: true as const, data: evening })
        },
      }),
    [client],
  )
  return { ...query, evening: query.data?.data ?? null, line, receivedAt: Math.max(receivedAt, query.dataUpdatedAt) }
}

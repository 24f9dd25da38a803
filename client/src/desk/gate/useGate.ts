import { type Gate, gateSchema } from '@garba/shared/contracts/desk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../platform/http/call.ts'
import { type StreamState, stream } from '../../platform/http/stream.ts'

const KEY = ['gate']

/** The gate as the server last told it: read once, then followed live. `line` says whether what is shown still moves. */
export function useGate() {
  const client = useQueryClient()
  const [line, setLine] = useState<StreamState>('connecting')
  // A heartbeat says that nothing has changed: the figures are as old as the last word of the server.
  const [heardAt, setHeardAt] = useState(0)
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call('gate', { signal }),
    staleTime: 0,
  })
  useEffect(
    () =>
      stream('gateLive', {
        onState: (state) => {
          setLine(state)
          // The reason is the dashboard's to hear: a role taken away, said by the ordinary call.
          if (state === 'refused') void client.invalidateQueries({ queryKey: KEY })
        },
        onMessage: ({ event, data }) => {
          setHeardAt(Date.now())
          if (event !== 'gate') return
          const gate: Gate = gateSchema.parse(JSON.parse(data))
          client.setQueryData(KEY, { success: true as const, data: gate })
        },
      }),
    [client],
  )
  return { ...query, gate: query.data?.data ?? null, line, heardAt: Math.max(heardAt, query.dataUpdatedAt) }
}

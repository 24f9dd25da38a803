import { type Evening, eveningSchema } from '@garba/shared/contracts/desk'
import { useCallback, useEffect, useState } from 'react'
import { call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { type StreamState, stream } from '../../platform/http/stream.ts'

/** The whole gate as a supervisor's phone sees it: read once, then followed live. */
export function useGate() {
  const [evening, setEvening] = useState<Evening | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [line, setLine] = useState<StreamState>('connecting')
  const read = useCallback(async () => {
    setFailure(null)
    try {
      setEvening((await call('gate', {})).data)
    } catch (error) {
      setFailure(messageOf(error))
    }
  }, [])
  useEffect(() => {
    void read()
    return stream('gateLive', {
      onState: setLine,
      onMessage({ event, data }) {
        if (event !== 'gate') return
        setEvening(eveningSchema.parse(JSON.parse(data)))
        setFailure(null)
      },
    })
  }, [read])
  return { evening, failure, line, read }
}

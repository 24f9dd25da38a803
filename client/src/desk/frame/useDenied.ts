import { type MutationCacheNotifyEvent, type QueryCacheNotifyEvent, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { isFailure } from '../../platform/http/failure.ts'

/** What the server answers when the role no longer reaches: of any call of the desk, and of a change of role. */
const isDenial = (error: unknown) =>
  isFailure(error) && (error.code === 'FORBIDDEN' || error.code === 'ROLES_ADMIN_ONLY')

/**
 * Whether the server has said that this account may not be here: a role taken away in mid-session shows at the next call,
 * while the session on this device still believes in it. `retry` forgets the refusal.
 */
export function useDenied(): { denied: boolean; retry: () => void } {
  const client = useQueryClient()
  const [denied, setDenied] = useState(false)
  useEffect(() => {
    const hear = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) => {
      if (event.type === 'updated' && event.action.type === 'error' && isDenial(event.action.error)) setDenied(true)
    }
    const stops = [client.getQueryCache().subscribe(hear), client.getMutationCache().subscribe(hear)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client])
  const retry = useCallback(() => setDenied(false), [])
  return { denied, retry }
}

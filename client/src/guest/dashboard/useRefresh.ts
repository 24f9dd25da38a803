import { useCallback, useState } from 'react'
import { toast } from 'sonner'
import type { GuestData } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { useWords } from '../words.ts'

/** A refresh that was asked for, and says how it went (SPEC 8). */
export function useRefresh({ refresh }: GuestData): { asking: boolean; ask: () => void } {
  const words = useWords()
  const [asking, setAsking] = useState(false)
  const ask = useCallback(() => {
    setAsking(true)
    refresh()
      .then(
        () => toast.success(words.toasts.refreshed),
        (error: unknown) => toast.error(words.toasts.loadData(failureText(error, words))),
      )
      .finally(() => setAsking(false))
  }, [refresh, words])
  return { asking, ask }
}

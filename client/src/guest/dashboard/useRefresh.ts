import { useCallback, useEffect, useState } from 'react'
import { toast } from 'sonner'
import type { GuestData } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { useWords } from '../words.ts'

/** By its sentence: a first load that fails while a refresh waits for it shows one toast, not two. */
const toastFailedLoad = (sentence: string) => toast.error(sentence, { id: sentence })

/** A refresh that was asked for, and says how it went; a first load that fails says so too (SPEC 8). */
export function useRefresh({ refresh, tickets, event }: GuestData): { asking: boolean; ask: () => void } {
  const words = useWords()
  const [asking, setAsking] = useState(false)
  const failed = [tickets, event].find((known) => known.at === 'failed' && known.error !== null)
  const sentence = failed?.at === 'failed' ? words.toasts.loadData(failureText(failed.error, words)) : null
  useEffect(() => {
    if (sentence !== null) toastFailedLoad(sentence)
  }, [sentence])
  const ask = useCallback(() => {
    setAsking(true)
    refresh()
      .then(
        () => toast.success(words.toasts.refreshed),
        (error: unknown) => toastFailedLoad(words.toasts.loadData(failureText(error, words))),
      )
      .finally(() => setAsking(false))
  }, [refresh, words])
  return { asking, ask }
}

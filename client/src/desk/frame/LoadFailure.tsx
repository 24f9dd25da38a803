import { useEffect } from 'react'
import { toast } from 'sonner'
import { ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { messageOf } from '../../platform/http/failure.ts'

/** A TanStack Query result, with the sentence for its failure. */
export interface Load {
  query: { data: unknown; error: Error | null; refetch: () => Promise<{ error: Error | null }> }
  failed: (reason: string) => string
}

/** The sentence is the toast's id: a first load that fails while Refresh waits for it shows one toast, not two. */
export const toastFailedLoad = (sentence: string) => toast.error(sentence, { id: sentence })

/** A failed load: the inline panel with Retry, and a toast too when there is nothing to show yet (SPEC 8). */
export const LoadFailure = ({ query: { data, error, refetch }, failed }: Load) => {
  const sentence = error ? failed(messageOf(error)) : null
  const first = data === undefined
  useEffect(() => {
    if (first && sentence !== null) toastFailedLoad(sentence)
  }, [first, sentence])
  return sentence === null ? null : <ErrorPanel onRetry={() => void refetch()}>{sentence}</ErrorPanel>
}

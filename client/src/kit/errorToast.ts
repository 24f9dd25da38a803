import { useSyncExternalStore } from 'react'
import { toast } from 'sonner'

const standing = new Set<string>()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function note(sentence: string, isThere: boolean): void {
  if (isThere) standing.add(sentence)
  else standing.delete(sentence)
  for (const listener of listeners) listener()
}

/** Shows a failure as a toast. The sentence is its id: a failure that is told twice shows one toast, not two. */
export function toastError(sentence: string): void {
  const gone = () => note(sentence, false)
  toast.error(sentence, { id: sentence, onAutoClose: gone, onDismiss: gone })
  note(sentence, true)
}

/** Whether a toast says this now. What stands in the page says it once the toast is gone. */
export const useIsToasted = (sentence: string | null): boolean =>
  useSyncExternalStore(subscribe, () => sentence !== null && standing.has(sentence))

import { useEffect } from 'react'

/** The event of the document by which the app says that presses reach it now; boot.ts waits for it. */
export const APP_READY = 'garba:ready'

export function useReady(): void {
  useEffect(() => void document.dispatchEvent(new Event(APP_READY)), [])
}

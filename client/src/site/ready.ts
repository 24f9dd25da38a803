import { useEffect } from 'react'

/** The document event that says that presses now reach the app; boot.ts waits for it. */
export const APP_READY = 'garba:ready'

export function useReady(): void {
  useEffect(() => void document.dispatchEvent(new Event(APP_READY)), [])
}

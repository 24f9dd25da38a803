import { useEffect, useEffectEvent } from 'react'

interface BackOptions {
  open: boolean
  /** A request is running: Back does not close it. */
  busy: boolean
  close: () => void
}

const dialogNow = (): string | undefined => (history.state as { dialog?: string } | null)?.dialog

/** Whether the newest entry of the history belongs to an open dialog. Navigation then replaces it. */
export const isDialogEntry = (): boolean => dialogNow() !== undefined

/**
 * Back closes the dialog instead of leaving the page: while open, the dialog has its own entry in the history. The router sees
 * the same address with the same key, so nothing else on the page changes.
 */
export function useBackToClose({ open, busy, close }: BackOptions): void {
  const leave = useEffectEvent((stay: () => void) => (busy ? stay() : close()))
  useEffect(() => {
    if (!open) return
    const dialog = crypto.randomUUID()
    const enter = () => history.pushState({ ...history.state, dialog }, '')
    const onPop = () => {
      if (dialogNow() !== dialog) leave(enter)
    }
    enter()
    window.addEventListener('popstate', onPop)
    return () => {
      window.removeEventListener('popstate', onPop)
      if (dialogNow() === dialog) history.back()
    }
  }, [open])
}

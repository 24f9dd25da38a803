import { type ComponentProps, useEffect, useEffectEvent } from 'react'
import { Dialog } from '../kit/Dialog.tsx'
import { useWords } from './words.ts'

/** A dialog that Back closes instead of leaving the page. */
export const GuestDialog = (props: Omit<ComponentProps<typeof Dialog>, 'closeLabel'>) => {
  useBackToClose({ open: props.open, busy: props.busy ?? false, close: props.onClose })
  return <Dialog {...props} closeLabel={useWords().close} />
}

interface BackOptions {
  open: boolean
  /** A request is running: Back does not close it. */
  busy: boolean
  close: () => void
}

const dialogNow = (): string | undefined => (history.state as { dialog?: string } | null)?.dialog

/** Whether the newest entry of the history belongs to an open dialog. Navigation then replaces it. */
export const isDialogEntry = (): boolean => dialogNow() !== undefined

/** While open, the dialog has its own entry in the history. The router sees the same address with the same key, so nothing else changes. */
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
      // A page that is left together with its dialog replaces the entry: a step back would return to it.
      queueMicrotask(() => {
        if (dialogNow() === dialog) history.back()
      })
    }
  }, [open])
}

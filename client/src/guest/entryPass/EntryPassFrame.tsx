import type { Ticket } from '@garba/shared/contracts/ticket'
import { ChevronLeft, ChevronRight, Sun, X } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { IconButton } from '../../kit/IconButton.tsx'
import { useWords } from '../words.ts'
import styles from './EntryPassView.module.css'

/** The fields of a ticket that the gate's view shows; a link gives no others. */
export type PassTicket = Pick<
  Ticket,
  | '_id'
  | 'ticketId'
  | 'number'
  | 'user'
  | 'holderName'
  | 'eventName'
  | 'status'
  | 'qrCode'
  | 'isPast'
  | 'isRefundDone'
  | 'sent'
  | 'type'
>

export function openDialog(dialog: HTMLDialogElement): void {
  if (!dialog.open) dialog.showModal()
  // What had the focus may be replaced, and the keyboard would no longer scroll.
  dialog.focus()
}

export const EntryPassHead = ({ awake, onClose }: { awake: boolean; onClose: () => void }) => {
  const { entryPass: words, close } = useWords()
  const head = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const dialog = head.current?.closest('dialog')
    if (!dialog) return
    // Only in an open dialog can the strip scroll to its ticket, which it does next.
    openDialog(dialog)
    // In a small window the button that changes the view lies below it, and the next code would begin out of sight.
    dialog.scrollTo?.(0, 0)
  }, [])
  return (
    <header ref={head} className={styles.head}>
      <p className={styles.hint}>
        <Sun />
        {awake ? words.bright : words.brightOnly}
      </p>
      <IconButton label={close} icon={<X />} onClick={onClose} />
    </header>
  )
}

interface TurningProps {
  at: number
  of: number
  go: (to: number) => void
  children: string
}

export const Turning = ({ at, of, go, children }: TurningProps) => {
  const { entryPass: words } = useWords()
  return (
    <>
      <IconButton
        outlined
        label={words.previous}
        icon={<ChevronLeft />}
        aria-disabled={at === 0}
        className={styles.turn}
        onClick={() => go(at - 1)}
      />
      <p className={styles.count} aria-live="polite">
        {children}
      </p>
      <IconButton
        outlined
        label={words.next}
        icon={<ChevronRight />}
        aria-disabled={at === of - 1}
        className={styles.turn}
        onClick={() => go(at + 1)}
      />
    </>
  )
}

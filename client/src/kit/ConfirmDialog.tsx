import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import { Button, type ButtonTone } from './Button.tsx'
import styles from './ConfirmDialog.module.css'
import { cx } from './cx.ts'
import frame from './Dialog.module.css'
import { useSurface } from './Surface.tsx'

interface ConfirmDialogProps {
  open: boolean
  title: ReactNode
  /** A sentence about the consequence. */
  children?: ReactNode
  confirmLabel: string
  cancelLabel: string
  tone?: Extract<ButtonTone, 'primary' | 'danger'>
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks a question. Only the two buttons and Esc, which means no, close it; the focus starts on no. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { open, title, children, tone = 'primary', busy = false, onConfirm, onCancel } = props
  const surface = useSurface()
  const no = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onCancel()
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={frame.backdrop} data-surface={surface} />
        <AlertDialog.Viewport className={frame.viewport}>
          <AlertDialog.Popup className={cx(frame.popup, frame.sm)} data-surface={surface} initialFocus={no}>
            <div className={styles.body}>
              <AlertDialog.Title className={frame.title}>{title}</AlertDialog.Title>
              <AlertDialog.Description render={<div />} className={styles.text}>
                {children}
              </AlertDialog.Description>
            </div>
            <footer className={frame.foot}>
              <Button tone={tone} busy={busy} onClick={onConfirm}>
                {props.confirmLabel}
              </Button>
              <Button ref={no} disabled={busy} onClick={onCancel}>
                {props.cancelLabel}
              </Button>
            </footer>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

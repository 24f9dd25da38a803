import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { toast } from 'sonner'
import { Button, type ButtonTone } from './Button.tsx'
import { cx } from './cx.ts'
import styles from './Dialog.module.css'
import { IconButton } from './IconButton.tsx'
import { useSurface } from './Surface.tsx'
import { useBackCloses } from './useBackCloses.ts'

interface DialogProps {
  open: boolean
  /** Called by Esc, the cross or a press outside, but not while busy. */
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  step?: { at: number; of: number; label: string }
  /** The buttons, always in view. The first in the source is the last in the row, within reach of the thumb. */
  footer?: ReactNode
  busy?: boolean
  dismissOutside?: boolean
  size?: 'sm' | 'md' | 'full'
  /** Gets the focus on opening; by default the first control. */
  initialFocus?: RefObject<HTMLElement | null> | 'title'
  /** The element that gets the focus on closing: null for where it was before, false for none, because `onClosed` moves it. */
  finalFocus?: () => HTMLElement | null | false
  onClosed?: (() => void) | undefined
  closeLabel?: string
  children: ReactNode
}

const Steps = ({ at, of, label }: { at: number; of: number; label: string }) => (
  <p className={styles.steps}>
    {Array.from({ length: of }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the dots never change order
      <span key={index} className={cx(styles.hole, index < at && styles.lit)} aria-hidden="true" />
    ))}
    <span>{label}</span>
  </p>
)

/** Success toasts from before a dialog opened would cover its cross. Failures stay, and so do toasts with an action. */
function dismissOldNews(): void {
  for (const one of toast.getToasts())
    if ('type' in one && one.type === 'success' && one.action === undefined) toast.dismiss(one.id)
}

export const Dialog = (props: DialogProps) => {
  const { open, onClose, title, description, step, footer, busy = false, children } = props
  const surface = useSurface()
  const titleRef = useRef<HTMLHeadingElement>(null)
  const { initialFocus, finalFocus } = props
  useBackCloses(open, onClose, busy)
  useEffect(() => {
    if (open) dismissOldNews()
  }, [open])
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onClose()
      }}
      onOpenChangeComplete={(shown) => {
        if (!shown) props.onClosed?.()
      }}
      disablePointerDismissal={busy || props.dismissOutside === false}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} {...surface} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            className={cx(styles.popup, styles[props.size ?? 'md'])}
            {...surface}
            aria-busy={busy || undefined}
            {...(initialFocus ? { initialFocus: initialFocus === 'title' ? titleRef : initialFocus } : {})}
            {...(finalFocus ? { finalFocus: () => finalFocus() ?? true } : {})}
          >
            <header className={styles.head}>
              {step === undefined ? null : <Steps {...step} />}
              <Base.Title ref={titleRef} tabIndex={-1} className={styles.title}>
                {title}
              </Base.Title>
              {description === undefined ? null : (
                <Base.Description className={styles.description}>{description}</Base.Description>
              )}
            </header>
            <div className={styles.body}>{children}</div>
            {footer === undefined ? null : (
              <footer className={cx(styles.foot, step !== undefined && step.at > 1 && styles.settling)}>
                {footer}
              </footer>
            )}
            {/* Last, so that the focus starts in the dialog's own content. */}
            <Base.Close
              disabled={busy}
              className={styles.close}
              render={<IconButton label={props.closeLabel ?? 'Close'} icon={<X />} />}
            />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

interface ConfirmDialogProps {
  open: boolean
  title: ReactNode
  children?: ReactNode
  confirmLabel: string
  cancelLabel: string
  tone?: Extract<ButtonTone, 'primary' | 'danger'>
  busy?: boolean
  disabled?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks a question. Only the two buttons and Esc, which means no, close it; the focus starts on no. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { open, title, children, tone = 'primary', busy = false, onConfirm, onCancel } = props
  const surface = useSurface()
  const no = useRef<HTMLButtonElement>(null)
  useBackCloses(open, onCancel, busy)
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onCancel()
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} {...surface} />
        <AlertDialog.Viewport className={styles.viewport}>
          <AlertDialog.Popup className={cx(styles.popup, styles.sm)} {...surface} initialFocus={no}>
            <div className={styles.question}>
              <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
              <AlertDialog.Description render={<div />} className={styles.consequence}>
                {children}
              </AlertDialog.Description>
            </div>
            <footer className={styles.foot}>
              <Button tone={tone} busy={busy} disabled={props.disabled} onClick={onConfirm}>
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

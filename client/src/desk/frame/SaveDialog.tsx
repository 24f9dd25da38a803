import type { ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import styles from './SaveDialog.module.css'

interface SaveDialogProps {
  words: { title: string; save: string; saving: string; cancel: string }
  /** Names what saving changes. */
  description: string
  /** The consequences of saving. */
  note: string
  busy: boolean
  disabled?: boolean
  onSave: () => void
  onClose: () => void
  children: ReactNode
}

/** A small dialog that changes one property of the selected rows. */
export const SaveDialog = ({
  words,
  description,
  note,
  busy,
  disabled,
  onSave,
  onClose,
  children,
}: SaveDialogProps) => (
  <Dialog
    open
    onClose={onClose}
    size="sm"
    title={words.title}
    description={description}
    busy={busy}
    footer={
      <>
        <Button tone="primary" busy={busy} disabled={disabled} onClick={onSave}>
          {busy ? words.saving : words.save}
        </Button>
        <Button disabled={busy} onClick={onClose}>
          {words.cancel}
        </Button>
      </>
    }
  >
    {children}
    <p className={styles.note}>{note}</p>
  </Dialog>
)

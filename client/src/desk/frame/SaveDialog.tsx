import { REASON_MAX } from '@garba/shared/constants'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { countCharacters, TextArea } from '../../kit/Field.tsx'
import { DESK } from '../texts/desk.ts'
import styles from './SaveDialog.module.css'

interface SaveDialogProps {
  words: { title: string; save: string; saving: string; cancel: string }
  description: string
  note: string
  busy: boolean
  tone?: 'primary' | 'danger'
  /** Says beside the disabled button what is still missing; null or absent when it can be saved. */
  missing?: string | null
  done?: string | undefined
  onSave: () => void
  onClose: () => void
  children: ReactNode
}

export const SaveDialog = ({
  words,
  description,
  note,
  busy,
  tone = 'primary',
  missing = null,
  done,
  onSave,
  onClose,
  children,
}: SaveDialogProps) => {
  const missingId = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title={words.title}
      description={description}
      busy={busy}
      dismissOutside={false}
      footer={
        <>
          {missing === null || missing === '' ? null : (
            <p id={missingId} className={styles.missing}>
              {missing}
            </p>
          )}
          {/* The same button, so that it keeps the focus. */}
          <Button
            tone={tone}
            busy={busy}
            disabled={missing !== null}
            aria-describedby={missing === null || missing === '' ? undefined : missingId}
            onClick={done === undefined ? onSave : onClose}
          >
            {done ?? (busy ? words.saving : words.save)}
          </Button>
          {done === undefined ? (
            <Button disabled={busy} onClick={onClose}>
              {words.cancel}
            </Button>
          ) : null}
        </>
      }
    >
      <fieldset disabled={busy} className={styles.fields}>
        {children}
      </fieldset>
      {done === undefined ? <p className={styles.note}>{note}</p> : null}
    </Dialog>
  )
}

interface NoteDialogProps extends Pick<ComponentProps<typeof SaveDialog>, 'description' | 'busy' | 'onClose'> {
  words: ComponentProps<typeof SaveDialog>['words'] & { happens: string; note: string; noteHint?: string }
  onSave: (note: string) => void
}

export const NoteDialog = ({ words, description, busy, onSave, onClose }: NoteDialogProps) => {
  const [note, setNote] = useState('')
  const text = note.trim()
  return (
    <SaveDialog
      words={words}
      description={description}
      note={words.happens}
      busy={busy}
      missing={
        text === '' ? DESK.missing.note : countCharacters(text) > REASON_MAX ? DESK.missing.shorter(REASON_MAX) : null
      }
      onSave={() => onSave(text)}
      onClose={onClose}
    >
      <TextArea label={words.note} hint={words.noteHint} rows={2} max={REASON_MAX} value={note} onType={setNote} />
    </SaveDialog>
  )
}

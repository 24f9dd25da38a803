import { REASON_MAX } from '@garba/shared/constants'
import { type ComponentProps, useState } from 'react'
import { TextArea } from '../../kit/Field.tsx'
import { SaveDialog } from './SaveDialog.tsx'

interface NoteDialogProps extends Pick<ComponentProps<typeof SaveDialog>, 'description' | 'busy' | 'onClose'> {
  words: ComponentProps<typeof SaveDialog>['words'] & { happens: string; note: string; noteHint?: string }
  onSave: (note: string) => void
}

/** A small dialog that asks for a note of at most REASON_MAX characters and cannot be saved without one. */
export const NoteDialog = ({ words, description, busy, onSave, onClose }: NoteDialogProps) => {
  const [note, setNote] = useState('')
  const text = note.trim()
  return (
    <SaveDialog
      words={words}
      description={description}
      note={words.happens}
      busy={busy}
      disabled={text === '' || text.length > REASON_MAX}
      onSave={() => onSave(text)}
      onClose={onClose}
    >
      <TextArea
        label={words.note}
        hint={words.noteHint}
        rows={2}
        max={REASON_MAX}
        value={note}
        disabled={busy}
        onChange={({ target }) => setNote(target.value)}
      />
    </SaveDialog>
  )
}

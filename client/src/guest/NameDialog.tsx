import { useMutation } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { countCharacters, TextField } from '../kit/Field.tsx'
import { failureText } from './failures.ts'
import { GuestDialog } from './GuestDialog.tsx'
import { useWords } from './words.ts'

interface NameDialogProps {
  open: boolean
  words: { title: string; text: string; field: string; hint?: string }
  name: string
  min: 0 | 1
  max: number
  save: (name: string) => Promise<void>
  onClose: () => void
}

export const NameDialog = ({ open, words, name, min, max, save, onClose }: NameDialogProps) => {
  const guestWords = useWords()
  const { holder } = guestWords
  const form = useId()
  const [text, setText] = useState(name)
  const typed = text.trim()
  // A second press may come before the first is rendered, or while the dialog closes.
  const sent = useRef(false)
  const saving = useMutation({
    mutationFn: () => save(typed),
    onError: () => {
      sent.current = false
    },
    onSuccess: onClose,
  })
  const tooLong = countCharacters(typed) > max
  const unfit = tooLong || typed.length < min
  const error = tooLong
    ? holder.tooLong(max)
    : unfit
      ? holder.missing
      : saving.error === null
        ? undefined
        : failureText(saving.error, guestWords)
  return (
    <GuestDialog
      open={open}
      onClose={onClose}
      size="sm"
      title={words.title}
      description={words.text}
      busy={saving.isPending}
      dismissOutside={false}
      footer={
        <Button tone="primary" type="submit" form={form} busy={saving.isPending} disabled={unfit}>
          {saving.isPending ? holder.saving : holder.save}
        </Button>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          if (unfit || sent.current) return
          sent.current = true
          saving.mutate()
        }}
      >
        <TextField
          label={words.field}
          hint={words.hint}
          error={error}
          value={text}
          autoComplete="off"
          disabled={saving.isPending}
          onChange={({ target }) => setText(target.value)}
        />
      </form>
    </GuestDialog>
  )
}

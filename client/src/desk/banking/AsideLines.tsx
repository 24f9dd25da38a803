import { REASON_MAX } from '@garba/shared/constants'
import type { StatementLine } from '@garba/shared/contracts/statement'
import { STATEMENT } from '@garba/shared/messages/statement'
import { formatRupees } from '@garba/shared/rules/money'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { useDates } from '../frame/dates.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import styles from './Banking.module.css'

const words = STATEMENT.aside

interface AsideLinesProps {
  lines: readonly StatementLine[]
  busy: boolean
  onBack: (id: string) => void
}

/** Credits that pay no order, with what they are. */
export const AsideLines = ({ lines, busy, onBack }: AsideLinesProps) => {
  const { dayOf, momentOf } = useDates()
  return (
    <Card title={words.list(lines.length)}>
      <ul className={styles.aside}>
        {lines.map(({ id, day, amount, text, aside }) => (
          <li key={id} className={styles.asideLine}>
            <div>
              <p>
                <strong>{formatRupees(amount)}</strong>, {dayOf(`${day}T12:00:00Z`)}: {aside?.note}
              </p>
              <p className={styles.second}>
                {[text, aside && words.by(aside.by, momentOf(aside.at))].filter(Boolean).join(' · ')}
              </p>
            </div>
            <Button
              size="sm"
              disabled={busy}
              aria-label={words.backOf(formatRupees(amount))}
              onClick={() => onBack(id)}
            >
              {words.back}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface AsideDialogProps {
  line: StatementLine
  busy: boolean
  onSave: (note: string) => void
  onClose: () => void
}

export const AsideDialog = ({ line, busy, onSave, onClose }: AsideDialogProps) => {
  const { dayOf } = useDates()
  const [note, setNote] = useState('')
  return (
    <SaveDialog
      words={words}
      description={words.intro(formatRupees(line.amount), dayOf(`${line.day}T12:00:00Z`))}
      note={words.keeps}
      busy={busy}
      disabled={note.trim() === ''}
      onSave={() => onSave(note.trim())}
      onClose={onClose}
    >
      <TextField
        label={words.note}
        hint={words.noteHint}
        value={note}
        maxLength={REASON_MAX}
        disabled={busy}
        onChange={({ target }) => setNote(target.value)}
      />
    </SaveDialog>
  )
}

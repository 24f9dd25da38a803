import { TextField } from '../../../kit/Field.tsx'
import { instantIn, useDates } from '../dates.ts'

interface MomentFieldProps {
  label: string
  value: string | null | undefined
  error?: string | undefined
  onChange: (value: string | null) => void
}

/** A day and time in the event's time zone; null while it is empty. */
export const MomentField = ({ label, value, error, onChange }: MomentFieldProps) => {
  const { timeZone, localOf } = useDates()
  return (
    <TextField
      label={label}
      type="datetime-local"
      value={value ? localOf(value) : ''}
      error={error}
      onType={(typed) => onChange(typed === '' ? null : instantIn(typed, timeZone))}
    />
  )
}

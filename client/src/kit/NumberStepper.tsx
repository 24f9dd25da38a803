import { NumberField } from '@base-ui/react/number-field'
import { Minus, Plus } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import field from './Field.module.css'
import styles from './NumberStepper.module.css'

interface NumberStepperProps {
  label: ReactNode
  value: number | null
  /** null while the field is empty. */
  onChange: (value: number | null) => void
  min?: number
  max?: number
  hint?: ReactNode
  error?: ReactNode
  disabled?: boolean
  /** Names of the two buttons. */
  lessLabel?: string
  moreLabel?: string
}

/** A whole number between two large buttons. Typing beyond the ends is held to them on leaving the field. */
export const NumberStepper = (props: NumberStepperProps) => {
  const { label, value, onChange, min = 1, max, hint, error, disabled = false } = props
  const id = useId()
  const below = error ?? hint
  return (
    <NumberField.Root
      id={id}
      className={field.field}
      value={value}
      onValueChange={(next) => onChange(next)}
      min={min}
      max={max}
      disabled={disabled}
      format={{ maximumFractionDigits: 0 }}
    >
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <NumberField.Group className={styles.group}>
        <NumberField.Decrement className={styles.step} aria-label={props.lessLabel ?? 'One less'}>
          <Minus aria-hidden="true" />
        </NumberField.Decrement>
        <NumberField.Input
          className={styles.input}
          aria-invalid={error ? true : undefined}
          aria-describedby={below ? `${id}-below` : undefined}
        />
        <NumberField.Increment className={styles.step} aria-label={props.moreLabel ?? 'One more'}>
          <Plus aria-hidden="true" />
        </NumberField.Increment>
      </NumberField.Group>
      {below ? (
        <p id={`${id}-below`} className={error ? field.error : field.hint} role={error ? 'alert' : undefined}>
          {below}
        </p>
      ) : null}
    </NumberField.Root>
  )
}

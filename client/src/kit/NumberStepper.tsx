import { Minus, Plus } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { Field, type FieldWords } from './Field.tsx'
import styles from './NumberStepper.module.css'

interface NumberStepperProps extends FieldWords {
  typed: string
  value: number | null
  onType: (typed: string) => void
  min?: number
  max: number
  inputRef?: RefObject<HTMLInputElement | null>
  lessLabel: string
  moreLabel: string
  quick?: readonly number[]
  /** One of several below each other: its buttons stand beside its name if both have room. */
  inRow?: boolean
}

/** A whole number between two large buttons, which stay within the bounds; typing may go beyond them. */
export const NumberStepper = (props: NumberStepperProps) => {
  const {
    typed,
    value,
    onType,
    min = 1,
    max,
    inputRef,
    lessLabel,
    moreLabel,
    quick = [],
    inRow = false,
    ...words
  } = props
  const step = (by: 1 | -1) => onType(String(value === null ? 1 : Math.min(max, Math.max(min, value + by))))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    step(event.key === 'ArrowUp' ? 1 : -1)
  }
  return (
    <Field
      {...words}
      className={inRow ? styles.row : undefined}
      control={({ className: _, ...wiring }) => (
        <div className={styles.both}>
          {quick.length === 0 ? null : (
            <div className={styles.group}>
              {quick
                .filter((number) => number <= max)
                .map((number) => (
                  <button
                    key={number}
                    type="button"
                    className={styles.tile}
                    aria-pressed={number === value}
                    onClick={() => onType(String(number))}
                  >
                    {number}
                  </button>
                ))}
            </div>
          )}
          <div className={styles.group}>
            <button
              type="button"
              className={styles.step}
              aria-label={lessLabel}
              disabled={value !== null && value <= min}
              onClick={() => step(-1)}
            >
              <Minus />
            </button>
            <input
              {...wiring}
              ref={inputRef}
              className={styles.input}
              type="text"
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => onType(target.value)}
              onKeyDown={onKeyDown}
            />
            <button
              type="button"
              className={styles.step}
              aria-label={moreLabel}
              disabled={value !== null && value >= max}
              onClick={() => step(1)}
            >
              <Plus />
            </button>
          </div>
        </div>
      )}
    />
  )
}

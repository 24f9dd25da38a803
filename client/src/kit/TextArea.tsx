import type { ComponentProps } from 'react'
import styles from './Field.module.css'
import { Field, type FieldWords } from './Field.tsx'

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className'>, FieldWords {
  /** Shows a counter n/max for `value`. More than max can be typed; the counter then shows it as too long. */
  max?: number
}

export const TextArea = ({ label, hint, error, max, rows = 4, ...rest }: TextAreaProps) => {
  const length = typeof rest.value === 'string' ? rest.value.length : 0
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      count={
        max === undefined ? undefined : (
          <span className={length > max ? styles.over : undefined}>
            {length}/{max}
          </span>
        )
      }
      control={(wiring) => <textarea rows={rows} {...rest} {...wiring} />}
    />
  )
}

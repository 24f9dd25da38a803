import type { ComponentProps } from 'react'
import { Field, type FieldWords } from './Field.tsx'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'>, FieldWords {
  hideLabel?: boolean
}

/** A single-line input with its label. Accepts react-hook-form's register(...). */
export const TextField = ({ label, hideLabel, hint, error, ...rest }: TextFieldProps) => (
  <Field
    label={label}
    hideLabel={hideLabel}
    hint={hint}
    error={error}
    control={(wiring) => <input type="text" {...rest} {...wiring} />}
  />
)

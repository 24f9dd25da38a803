import { Check, CircleX } from 'lucide-react'
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { cx } from './cx.ts'
import styles from './Field.module.css'

export interface FieldWords {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
}

interface FieldProps extends FieldWords {
  hideLabel?: boolean | undefined
  count?: ReactNode
  className?: string | undefined
  control: (wiring: {
    id: string
    className: string | undefined
    'aria-invalid': true | undefined
    'aria-describedby': string | undefined
  }) => ReactNode
}

export const Field = ({ label, hideLabel = false, hint, error, count, className, control }: FieldProps) => {
  const id = useId()
  const message = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  const described = [message, count ? `${id}-count` : undefined].filter(Boolean).join(' ')
  return (
    <div className={cx(styles.field, className)}>
      <label className={hideLabel ? 'spoken' : styles.label} htmlFor={id}>
        {label}
      </label>
      {control({
        id,
        className: styles.control,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      <div className={styles.below}>
        {error ? (
          <p className={styles.error} id={`${id}-error`} role="alert">
            <CircleX />
            <span>{error}</span>
          </p>
        ) : hint ? (
          <p className={styles.hint} id={`${id}-hint`}>
            {hint}
          </p>
        ) : null}
        {count ? (
          <p className={styles.count} id={`${id}-count`}>
            {count}
          </p>
        ) : null}
      </div>
    </div>
  )
}

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'>, FieldWords {
  hideLabel?: boolean
  onType?: (text: string) => void
}

export const TextField = ({ label, hideLabel, hint, error, onChange, onType, ...rest }: TextFieldProps) => (
  <Field
    label={label}
    hideLabel={hideLabel}
    hint={hint}
    error={error}
    control={(wiring) => (
      <input
        type="text"
        {...rest}
        {...wiring}
        onChange={(event) => {
          onChange?.(event)
          onType?.(event.target.value)
        }}
      />
    )}
  />
)

/** The ref of a form whose first wrong field gets the focus at each refusal; `errors` is a new map then, and null otherwise. */
export function useFirstWrong(errors: ReadonlyMap<string, string> | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (errors !== null && errors.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])
  return form
}

/** Characters as the contracts count them: an emoji is one character. */
export const countCharacters = (text: string): number => [...text].length

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className'>, FieldWords {
  /** Shows a counter n/max for `value`. More than max can be typed; the counter then shows it as too long. */
  max?: number
  onType?: (text: string) => void
}

export const TextArea = ({ label, hint, error, max, rows = 4, onType, ...rest }: TextAreaProps) => {
  const length = typeof rest.value === 'string' ? countCharacters(rest.value) : 0
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
      control={(wiring) => (
        <textarea rows={rows} onChange={({ target }) => onType?.(target.value)} {...rest} {...wiring} />
      )}
    />
  )
}

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  label: ReactNode
  hideLabel?: boolean
  onCheck?: (on: boolean) => void
}

interface ChoicesProps<T extends string> {
  options: readonly { value: T; label: ReactNode; name?: string }[]
  chosen: readonly T[]
  onChoose: (chosen: T[]) => void
  /** Once this many options are chosen, the others are disabled. */
  most?: number
}

/** A checkbox for each option; what is chosen keeps the options' order. `name` replaces a label for screen readers. */
export const Choices = <T extends string>({ options, chosen, onChoose, most = Infinity }: ChoicesProps<T>) =>
  options.map(({ value, label, name }) => (
    <Checkbox
      key={value}
      label={label}
      aria-label={name}
      checked={chosen.includes(value)}
      disabled={chosen.length >= most && !chosen.includes(value)}
      onCheck={(on) =>
        onChoose(options.map((one) => one.value).filter((one) => (one === value ? on : chosen.includes(one))))
      }
    />
  ))

export const Checkbox = ({ label, hideLabel, className, onCheck, ...rest }: CheckboxProps) => (
  <label className={cx(styles.line, hideLabel && styles.bare, className)}>
    <span className={styles.box}>
      <input type="checkbox" onChange={({ target }) => onCheck?.(target.checked)} {...rest} />
      <Check />
    </span>
    {hideLabel ? <span className="spoken">{label}</span> : <span className={styles.words}>{label}</span>}
  </label>
)

import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import styles from './Checkbox.module.css'
import { cx } from './cx.ts'
import { VisuallyHidden } from './VisuallyHidden.tsx'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  label: ReactNode
  /** Only for screen readers: in table rows. */
  hideLabel?: boolean
}

/** A native checkbox with our own look. Accepts react-hook-form's register(...). */
export const Checkbox = ({ label, hideLabel, className, ...rest }: CheckboxProps) => (
  <label className={cx(styles.line, hideLabel && styles.bare, className)}>
    <span className={styles.box}>
      <input type="checkbox" {...rest} />
      <Check aria-hidden="true" />
    </span>
    {hideLabel ? <VisuallyHidden>{label}</VisuallyHidden> : <span className={styles.words}>{label}</span>}
  </label>
)

import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './IconButton.module.css'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** The action in words, used as accessible name and tooltip. */
  label: string
  icon: ReactNode
  /** Draws a border. */
  outlined?: boolean
}

export const IconButton = ({ label, icon, outlined, className, ...rest }: IconButtonProps) => (
  <button
    type="button"
    title={label}
    {...rest}
    aria-label={label}
    className={cx(styles.button, outlined && styles.outlined, className)}
  >
    {icon}
  </button>
)

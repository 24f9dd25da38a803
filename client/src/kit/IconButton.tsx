import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './IconButton.module.css'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  label: string
  icon: ReactNode
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

import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import styles from './VisuallyHidden.module.css'

/** Read by screen readers, not drawn. */
export const VisuallyHidden = ({ className, ...rest }: ComponentProps<'span'>) => (
  <span className={cx(styles.hidden, className)} {...rest} />
)

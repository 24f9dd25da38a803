import type { ComponentProps } from 'react'
import styles from './VisuallyHidden.module.css'

/** Read by screen readers, not drawn. */
export const VisuallyHidden = (props: Omit<ComponentProps<'span'>, 'className'>) => (
  <span className={styles.hidden} {...props} />
)

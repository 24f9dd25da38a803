import type { ComponentProps, ReactNode } from 'react'
import styles from './Card.module.css'
import { cx } from './cx.ts'

interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode
  /** The heading's level on this page. */
  level?: 2 | 3 | 4
  /** At the right of the title. */
  actions?: ReactNode
  /** No inner padding: for tables and pictures. */
  flush?: boolean
}

export const Card = ({ title, level = 2, actions, flush, className, children, ...rest }: CardProps) => {
  const Heading = `h${level}` as const
  return (
    <section className={cx(styles.card, flush && styles.flush, className)} {...rest}>
      {title === undefined ? null : (
        <header className={styles.head}>
          <Heading className={styles.title}>{title}</Heading>
          {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}

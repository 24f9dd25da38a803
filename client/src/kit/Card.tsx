import type { ComponentProps, ReactNode } from 'react'
import styles from './Card.module.css'
import { cx } from './cx.ts'

interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title: ReactNode
  actions?: ReactNode
  flush?: boolean
}

export const EmptyCard = ({ title, children }: Pick<CardProps, 'title' | 'children'>) => (
  <Card title={title}>
    <p className="soft">{children}</p>
  </Card>
)

export const Fact = ({ label, children }: { label: string; children: ReactNode }) =>
  children === null || children === '' ? null : (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )

export const Card = ({ title, actions, flush, className, children, ...rest }: CardProps) => (
  <section className={cx(styles.card, flush && styles.flush, className)} {...rest}>
    <header className={styles.head}>
      <h2 className={styles.title}>{title}</h2>
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </header>
    {children}
  </section>
)

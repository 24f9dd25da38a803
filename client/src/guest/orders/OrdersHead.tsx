import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import styles from './OrdersHead.module.css'

interface OrdersHeadProps {
  back: { to: string; label: string }
  title: string
  /** Under the title. */
  children?: ReactNode
}

/** The top of the list of orders and of each order: the way back and the title. */
export const OrdersHead = ({ back, title, children }: OrdersHeadProps) => (
  <header className={styles.head}>
    <ButtonLink to={back.to} tone="ghost" size="sm" icon={<ArrowLeft aria-hidden="true" />}>
      {back.label}
    </ButtonLink>
    <h1 className={styles.title}>{title}</h1>
    {children}
  </header>
)

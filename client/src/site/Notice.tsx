import type { ReactNode } from 'react'
import { GarboRings } from '../kit/GarboRings.tsx'
import styles from './Notice.module.css'

interface NoticeProps {
  title: string
  detail?: string
  alert?: boolean
  /** What can be done. */
  children?: ReactNode
}

/** A whole screen with one message. */
export const Notice = ({ title, detail, alert = false, children }: NoticeProps) => (
  <section className={styles.notice} role={alert ? 'alert' : undefined}>
    <GarboRings className={styles.rings} still />
    <h1 className={styles.title}>{title}</h1>
    {detail === undefined ? null : <p className={styles.detail}>{detail}</p>}
    {children === undefined ? null : <div className={styles.actions}>{children}</div>}
  </section>
)

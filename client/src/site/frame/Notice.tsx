import type { ReactNode } from 'react'
import { GarboRings } from '../../kit/GarboRings.tsx'
import styles from './Notice.module.css'

interface NoticeProps {
  title: string
  detail?: string
  alert?: boolean
  /** The actions. */
  children?: ReactNode
}

/** A whole screen with one message, inside the ring. */
export const Notice = ({ title, detail, alert = false, children }: NoticeProps) => (
  <section className={styles.notice} role={alert ? 'alert' : undefined}>
    <div className={styles.stage}>
      <GarboRings className={styles.rings} still />
      <div className={styles.inside}>
        <h1 className={styles.title}>{title}</h1>
        {detail === undefined ? null : <p className={styles.detail}>{detail}</p>}
      </div>
    </div>
    {children === undefined ? null : <div className={styles.actions}>{children}</div>}
  </section>
)

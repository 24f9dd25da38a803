import { DESK } from '@garba/shared/messages/desk'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { usePageTitle } from '../../platform/page.ts'
import styles from './DeskFrame.module.css'
import { useDeskHome } from './deskHome.ts'
import { EventChooser } from './EventChooser.tsx'

interface DeskFrameProps {
  title: string
  /** The view is about one event, which can be chosen once one has been closed. */
  byEvent?: boolean
  /** What narrows the rows: search, filter, range. */
  filters?: ReactNode
  /** Buttons at the end of the title row: refresh, export. */
  actions?: ReactNode
  children: ReactNode
}

/** A sub-view of a dashboard: Back to Dashboard (SPEC 2), and one row with its heading, its filters and its actions. */
export const DeskFrame = ({ title, byEvent = false, filters, actions, children }: DeskFrameProps) => {
  const home = useDeskHome()
  usePageTitle(title)
  return (
    <section className={styles.view}>
      <header className={styles.head}>
        <div className={styles.title}>
          <Link to={home} className={styles.back}>
            <ArrowLeft aria-hidden="true" />
            <span>{DESK.backToDashboard}</span>
          </Link>
          <h1>{title}</h1>
        </div>
        {filters === undefined ? null : <div className={styles.filters}>{filters}</div>}
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </header>
      {byEvent ? <EventChooser /> : null}
      {children}
    </section>
  )
}

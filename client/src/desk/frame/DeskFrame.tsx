import { DESK } from '@garba/shared/messages/desk'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { usePageTitle } from '../../platform/page.ts'
import styles from './DeskFrame.module.css'
import { useDeskHome } from './deskHome.ts'

interface DeskFrameProps {
  title: string
  /** Buttons at the top right: refresh, export. */
  actions?: ReactNode
  children: ReactNode
}

/** A sub-view of a dashboard: its heading, its actions and Back to Dashboard (SPEC 2). */
export const DeskFrame = ({ title, actions, children }: DeskFrameProps) => {
  const home = useDeskHome()
  usePageTitle(title)
  return (
    <section className={styles.view}>
      <ButtonLink to={home} tone="ghost" size="sm" icon={<ArrowLeft aria-hidden="true" />}>
        {DESK.backToDashboard}
      </ButtonLink>
      <header className={styles.head}>
        <h1 className={styles.title}>{title}</h1>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}

import { DESK } from '@garba/shared/messages/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { ChartColumn, DoorOpen } from 'lucide-react'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { usePageTitle } from '../../platform/page.ts'
import styles from './Home.module.css'
import { RegisteredUsers } from './RegisteredUsers.tsx'
import { StatCards } from './StatCards.tsx'
import { WelcomeCard } from './WelcomeCard.tsx'

const words = FIGURES.home

/** SPEC 2 "Manager dashboard". */
export default function ManagerHome() {
  usePageTitle(DESK.titles.manager)
  return (
    <div className={styles.home}>
      <WelcomeCard title={DESK.titles.manager} />
      <StatCards averageLabel={words.stats.averageShort} />
      <div className={styles.row}>
        <ButtonLink to="analytics" tone="primary" icon={<ChartColumn aria-hidden="true" />}>
          {words.viewAnalytics}
        </ButtonLink>
        <ButtonLink to="gate" icon={<DoorOpen aria-hidden="true" />}>
          {words.viewGate}
        </ButtonLink>
      </div>
      <RegisteredUsers />
    </div>
  )
}

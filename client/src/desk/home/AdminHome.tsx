import { DESK } from '@garba/shared/messages/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { ChartColumn, DoorOpen, ScrollText, Ticket, Users } from 'lucide-react'
import { usePageTitle } from '../../platform/page.ts'
import { EventStatusCard } from './EventStatusCard.tsx'
import styles from './Home.module.css'
import { StatCards } from './StatCards.tsx'
import { SystemCard } from './SystemCard.tsx'
import { Tile, Tiles } from './Tiles.tsx'
import { WelcomeCard } from './WelcomeCard.tsx'

const { tiles, stats } = FIGURES.home

/** SPEC 2 "Admin/manager dashboard". */
export default function AdminHome() {
  usePageTitle(DESK.titles.admin)
  return (
    <div className={styles.home}>
      <WelcomeCard title={DESK.titles.admin} />
      <StatCards averageLabel={stats.average} />
      <EventStatusCard />
      <Tiles>
        <Tile to="users" icon={<Users />} {...tiles.users} />
        <Tile to="tickets" icon={<Ticket />} {...tiles.tickets} />
        <Tile to="analytics" icon={<ChartColumn />} {...tiles.analytics} />
        <Tile to="gate" icon={<DoorOpen />} {...tiles.gate} />
        <Tile to="audit" icon={<ScrollText />} {...tiles.audit} />
      </Tiles>
      <SystemCard />
    </div>
  )
}

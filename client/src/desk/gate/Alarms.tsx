import type { GateAlarm } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { Siren } from 'lucide-react'
import { Banner } from '../../kit/Banner.tsx'
import { useDates } from '../frame/dates.ts'
import { alarmText } from './alarmText.ts'
import styles from './Gate.module.css'

const words = FIGURES.gate

/** What of the last hour somebody should look at; nothing when all is calm. */
export const Alarms = ({ alarms }: { alarms: readonly GateAlarm[] }) => {
  const { timeOf } = useDates()
  if (alarms.length === 0) return null
  return (
    <Banner tone="bad" live="alert" icon={<Siren aria-hidden="true" />} title={words.alarm}>
      <ul className={styles.alarms}>
        {alarms.map((alarm) => (
          <li key={`${alarm.kind} ${alarm.checkerName} ${alarm.deviceId}`}>
            {alarmText(alarm)} <time dateTime={alarm.at}>({timeOf(alarm.at)})</time>
          </li>
        ))}
      </ul>
    </Banner>
  )
}

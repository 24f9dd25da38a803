import type { Evening, EveningAlarm } from '@garba/shared/contracts/desk'
import { ServerCrash, Siren } from 'lucide-react'
import { Banner } from '../../kit/Banner.tsx'
import { useDates } from '../frame/dates.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './Evening.module.css'

const words = FIGURES.evening

/** Shows the last hour's alarms, and renders nothing when there are none. */
export const Alarms = ({ alarms }: { alarms: readonly EveningAlarm[] }) => {
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

/** Shows faults of the server, its backups or its money, each with its cure. */
export const SystemAlarms = ({ alarms = [] }: { alarms: Evening['system'] }) => {
  const { timeOf } = useDates()
  return alarms.map(({ name, detail, cure, since }) => (
    <Banner key={name} tone="bad" live="alert" icon={<ServerCrash aria-hidden="true" />} title={`${name}: ${detail}`}>
      {cure} <time dateTime={since}>({words.since(timeOf(since))})</time>
    </Banner>
  ))
}

/** Formats an alarm as one line with the person or device and the count. */
export function alarmText({ kind, count, checkerName, deviceId, deviceName }: EveningAlarm): string {
  const who = checkerName ?? deviceName ?? deviceId ?? words.unnamedDevice
  return words.alarms[kind](who, count)
}

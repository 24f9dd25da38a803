import type { Evening, EveningAlarm } from '@garba/shared/contracts/desk'
import { HEADCOUNT } from '@garba/shared/messages/gate'
import { enteredLately } from '@garba/shared/rules/ticketStatus'
import { ServerCrash, Siren } from 'lucide-react'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner } from '../../kit/Banner.tsx'
import { Headcount } from '../../kit/Headcount.tsx'
import type { StreamState } from '../../platform/http/stream.ts'
import { useNow } from '../../platform/screen/now.ts'
import { useDates } from '../frame/dates.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './Evening.module.css'

/** How many people were let in, and how many tickets are left to come or did not. */
export const Admitted = ({ evening, isOver = false }: { evening: Evening; isOver?: boolean }) => {
  const { people, admitted, sold, leftToCome } = evening
  const left = { label: isOver ? FIGURES.evening.stayedAway : HEADCOUNT.left, count: leftToCome }
  const lately = { label: HEADCOUNT.lastTen, count: enteredLately(evening) }
  return (
    <section className={styles.headcount} aria-label={HEADCOUNT.title}>
      <Headcount
        people={people}
        peopleWord={HEADCOUNT.people(people)}
        admitted={admitted}
        sold={sold}
        ticketsUsed={HEADCOUNT.ticketsUsed(admitted, sold)}
        facts={isOver ? [left] : [left, lately]}
      />
    </section>
  )
}

const words = FIGURES.evening
const SECOND_MS = 1_000

interface LineStateProps {
  line: StreamState
  /** Device time in ms at which figures last arrived. */
  updatedAt: number
}

/** Shows that the figures are live, or how old they are: a line that is silent for half a minute counts as broken. */
export const LineState = ({ line, updatedAt }: LineStateProps) => {
  const now = useNow(SECOND_MS)
  const seconds = Math.max(0, Math.round((now - updatedAt) / 1_000))
  if (line === 'broken' || line === 'refused') {
    return (
      <div className={styles.brokenLine}>
        <Banner tone="warn" live="status">
          {line === 'broken' ? words.broken : words.refused}
        </Banner>
        {/* The age is outside the live region, because a screen reader must not announce every second. */}
        <p className={styles.line}>{words.asOf(seconds)}</p>
      </div>
    )
  }
  return (
    <p className={styles.line}>
      {line === 'open' ? (
        <StateChip state="ok">{words.live}</StateChip>
      ) : (
        <span className="tabular">{words.asOf(seconds)}</span>
      )}
    </p>
  )
}

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

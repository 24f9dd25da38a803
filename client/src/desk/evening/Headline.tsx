import { type Evening, type EveningAlarm, eveningSchema } from '@garba/shared/contracts/desk'
import { HEADCOUNT } from '@garba/shared/messages/gate'
import { enteredLately } from '@garba/shared/rules/ticketStatus'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ServerCrash, Siren } from 'lucide-react'
import { useEffect, useState } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner } from '../../kit/Banner.tsx'
import { Headcount } from '../../kit/ProgressBar.tsx'
import { type StreamState, stream } from '../../platform/http/stream.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import { useDates } from '../frame/dates.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './Evening.module.css'

/** The evening as the server last reported it: read once, then followed live. `line` says whether the figures are still live. */
export function useEvening() {
  const client = useQueryClient()
  const [line, setLine] = useState<StreamState>('connecting')
  // A heartbeat means that nothing has changed: the figures are as current as the last message.
  const [receivedAt, setReceivedAt] = useState(0)
  const query = useQuery(queries.evening())
  useEffect(
    () =>
      stream('gateLive', {
        onState: (state) => {
          setLine(state)
          // The dashboard shows the reason, such as a removed role, from the answer of an ordinary call.
          if (state === 'refused') void client.invalidateQueries({ queryKey: KEYS.evening })
        },
        onMessage: ({ event, data }) => {
          setReceivedAt(Date.now())
          if (event !== 'gate') return
          const evening: Evening = eveningSchema.parse(JSON.parse(data))
          client.setQueryData(queries.evening().queryKey, { success: true as const, data: evening })
        },
      }),
    [client],
  )
  return { ...query, evening: query.data?.data ?? null, line, receivedAt: Math.max(receivedAt, query.dataUpdatedAt) }
}

/** How many people were let in, and how many tickets are still to come or were never used. */
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
    <Banner tone="bad" live="alert" icon={<Siren />} title={words.alarm}>
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
export const SystemAlarms = ({ evening: { system = [], at } }: { evening: Pick<Evening, 'system' | 'at'> }) => {
  const { sinceOf } = useDates()
  return system.map(({ name, detail, cure, since }) => (
    <Banner key={name} tone="bad" live="alert" icon={<ServerCrash />} title={`${name}: ${detail}`}>
      {cure} <time dateTime={since}>({words.since(sinceOf(since, at))})</time>
    </Banner>
  ))
}

/** Formats an alarm as one line with the person or device and the count. */
export function alarmText({ kind, count, checkerName, deviceId, deviceName }: EveningAlarm): string {
  const who = checkerName ?? deviceName ?? deviceId ?? words.unnamedDevice
  return words.alarms[kind](who, count)
}

import { HOUR_MS, SECOND_MS } from '@garba/shared/constants'
import { type EveningAlarm, type EveningFigures, eveningSchema } from '@garba/shared/contracts/desk'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { DOCTOR } from '@garba/shared/messages/doctor'
import { HEADCOUNT } from '@garba/shared/messages/gate'
import { enteredLately } from '@garba/shared/rules/ticketStatus'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ServerCrash, Siren } from 'lucide-react'
import { useEffect, useState } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner } from '../../kit/Banner.tsx'
import { Headcount } from '../../kit/ProgressBar.tsx'
import { openEventStream, type StreamState } from '../../platform/http/stream.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import { useDates } from '../frame/dates.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './EveningView.module.css'

/** The gates open before the first clap, and people leave after the last. */
const BEFORE_MS = 2 * HOUR_MS
const AFTER_MS = HOUR_MS
const LOOK_MS = 60_000

export const isTonight = ({ startsAt, endsAt }: Pick<GarbaEvent, 'startsAt' | 'endsAt'>, now: number): boolean =>
  now >= Date.parse(startsAt) - BEFORE_MS && now <= Date.parse(endsAt) + AFTER_MS

export function useIsTonight(): boolean {
  const event = useQuery(queries.event()).data?.data ?? null
  const now = useNow(LOOK_MS)
  return event !== null && isTonight(event, now)
}

/** Reads the evening once, then follows it live. `line` says whether the figures are still live. */
export function useLiveEvening() {
  const client = useQueryClient()
  const [line, setLine] = useState<StreamState>('connecting')
  // A heartbeat means that nothing has changed: the figures are as current as the last message.
  const [receivedAt, setReceivedAt] = useState(0)
  const query = useQuery(queries.evening())
  useEffect(
    () =>
      openEventStream('gateLive', {
        onState: (state) => {
          setLine(state)
          // The dashboard shows the reason, such as a removed role, from the answer of an ordinary call.
          if (state === 'refused') void client.invalidateQueries({ queryKey: KEYS.evening })
        },
        onMessage: ({ event, data }) => {
          setReceivedAt(Date.now())
          if (event !== 'gate') return
          const evening: EveningFigures = eveningSchema.parse(JSON.parse(data))
          client.setQueryData(queries.evening().queryKey, { success: true as const, data: evening })
        },
      }),
    [client],
  )
  return { ...query, evening: query.data?.data ?? null, line, receivedAt: Math.max(receivedAt, query.dataUpdatedAt) }
}

export const Admitted = ({ evening, isOver = false }: { evening: EveningFigures; isOver?: boolean }) => {
  const { people, admitted, sold, leftToCome } = evening
  const left = { label: isOver ? FIGURES.evening.stayedAway : HEADCOUNT.left, count: leftToCome }
  const extra = people - admitted
  const doubles = evening.conflictsTotal
  const lately = { label: HEADCOUNT.lastTen, count: enteredLately(evening) }
  return (
    <section className={styles.headcount} aria-label={HEADCOUNT.title}>
      <Headcount
        people={people}
        peopleWord={HEADCOUNT.people(people)}
        admitted={admitted}
        sold={sold}
        ticketsUsed={HEADCOUNT.ticketsUsed(admitted, sold)}
        note={extra === 0 ? null : FIGURES.evening.extra({ people: extra, doubles, other: extra - doubles })}
        facts={isOver ? [left] : [left, lately]}
      />
    </section>
  )
}

const words = FIGURES.evening

interface LineStateProps {
  line: StreamState
  /** Device time in ms at which figures last arrived. */
  updatedAt: number
}

export const LineState = ({ line, updatedAt }: LineStateProps) => {
  const now = useNow(SECOND_MS)
  const runs = useIsTonight()
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
      {line === 'open' && runs ? (
        <StateChip state="ok">{words.live}</StateChip>
      ) : (
        <span className="tabular">{words.asOf(seconds)}</span>
      )}
    </p>
  )
}

export const Alarms = ({ alarms }: { alarms: readonly EveningAlarm[] }) => {
  const { timeOf } = useDates()
  if (alarms.length === 0) return null
  return (
    <Banner tone="warn" live="alert" icon={<Siren />} title={words.alarm}>
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

export const SystemAlarms = ({ evening: { system = [], at } }: { evening: Pick<EveningFigures, 'system' | 'at'> }) => {
  const { sinceOf } = useDates()
  // A silent phone is in the strip of trouble.
  return system
    .filter(({ name }) => name !== DOCTOR.devices.name)
    .map(({ name, detail, cure, since }) => (
      <Banner key={name} tone="bad" live="alert" icon={<ServerCrash />} title={`${name}: ${detail}`}>
        {cure} <time dateTime={since}>({words.since(sinceOf(since, at))})</time>
      </Banner>
    ))
}

export function alarmText({ kind, count, checkerName, deviceId, deviceName }: EveningAlarm): string {
  const who = checkerName ?? deviceName ?? deviceId ?? words.unnamedDevice
  return words.alarms[kind](who, count)
}

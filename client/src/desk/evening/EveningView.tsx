import { type Evening, type EveningAlarm, eveningSchema } from '@garba/shared/contracts/desk'
import { DESK } from '@garba/shared/messages/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { formatCount } from '@garba/shared/messages/language'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Siren } from 'lucide-react'
import { useEffect, useState } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner } from '../../kit/Banner.tsx'
import { ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { ProgressBar } from '../../kit/ProgressBar.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { type StreamState, stream } from '../../platform/http/stream.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { Conflicts } from './Conflicts.tsx'
import { Devices } from './Devices.tsx'
import { EntriesChart } from './EntriesChart.tsx'
import styles from './Evening.module.css'
import { RefusalsCard } from './Refusals.tsx'

const words = FIGURES.evening

/** The evening at a glance: who is inside, how fast they come, what each device has left to send. */
export default function EveningView() {
  const { evening, line, error, isPending, refetch, receivedAt } = useEvening()
  return (
    <DeskFrame title={DESK.titles.evening} actions={evening ? <LineState line={line} updatedAt={receivedAt} /> : null}>
      {error && !evening ? <ErrorPanel onRetry={refetch}>{words.failed(messageOf(error))}</ErrorPanel> : null}
      {isPending ? <SkeletonCards heights={[280, 200, 120]} label={words.loading} /> : null}
      {evening ? (
        <>
          <Alarms alarms={evening.alarms} />
          <div className={styles.top}>
            <Headcount evening={evening} />
            <EntriesChart perMinute={evening.perMinute} />
          </div>
          <Devices evening={evening} />
          <Conflicts conflicts={evening.conflicts} total={evening.conflictsTotal} />
          <RefusalsCard refusals={evening.refusals} />
        </>
      ) : null}
    </DeskFrame>
  )
}

/** The evening as the server last reported it: read once, then followed live. `line` says whether the figures are still live. */
function useEvening() {
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
          client.setQueryData(KEYS.evening, { success: true as const, data: evening })
        },
      }),
    [client],
  )
  return { ...query, evening: query.data?.data ?? null, line, receivedAt: Math.max(receivedAt, query.dataUpdatedAt) }
}

const SECOND_MS = 1_000

interface LineStateProps {
  line: StreamState
  /** When this device last took in figures, in ms of its own clock. */
  updatedAt: number
}

/** How old the figures are, and whether they are live. */
const LineState = ({ line, updatedAt }: LineStateProps) => {
  const now = useNow(SECOND_MS)
  const seconds = Math.max(0, Math.round((now - updatedAt) / 1_000))
  if (line === 'broken' || line === 'refused') {
    return (
      <div className={styles.brokenLine}>
        <Banner tone="warn" live="status">
          {line === 'broken' ? words.broken : words.refused}
        </Banner>
        {/* Outside the live region: a screen reader must not announce every second. */}
        <p className={styles.line}>{words.asOf(seconds)}</p>
      </div>
    )
  }
  return (
    <p className={styles.line}>
      {line === 'open' ? <StateChip state="ok">{words.live}</StateChip> : null}
      <span className="tabular">{words.asOf(seconds)}</span>
    </p>
  )
}

/** What needs attention from the last hour; nothing when all is well. */
const Alarms = ({ alarms }: { alarms: readonly EveningAlarm[] }) => {
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

/** An alarm as one line: who or which device, and how many of what. */
export function alarmText({ kind, count, checkerName, deviceId, deviceName }: EveningAlarm): string {
  const who = checkerName ?? deviceName ?? deviceId ?? words.unnamedDevice
  return words.alarms[kind](who, count)
}

const LAST_MINUTES = 10

/** The one large number: how many tickets have been admitted. */
const Headcount = ({ evening }: { evening: Evening }) => {
  const { admitted, sold, leftToCome, perMinute } = evening
  const lately = perMinute.slice(-LAST_MINUTES).reduce((sum, { count }) => sum + count, 0)
  return (
    <section className={styles.headcount} aria-label={words.inside}>
      <p className={styles.label}>{words.inside}</p>
      <p className={styles.number}>
        <strong data-testid="admitted">{formatCount(admitted)}</strong> <span>{words.ofSold(sold)}</span>
      </p>
      <ProgressBar
        label={words.inside}
        value={sold === 0 ? 0 : (admitted / sold) * 100}
        valueText={`${admitted} ${words.ofSold(sold)}`}
      />
      <dl className={styles.facts}>
        <div>
          <dt>{words.left}</dt>
          <dd className="tabular">{formatCount(leftToCome)}</dd>
        </div>
        <div>
          <dt>{words.lastTen}</dt>
          <dd className="tabular">{formatCount(lately)}</dd>
        </div>
      </dl>
    </section>
  )
}

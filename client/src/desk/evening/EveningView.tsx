import type { EveningFigures } from '@garba/shared/contracts/desk'
import { messageFor } from '@garba/shared/messages/codes'
import { HEADCOUNT } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'
import { enteredLately } from '@garba/shared/rules/ticketStatus'
import { useQuery } from '@tanstack/react-query'
import { Maximize } from 'lucide-react'
import { type CSSProperties, useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Badge } from '../../kit/Badge.tsx'
import { ErrorPanel } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card, EmptyCard } from '../../kit/Card.tsx'
import { cx } from '../../kit/cx.ts'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { ColumnTable } from '../../kit/Table.tsx'
import { getErrorMessage } from '../../platform/http/failure.ts'
import type { StreamState } from '../../platform/http/stream.ts'
import { queries } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import { useWakeLock } from '../../platform/screen/wakeLock.ts'
import { FlaggedScans } from '../devices/FlaggedScans.tsx'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import { Devices, estimateServerTime, findSilence } from './Devices.tsx'
import { DoubleAdmissions } from './DoubleAdmissions.tsx'
import styles from './EveningView.module.css'
import { Gates, SpokenEntries } from './Gates.tsx'
import { Admitted, Alarms, alarmText, LineState, SystemAlarms, useIsTonight, useLiveEvening } from './Headline.tsx'
import { OtherDayEntries } from './OtherDayEntries.tsx'

const words = FIGURES.evening

export default function EveningView() {
  const { eventQuery } = useDeskEvent()
  return eventQuery.event === undefined ? <Tonight /> : <ClosedEvening event={eventQuery.event} />
}

const ClosedEvening = ({ event }: { event: string }) => {
  const { data, error, isPending, refetch } = useQuery(queries.evening({ event }))
  return (
    <DeskFrame title={DESK.titles.evening} byEvent>
      {error && !data ? <ErrorPanel onRetry={refetch}>{words.failed(getErrorMessage(error))}</ErrorPanel> : null}
      {isPending ? <SkeletonCards heights={[200, 120]} label={words.loading} /> : null}
      {data ? (
        <>
          <Admitted evening={data.data} isOver />
          <DoubleAdmissions conflicts={data.data.conflicts} total={data.data.conflictsTotal} />
          <FlaggedScans scans={data.data.flagged ?? []} />
          <RefusalsCard refusals={data.data.refusals} />
        </>
      ) : null}
    </DeskFrame>
  )
}

const Tonight = () => {
  const { evening, line, error, isPending, refetch, receivedAt, dataUpdatedAt } = useLiveEvening()
  const [onWall, setOnWall] = useState(false)
  const leaveWall = useCallback(() => setOnWall(false), [])
  const openWall = () => {
    // A browser may refuse full screen; the wall then fills the window.
    document.documentElement.requestFullscreen?.().catch(() => undefined)
    setOnWall(true)
  }
  return (
    <DeskFrame
      title={DESK.titles.evening}
      byEvent
      actions={
        evening ? (
          <>
            <LineState line={line} updatedAt={receivedAt} />
            <Button size="sm" icon={<Maximize />} onClick={openWall}>
              {words.wall.open}
            </Button>
          </>
        ) : null
      }
    >
      {evening && onWall ? <Wall {...{ evening, line, receivedAt }} onLeave={leaveWall} /> : null}
      {error && !evening ? <ErrorPanel onRetry={refetch}>{words.failed(getErrorMessage(error))}</ErrorPanel> : null}
      {isPending ? <SkeletonCards heights={[280, 200, 120]} label={words.loading} /> : null}
      {evening ? (
        <>
          <SystemAlarms evening={evening} />
          <Alarms alarms={evening.alarms} />
          <div className={styles.top}>
            <Admitted evening={evening} />
            <EntriesChart evening={evening} receivedAt={dataUpdatedAt} />
          </div>
          <Gates evening={evening} />
          <Devices evening={evening} receivedAt={dataUpdatedAt} />
          <DoubleAdmissions conflicts={evening.conflicts} total={evening.conflictsTotal} />
          <OtherDayEntries />
          <FlaggedScans scans={evening.flagged ?? []} />
          <RefusalsCard refusals={evening.refusals} />
        </>
      ) : null}
    </DeskFrame>
  )
}

const EntriesChart = ({ evening, receivedAt }: { evening: EveningFigures; receivedAt: number }) => {
  const { timeOf } = useDates()
  const minutes = evening.perMinute.map(({ minute, count }) => ({ label: timeOf(minute), count }))
  return (
    <Card title={words.perMinute}>
      {minutes.every(({ count }) => count === 0) ? <p className="soft">{words.noEntries}</p> : null}
      <GarboChart evening={evening} receivedAt={receivedAt} />
      <SpokenEntries caption={words.perMinute} columns={[{ name: words.entries, minutes }]} />
    </Card>
  )
}

const columns = words.refusalColumns
type Refusals = EveningFigures['refusals']
type Code = Refusals['recent'][number]['code']

const REASONS: Partial<Record<Code, string>> = words.refusalReasons
const formatRefusalReason = (code: Code): string => REASONS[code] ?? messageFor(code)

const RefusalsCard = ({ refusals: { byCode, recent } }: { refusals: Refusals }) => {
  const { timeOf } = useDates()
  if (recent.length === 0) return <EmptyCard title={words.refusals}>{words.noRefusals}</EmptyCard>
  return (
    <Card title={words.refusals} flush>
      <ul className={styles.reasons}>
        {byCode.map(({ code, count }) => (
          <li key={code}>
            <Badge>
              {formatRefusalReason(code)}: {formatCount(count)}
            </Badge>
          </li>
        ))}
      </ul>
      <ColumnTable
        caption={words.refusals}
        bare
        rows={recent}
        keyOf={({ at, ticketId, checkerName }) => `${at} ${ticketId ?? ''} ${checkerName}`}
        columns={[
          { title: columns.at, cell: ({ at }) => <time dateTime={at}>{timeOf(at)}</time> },
          { title: columns.reason, cell: ({ code }) => formatRefusalReason(code) },
          { title: columns.holder, cell: ({ name }) => name ?? words.unknownHolder },
          { title: columns.checker, cell: ({ checkerName }) => checkerName },
          { title: columns.device, cell: ({ deviceName }) => deviceName ?? words.unnamedDevice },
        ]}
      />
    </Card>
  )
}

interface WallProps {
  evening: EveningFigures
  line: StreamState
  receivedAt: number
  onLeave: () => void
}

const Wall = ({ evening, line, receivedAt, onLeave }: WallProps) => {
  const { timeOf } = useDates()
  const runs = useIsTonight()
  useWakeLock(true)
  useFullScreen(onLeave)
  const { people, admitted, sold, leftToCome, alarms, conflicts } = evening
  const open = conflicts.filter(({ acknowledgedAt }) => acknowledgedAt === null)
  const swaps = open.filter(({ disputed }) => disputed).length
  const doubles = open.length - swaps
  const received = timeOf(new Date(receivedAt).toISOString())
  return createPortal(
    <section className={styles.wall} data-surface="night" aria-label={words.wall.title}>
      <div className={styles.count}>
        <strong className="tabular" style={{ '--digits': Math.max(3, formatCount(people).length) } as CSSProperties}>
          {formatCount(people)}
        </strong>
        <p>{HEADCOUNT.people(people)}</p>
        <p className={styles.soft}>{HEADCOUNT.ticketsUsed(admitted, sold)}</p>
        <dl>
          <div>
            <dt>{HEADCOUNT.left}</dt>
            <dd className="tabular">{formatCount(leftToCome)}</dd>
          </div>
          <div>
            <dt>{HEADCOUNT.lastTen}</dt>
            <dd className="tabular">{formatCount(enteredLately(evening))}</dd>
          </div>
        </dl>
      </div>
      <GarboChart evening={evening} receivedAt={receivedAt} className={styles.wallGarbo} />
      <footer className={styles.foot}>
        {alarms.map((alarm) => (
          <p key={`${alarm.kind} ${alarm.checkerName} ${alarm.deviceId}`} className={styles.alarm}>
            {alarmText(alarm)}
          </p>
        ))}
        {doubles > 0 ? <p className={styles.alarm}>{words.wall.conflicts(doubles)}</p> : null}
        {swaps > 0 ? <p className={styles.alarm}>{words.wall.swaps(swaps)}</p> : null}
        <p className={line === 'open' ? styles.soft : styles.alarm}>
          {line !== 'open' ? words.wall.lost(received) : runs ? words.wall.live(received) : words.asOf(0)}
        </p>
      </footer>
    </section>,
    document.body,
  )
}

function useFullScreen(onLeave: () => void) {
  useEffect(() => {
    const behind = [...document.body.children].filter(
      (element): element is HTMLElement =>
        element instanceof HTMLElement && !element.matches(`[data-surface="night"].${styles.wall}`),
    )
    for (const element of behind) element.inert = true
    const leaveOnEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') onLeave()
    }
    const leaveFullScreen = () => {
      if (document.fullscreenElement === null) onLeave()
    }
    document.addEventListener('keydown', leaveOnEscape)
    document.addEventListener('fullscreenchange', leaveFullScreen)
    return () => {
      for (const element of behind) element.inert = false
      document.removeEventListener('keydown', leaveOnEscape)
      document.removeEventListener('fullscreenchange', leaveFullScreen)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [onLeave])
}

/** Holes of a ring: each stands for two of the last 120 minutes, the newest at the top. */
const HOLES = 60
const OUTER = 90
const INNER = 46
/** Phones are lamps around the middle; more would touch each other. */
const LAMPS_MAX = 24
const LAMPS_RADIUS = 30
const LOOK_MS = 10_000

interface GarboChartProps {
  evening: Pick<EveningFigures, 'at' | 'gates' | 'perMinute' | 'devices'>
  receivedAt: number
  className?: string | undefined
}

const GarboChart = ({ evening, receivedAt, className }: GarboChartProps) => {
  const now = useNow(LOOK_MS)
  const rings = buildRings(evening)
  const top = Math.max(1, ...rings.flatMap(({ holes }) => holes))
  const step = rings.length < 2 ? 0 : Math.min(14, (OUTER - INNER) / (rings.length - 1))
  const size = rings.length > 4 ? 1.7 : 2.4
  const at = estimateServerTime(evening, { receivedAt, now })
  const working = evening.devices.filter(({ ended }) => !ended)
  const lamps = working.slice(0, LAMPS_MAX).map((device) => ({
    id: device.deviceId,
    dark: findSilence(device, at) !== null,
  }))
  return (
    <div className={cx(styles.garbo, className)} aria-hidden="true">
      <svg viewBox="-100 -100 200 200" aria-hidden="true">
        <circle r="99" className={styles.clay} />
        {rings.map(({ name, holes }, ring) =>
          holes.map((count, hole) => {
            const place = pointAt(OUTER - ring * step, (hole + 0.5) / HOLES)
            return (
              <circle
                // biome-ignore lint/suspicious/noArrayIndexKey: the holes of a ring never change places
                key={`${name} ${hole}`}
                {...place}
                r={count === 0 ? size * 0.6 : size * (0.8 + 0.4 * (count / top))}
                className={count === 0 ? styles.hole : styles.lit}
                opacity={count === 0 ? 1 : 0.45 + 0.55 * (count / top)}
              />
            )
          }),
        )}
        {lamps.map(({ id, dark }, lamp) => (
          <circle
            key={id}
            {...pointAt(LAMPS_RADIUS, lamp / lamps.length)}
            r="3.4"
            className={dark ? styles.dark : styles.lamp}
          />
        ))}
      </svg>
      <ol className={styles.legend}>
        {(rings.length > 1 ? rings : []).map(({ name, people }) => (
          <li key={name}>
            <span title={name}>{name}</span> <strong className="tabular">{formatCount(people)}</strong>
          </li>
        ))}
        {lamps.some(({ dark }) => dark) ? (
          <li className="soft">{words.darkLamps(lamps.filter(({ dark }) => dark).length)}</li>
        ) : null}
      </ol>
    </div>
  )
}

/** Clockwise from the top; `turn` is a share of the circle. */
const pointAt = (radius: number, turn: number) => ({
  cx: radius * Math.sin(turn * 2 * Math.PI),
  cy: -radius * Math.cos(turn * 2 * Math.PI),
})

/** Outermost first. Without gates, all entries are one ring. */
function buildRings({ gates, perMinute }: GarboChartProps['evening']) {
  const minutes = perMinute.map(({ minute }) => minute)
  const all = { name: HEADCOUNT.title, people: gates.reduce((sum, { people }) => sum + people, 0), perMinute }
  const named = gates.filter(({ none, people }) => !none || people > 0)
  return (named.every(({ none }) => none) ? [all] : named).map(({ name, people, perMinute: entries }) => {
    const counts = new Map(entries.map(({ minute, count }) => [minute, count]))
    const holes = Array.from({ length: HOLES }, (_, hole) =>
      [0, 1].reduce((sum, half) => sum + (counts.get(minutes[hole * 2 + half] ?? '') ?? 0), 0),
    )
    return { name, people, holes }
  })
}

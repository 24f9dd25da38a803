import { MINUTE_MS } from '@garba/shared/constants'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import { messageFor } from '@garba/shared/messages/codes'
import { formatCount } from '@garba/shared/messages/language'
import { useQuery } from '@tanstack/react-query'
import { Maximize } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Badge } from '../../kit/Badge.tsx'
import { ErrorPanel } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card, EmptyCard } from '../../kit/Card.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { ColumnTable } from '../../kit/Table.tsx'
import { getErrorMessage } from '../../platform/http/failure.ts'
import { queries } from '../../platform/queries.ts'
import { FlaggedScans } from '../devices/FlaggedScans.tsx'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { EveningPapers, RegisterLink } from '../register/links.tsx'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import { Devices } from './Devices.tsx'
import { DoubleAdmissions } from './DoubleAdmissions.tsx'
import styles from './EveningView.module.css'
import { Gates, SpokenEntries } from './Gates.tsx'
import { Admitted, Alarms, LineState, SystemAlarms, useLiveEvening } from './Headline.tsx'
import { Inside } from './Inside.tsx'
import { OtherDayEntries } from './OtherDayEntries.tsx'
import { isSilenceTold, TroubleStrip, useTrouble } from './Trouble.tsx'
import { Wall } from './Wall.tsx'

const words = FIGURES.evening

export default function EveningView() {
  const { eventQuery } = useDeskEvent()
  return eventQuery.event === undefined ? <Tonight /> : <ClosedEvening event={eventQuery.event} />
}

const ClosedEvening = ({ event }: { event: string }) => {
  const { data, error, isPending, refetch } = useQuery(queries.evening({ event }))
  return (
    <DeskFrame title={DESK.titles.evening} byEvent actions={<RegisterLink event={event} />}>
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
  const trouble = useTrouble(evening, dataUpdatedAt)
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
            <EveningPapers />
            <Button size="sm" className={styles.openWall} icon={<Maximize />} onClick={openWall}>
              {words.wall.open}
            </Button>
          </>
        ) : null
      }
    >
      {evening && onWall ? <Wall {...{ evening, line, receivedAt, trouble }} onLeave={leaveWall} /> : null}
      {error && !evening ? <ErrorPanel onRetry={refetch}>{words.failed(getErrorMessage(error))}</ErrorPanel> : null}
      {isPending ? <SkeletonCards heights={[280, 200, 120]} label={words.loading} /> : null}
      {evening ? (
        <>
          <TroubleStrip trouble={trouble} />
          <SystemAlarms evening={evening} />
          <Alarms alarms={evening.alarms} />
          <div className={styles.top}>
            <div className={styles.counts}>
              <Inside evening={evening} isTold={isSilenceTold(evening, trouble)} />
              <Admitted evening={evening} />
            </div>
            <EntriesChart evening={evening} />
          </div>
          <Gates evening={evening} />
          <DoubleAdmissions conflicts={evening.conflicts} total={evening.conflictsTotal} />
          <Devices evening={evening} receivedAt={dataUpdatedAt} />
          <OtherDayEntries />
          <FlaggedScans scans={evening.flagged ?? []} />
          <RefusalsCard refusals={evening.refusals} />
        </>
      ) : null}
    </DeskFrame>
  )
}

const QUARTER_MS = 15 * MINUTE_MS

/** The last two hours by the quarters of the clock; the last bar is the quarter that runs. */
const EntriesChart = ({ evening: { perMinute } }: { evening: Pick<EveningFigures, 'perMinute'> }) => {
  const { timeOf } = useDates()
  const entries = new Map<number, number>()
  for (const { minute, count } of perMinute) {
    const from = Math.floor(Date.parse(minute) / QUARTER_MS) * QUARTER_MS
    entries.set(from, (entries.get(from) ?? 0) + count)
  }
  const quarters = [...entries].map(([from, count]) => ({ label: timeOf(new Date(from).toISOString()), count }))
  const peak = Math.max(...quarters.map(({ count }) => count))
  const busiest = quarters.find(({ count }) => count === peak)
  const now = quarters.at(-1)
  return (
    <Card title={words.entriesTitle}>
      {peak === 0 ? <p className="soft">{words.noEntries}</p> : null}
      <ol className={styles.bars} aria-hidden="true">
        {quarters.map((quarter, at) => (
          <li key={quarter.label} data-now={quarter === now || undefined}>
            <span className="tabular">
              {peak > 0 && quarter === busiest ? <strong className={styles.peak}>{words.peak}</strong> : null}
              {quarter.count > 0 ? formatCount(quarter.count) : null}
            </span>
            <i style={{ height: `${peak === 0 ? 0 : (quarter.count / peak) * 100}%` }} />
            {/* Two bars are the room of a time beside the word. */}
            <span>
              {quarter === now
                ? words.now
                : at < quarters.length - 2 && quarter.label.includes(':00')
                  ? quarter.label
                  : null}
            </span>
          </li>
        ))}
      </ol>
      <SpokenEntries caption={words.entriesTitle} columns={[{ name: words.entries, minutes: quarters }]} step={1} />
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

import { DESK } from '@garba/shared/messages/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { useQuery } from '@tanstack/react-query'
import { ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { queries } from '../../platform/queries.ts'
import { FlaggedScans } from '../devices/FlaggedScans.tsx'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { Admitted } from './Admitted.tsx'
import { Alarms, SystemAlarms } from './Alarms.tsx'
import { Conflicts } from './Conflicts.tsx'
import { Devices } from './Devices.tsx'
import { EntriesChart } from './EntriesChart.tsx'
import styles from './Evening.module.css'
import { Gates } from './Gates.tsx'
import { LineState } from './LineState.tsx'
import { RefusalsCard } from './Refusals.tsx'
import { useEvening } from './useEvening.ts'

const words = FIGURES.evening

/** The evening at a glance: who is inside, how fast they come, what each device has left to send. */
export default function EveningView() {
  const { asked } = useDeskEvent()
  return asked.event === undefined ? <Tonight /> : <ClosedEvening event={asked.event} />
}

/** Who was let in at a closed event, and what was refused. Phones and the last hours are about now. */
const ClosedEvening = ({ event }: { event: string }) => {
  const { data, error, isPending, refetch } = useQuery(queries.evening({ event }))
  return (
    <DeskFrame title={DESK.titles.evening} byEvent>
      {error && !data ? <ErrorPanel onRetry={refetch}>{words.failed(messageOf(error))}</ErrorPanel> : null}
      {isPending ? <SkeletonCards heights={[200, 120]} label={words.loading} /> : null}
      {data ? (
        <>
          <Admitted evening={data.data} isOver />
          <Conflicts conflicts={data.data.conflicts} total={data.data.conflictsTotal} />
          <FlaggedScans scans={data.data.flagged ?? []} />
          <RefusalsCard refusals={data.data.refusals} />
        </>
      ) : null}
    </DeskFrame>
  )
}

const Tonight = () => {
  const { evening, line, error, isPending, refetch, receivedAt, dataUpdatedAt } = useEvening()
  return (
    <DeskFrame
      title={DESK.titles.evening}
      byEvent
      actions={evening ? <LineState line={line} updatedAt={receivedAt} /> : null}
    >
      {error && !evening ? <ErrorPanel onRetry={refetch}>{words.failed(messageOf(error))}</ErrorPanel> : null}
      {isPending ? <SkeletonCards heights={[280, 200, 120]} label={words.loading} /> : null}
      {evening ? (
        <>
          <SystemAlarms alarms={evening.system} />
          <Alarms alarms={evening.alarms} />
          <div className={styles.top}>
            <Admitted evening={evening} />
            <EntriesChart perMinute={evening.perMinute} />
          </div>
          <Gates evening={evening} />
          <Devices evening={evening} receivedAt={dataUpdatedAt} />
          <Conflicts conflicts={evening.conflicts} total={evening.conflictsTotal} />
          <FlaggedScans scans={evening.flagged ?? []} />
          <RefusalsCard refusals={evening.refusals} />
        </>
      ) : null}
    </DeskFrame>
  )
}

import { DESK } from '@garba/shared/messages/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { Alarms } from './Alarms.tsx'
import { Conflicts } from './Conflicts.tsx'
import { Devices } from './Devices.tsx'
import { EntriesChart } from './EntriesChart.tsx'
import styles from './Gate.module.css'
import { Headcount } from './Headcount.tsx'
import { LineState } from './LineState.tsx'
import { RefusalsCard } from './Refusals.tsx'
import { useGate } from './useGate.ts'

const words = FIGURES.gate

/** The evening at a glance: who is inside, how fast they come, what each device has left to send. */
export default function GateView() {
  const { gate, line, error, isPending, refetch, heardAt } = useGate()
  return (
    <DeskFrame title={DESK.titles.gate} actions={gate ? <LineState line={line} updatedAt={heardAt} /> : null}>
      {error && !gate ? <ErrorPanel onRetry={refetch}>{words.failed(messageOf(error))}</ErrorPanel> : null}
      {isPending ? <SkeletonCards heights={[280, 200, 120]} label={words.loading} /> : null}
      {gate ? (
        <>
          <Alarms alarms={gate.alarms} />
          <div className={styles.top}>
            <Headcount gate={gate} />
            <EntriesChart perMinute={gate.perMinute} />
          </div>
          <Devices gate={gate} />
          <Conflicts conflicts={gate.conflicts} total={gate.conflictsTotal} />
          <RefusalsCard refusals={gate.refusals} />
        </>
      ) : null}
    </DeskFrame>
  )
}

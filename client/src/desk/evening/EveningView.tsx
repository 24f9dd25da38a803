import type { Evening } from '@garba/shared/contracts/desk'
import type { AdmissionSide } from '@garba/shared/contracts/scan'
import { messageFor } from '@garba/shared/messages/codes'
import { last8 } from '@garba/shared/messages/common'
import { formatCount } from '@garba/shared/messages/language'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { toast } from 'sonner'
import { Badge, StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { useUser } from '../../platform/identity/session.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { FlaggedScans } from '../devices/FlaggedScans.tsx'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import { Admitted } from './Admitted.tsx'
import { Alarms, SystemAlarms } from './Alarms.tsx'
import { Devices } from './Devices.tsx'
import { EntriesArea, SpokenEntries } from './EntriesArea.tsx'
import styles from './Evening.module.css'
import { Gates } from './Gates.tsx'
import { LineState } from './LineState.tsx'
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

const entriesChartWords = FIGURES.evening

/** Entries per minute, all gates together. */
const EntriesChart = ({ perMinute }: { perMinute: Evening['perMinute'] }) => {
  const { timeOf } = useDates()
  const minutes = perMinute.map(({ minute, count }) => ({ label: timeOf(minute), count }))
  const halfHours = minutes.map(({ label }) => label).filter((label) => /:[03]0/.test(label))
  return (
    <Card title={entriesChartWords.perMinute}>
      {minutes.every(({ count }) => count === 0) ? <p className={styles.soft}>{entriesChartWords.noEntries}</p> : null}
      <div className={styles.chart} aria-hidden="true">
        <EntriesArea minutes={minutes} ticks={halfHours} />
      </div>
      <SpokenEntries caption={entriesChartWords.perMinute} columns={[{ name: entriesChartWords.entries, minutes }]} />
    </Card>
  )
}

const refusalsWords = FIGURES.evening
const columns = refusalsWords.refusalColumns
type Refusals = Evening['refusals']
type Code = Refusals['recent'][number]['code']

const REASONS: Partial<Record<Code, string>> = refusalsWords.refusalReasons
const reasonOf = (code: Code): string => REASONS[code] ?? messageFor(code)

/** Who was turned away and why: counts by reason, then the latest. */
const RefusalsCard = ({ refusals: { byCode, recent } }: { refusals: Refusals }) => {
  const { timeOf } = useDates()
  const head = (
    <>
      <Th>{columns.at}</Th>
      <Th>{columns.reason}</Th>
      <Th>{columns.holder}</Th>
      <Th>{columns.checker}</Th>
      <Th>{columns.device}</Th>
    </>
  )
  if (recent.length === 0) {
    return (
      <Card title={refusalsWords.refusals}>
        <p className={styles.soft}>{refusalsWords.noRefusals}</p>
      </Card>
    )
  }
  return (
    <Card title={refusalsWords.refusals} flush>
      <ul className={styles.reasons}>
        {byCode.map(({ code, count }) => (
          <li key={code}>
            <Badge>
              {reasonOf(code)}: {formatCount(count)}
            </Badge>
          </li>
        ))}
      </ul>
      <Table caption={refusalsWords.refusals} head={head} bare>
        {recent.map(({ at, code, name, checkerName, deviceName, ticketId }) => (
          <Tr key={`${at} ${ticketId ?? ''} ${checkerName}`}>
            <Td label={columns.at}>
              <time dateTime={at}>{timeOf(at)}</time>
            </Td>
            <Td label={columns.reason}>{reasonOf(code)}</Td>
            <Td label={columns.holder}>{name ?? refusalsWords.unknownHolder}</Td>
            <Td label={columns.checker}>{checkerName}</Td>
            <Td label={columns.device}>{deviceName ?? refusalsWords.unnamedDevice}</Td>
          </Tr>
        ))}
      </Table>
    </Card>
  )
}

const conflictsWords = FIGURES.evening
type Conflict = Evening['conflicts'][number]

/** Double admissions: both sides. Those that were acknowledged fold away. */
const Conflicts = ({ conflicts, total }: { conflicts: readonly Conflict[]; total: number }) => {
  const open = conflicts.filter(({ acknowledgedAt }) => acknowledgedAt === null)
  const seen = conflicts.filter(({ acknowledgedAt }) => acknowledgedAt !== null)
  return (
    <Card title={conflictsWords.conflicts}>
      {conflicts.length === 0 ? (
        <p className={styles.soft}>{conflictsWords.noConflicts}</p>
      ) : (
        <>
          <p className={styles.soft}>{conflictsWords.conflictsText}</p>
          {total > conflicts.length ? (
            <p className={styles.soft}>{conflictsWords.conflictsShown(conflicts.length, total)}</p>
          ) : null}
          <ConflictList conflicts={open} />
          {seen.length === 0 ? null : (
            <details className={styles.folded}>
              <summary>{conflictsWords.acknowledgedCount(seen.length)}</summary>
              <ConflictList conflicts={seen} />
            </details>
          )}
        </>
      )}
    </Card>
  )
}

const ConflictList = ({ conflicts }: { conflicts: readonly Conflict[] }) =>
  conflicts.length === 0 ? null : (
    <ul className={styles.conflicts}>
      {conflicts.map((conflict) => (
        <ConflictItem key={conflict.id} conflict={conflict} />
      ))}
    </ul>
  )

const ConflictItem = ({ conflict }: { conflict: Conflict }) => {
  const client = useQueryClient()
  const { momentOf } = useDates()
  const mayAcknowledge = useUser()?.role === 'admin'
  const acknowledge = useMutation({
    mutationFn: () => call('acknowledgeConflict', { params: { id: conflict.id } }),
    onSuccess: () => toast.success(conflictsWords.acknowledgedToast),
    onError: (error) => toast.error(conflictsWords.acknowledgeFailed(messageOf(error))),
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.evening }),
  })
  return (
    <li className={styles.conflict}>
      <p className={styles.conflictName}>
        {conflict.name} <span className={styles.soft}>{last8(conflict.ticketId)}</span>
      </p>
      <dl className={styles.sides}>
        <Side label={conflictsWords.first} side={conflict.first} />
        <Side label={conflictsWords.second} side={conflict.second} />
      </dl>
      {conflict.disputed ? <p className={styles.soft}>{conflictsWords.disputed}</p> : null}
      {conflict.acknowledgedBy !== null && conflict.acknowledgedAt !== null ? (
        <StateChip state="ok">
          {conflictsWords.acknowledged(conflict.acknowledgedBy, momentOf(conflict.acknowledgedAt))}
        </StateChip>
      ) : mayAcknowledge ? (
        <Button
          size="sm"
          icon={<Check aria-hidden="true" />}
          busy={acknowledge.isPending}
          aria-label={conflictsWords.acknowledgeOf(conflict.name)}
          onClick={() => acknowledge.mutate()}
        >
          {conflictsWords.acknowledge}
        </Button>
      ) : null}
    </li>
  )
}

const Side = ({ label, side }: { label: string; side: AdmissionSide }) => {
  const { momentOf } = useDates()
  const at = momentOf(side.at)
  const where = side.deviceName ?? side.deviceId
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {where === null
          ? conflictsWords.noScan({ at, what: side.checkerName })
          : conflictsWords.side({ at, by: side.checkerName, where })}
      </dd>
    </div>
  )
}

import { MINUTE_MS } from '@garba/shared/constants'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import { GATE } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'
import { isSilentTonight } from '@garba/shared/rules/event/inside'
import { Card, EmptyCard } from '../../kit/Card.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { ColumnTable } from '../../kit/Table.tsx'
import { useLiveEvening } from '../evening/Headline.tsx'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import { EVACUATION, INSIDE } from '../texts/ground.ts'
import styles from './Register.module.css'
import { PrintButton } from './RegisterView.tsx'

export default function EvacuationView() {
  const { evening, ...query } = useLiveEvening()
  return (
    <DeskFrame title={DESK.titles.evacuation} actions={evening ? <PrintButton /> : null}>
      <LoadFailure query={query} failed={FIGURES.evening.failed} />
      {query.isPending ? <SkeletonCards heights={[120, 200, 120]} label={FIGURES.evening.loading} /> : null}
      {evening ? (
        <div className={styles.sheet}>
          <InsideNow evening={evening} />
          <AtGates gates={evening.gates} />
          <OutOfContact evening={evening} />
        </div>
      ) : null}
    </DeskFrame>
  )
}

const InsideNow = ({ evening: { at, inside, capacity } }: { evening: EveningFigures }) => {
  const { momentOf } = useDates()
  return (
    <Card title={INSIDE.title}>
      <p className={styles.inside}>
        <strong className="tabular">{INSIDE.between(inside.low, inside.high)}</strong>{' '}
        {capacity === null ? null : INSIDE.of(capacity)}
      </p>
      <p className="soft">
        <time dateTime={at}>{EVACUATION.asOf(momentOf(at))}</time>
      </p>
    </Card>
  )
}

const AtGates = ({ gates }: Pick<EveningFigures, 'gates'>) => (
  <Card title={EVACUATION.gates} flush>
    <ColumnTable
      caption={EVACUATION.gates}
      bare
      rows={gates}
      keyOf={({ none, name }) => (none ? '' : name)}
      columns={[
        { title: GATE.column, cell: ({ name }) => name },
        { title: INSIDE.title, numeric: true, cell: ({ inside }) => <strong>{formatCount(inside)}</strong> },
      ]}
    />
    <p className={styles.note}>{gates.length === 0 ? EVACUATION.noGates : EVACUATION.gatesNote}</p>
  </Card>
)

const OutOfContact = ({ evening: { devices, at } }: { evening: EveningFigures }) => {
  const { sinceOf } = useDates()
  const now = Date.parse(at)
  const away = devices.filter(
    ({ lastSeen, unsent, ended }) => unsent > 0 || (!ended && isSilentTonight({ lastSeen: Date.parse(lastSeen) }, now)),
  )
  if (away.length === 0) return <EmptyCard title={EVACUATION.away}>{EVACUATION.none}</EmptyCard>
  return (
    <Card title={EVACUATION.away} flush>
      <ColumnTable
        caption={EVACUATION.away}
        bare
        rows={away}
        keyOf={({ deviceId }) => deviceId}
        columns={[
          {
            title: EVACUATION.phone,

            cell: ({ deviceName, deviceId }) => deviceName ?? deviceId.slice(0, 6),
          },
          { title: EVACUATION.person, cell: ({ checkerName }) => checkerName },
          {
            title: EVACUATION.seen,
            cell: ({ lastSeen }) =>
              `${sinceOf(lastSeen, at)}, ${EVACUATION.silent(Math.floor((now - Date.parse(lastSeen)) / MINUTE_MS))}`,
          },
          { title: EVACUATION.unsent, numeric: true, cell: ({ unsent }) => formatCount(unsent) },
        ]}
      />
    </Card>
  )
}

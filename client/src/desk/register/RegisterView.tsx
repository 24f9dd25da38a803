import { MINUTE_MS } from '@garba/shared/constants'
import type { EveningRegister, RegisterRow } from '@garba/shared/contracts/register'
import { HOMES } from '@garba/shared/contracts/site/pages'
import { forecastOffText } from '@garba/shared/messages/amounts'
import { GATE } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'
import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { Card, EmptyCard, Fact } from '../../kit/Card.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { type Column, ColumnTable } from '../../kit/Table.tsx'
import { callFile } from '../../platform/http/call.ts'
import { queries } from '../../platform/queries.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { ExportButton } from '../frame/ExportButton.tsx'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { useDeskHome } from '../frame/places.ts'
import { DESK } from '../texts/desk.ts'
import { REGISTER } from '../texts/ground.ts'
import styles from './Register.module.css'

const { columns } = REGISTER

export default function RegisterView() {
  const { eventQuery } = useDeskEvent()
  const query = useQuery(queries.register(eventQuery))
  const isAdmin = useDeskHome() === HOMES.admin
  const register = query.data?.data
  return (
    <DeskFrame
      title={DESK.titles.register}
      byEvent
      actions={
        register ? (
          <>
            {isAdmin ? (
              <ExportButton
                fetch={() => callFile('exportRegister', { query: eventQuery })}
                name="register.csv"
                label={REGISTER.exportCsv}
              />
            ) : null}
            <PrintButton />
          </>
        ) : null
      }
    >
      <LoadFailure query={query} failed={REGISTER.failed} />
      {query.isPending ? <SkeletonCards heights={[200, 160, 240]} label={REGISTER.loading} /> : null}
      {register ? <Register register={register} /> : null}
    </DeskFrame>
  )
}

export const PrintButton = () => (
  <Button size="sm" icon={<Printer />} onClick={() => window.print()}>
    {REGISTER.print}
  </Button>
)

const COUNTS = ['in', 'returned', 'out', 'counted', 'refused', 'doubles', 'alarms'] as const
type Counts = Record<(typeof COUNTS)[number], number>

const sumRows = (rows: readonly RegisterRow[]): Counts =>
  Object.fromEntries(COUNTS.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Counts

const countColumns = <Row extends Counts & { inside: number }>(): Column<Row>[] => [
  ...(['in', 'returned', 'out', 'counted'] as const).map((name) => buildColumn<Row>(name)),
  { title: columns.inside, numeric: true, cell: ({ inside }) => <Figure n={inside} /> },
  ...(['refused', 'doubles', 'alarms'] as const).map((name) => buildColumn<Row>(name)),
]

const buildColumn = <Row extends Counts>(name: keyof Counts): Column<Row> => ({
  title: columns[name],
  numeric: true,
  cell: (row) => <Figure n={row[name]} />,
})

const Figure = ({ n }: { n: number }) => <span data-zero={n === 0 || undefined}>{formatCount(n)}</span>

const Register = ({ register }: { register: EveningRegister }) => {
  const { rows, channels, forecasts } = register
  const { timeOf } = useDates()
  return (
    <div className={styles.sheet}>
      <InAll register={register} />
      {rows.length === 0 ? (
        <EmptyCard title={REGISTER.gates}>{REGISTER.nothing}</EmptyCard>
      ) : (
        <>
          <Card title={REGISTER.gates} flush>
            <ColumnTable
              caption={REGISTER.gates}
              bare
              rows={totalGates(rows)}
              keyOf={({ gate }) => gate ?? ''}
              columns={[
                { title: columns.gate, wide: true, cell: ({ gate }) => gate ?? GATE.noGate },
                ...countColumns(),
              ]}
            />
            <p className={styles.note}>{REGISTER.alarmsNote}</p>
          </Card>
          <Card title={REGISTER.quarters} flush>
            <ColumnTable
              caption={REGISTER.quarters}
              bare
              rows={totalQuarters(rows)}
              keyOf={({ from }) => from}
              columns={[{ title: columns.from, wide: true, cell: ({ from }) => timeOf(from) }, ...countColumns()]}
            />
          </Card>
        </>
      )}
      {channels.length === 0 ? null : (
        <Card title={REGISTER.channels} flush>
          <ColumnTable
            caption={REGISTER.channels}
            bare
            rows={channels}
            keyOf={({ channel }) => channel}
            columns={[
              { title: columns.channel, cell: ({ channel }) => GATE.kinds[channel] },
              { title: columns.sold, numeric: true, cell: ({ sold }) => formatCount(sold) },
              { title: columns.used, numeric: true, cell: ({ used }) => formatCount(used) },
            ]}
          />
        </Card>
      )}
      {forecasts.length === 0 ? null : (
        <Card title={REGISTER.forecasts} flush>
          <ColumnTable
            caption={REGISTER.forecasts}
            bare
            rows={forecasts}
            keyOf={({ at }) => at}
            columns={[
              { title: columns.at, cell: ({ at }) => timeOf(at) },
              { title: columns.allInBy, cell: ({ allInBy }) => timeOf(allInBy) },
              { title: columns.off, cell: ({ off }) => forecastOffText(off) },
            ]}
          />
        </Card>
      )}
    </div>
  )
}

const InAll = ({ register: { event, rows, closed } }: { register: EveningRegister }) => {
  const { timeOf, momentOf } = useDates()
  const sums = sumRows(rows)
  const most = rows.reduce<RegisterRow | undefined>(
    (top, row) => (row.insideInAll > (top?.insideInAll ?? 0) ? row : top),
    undefined,
  )
  return (
    <Card title={REGISTER.evening}>
      <dl className={styles.facts}>
        <Fact label={REGISTER.event}>{event}</Fact>
        {COUNTS.map((name) => (
          <Fact key={name} label={columns[name]}>
            {formatCount(sums[name])}
          </Fact>
        ))}
        <Fact label={REGISTER.most}>{most ? REGISTER.mostAt(most.insideInAll, timeOf(most.minute)) : null}</Fact>
        <Fact label={REGISTER.closed}>
          {closed ? REGISTER.closedBy(closed.by, momentOf(closed.at)) : REGISTER.notClosed}
        </Fact>
      </dl>
    </Card>
  )
}

/** In the order in which the keys come; iOS 16 lacks Map.groupBy. */
function groupRows<Key>(rows: readonly RegisterRow[], keyOf: (row: RegisterRow) => Key): [Key, RegisterRow[]][] {
  const groups = new Map<Key, RegisterRow[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups]
}

const totalGates = (rows: readonly RegisterRow[]) =>
  groupRows(rows, ({ gate }) => gate)
    .map(([gate, own]) => ({ gate, ...sumRows(own), inside: own.at(-1)?.inside ?? 0 }))
    .toSorted((a, b) => Number(a.gate === null) - Number(b.gate === null) || (a.gate ?? '').localeCompare(b.gate ?? ''))

const QUARTER_MS = 15 * MINUTE_MS

const totalQuarters = (rows: readonly RegisterRow[]) =>
  groupRows(rows, ({ minute }) => Math.floor(Date.parse(minute) / QUARTER_MS) * QUARTER_MS).map(([from, own]) => ({
    from: new Date(from).toISOString(),
    ...sumRows(own),
    inside: own.at(-1)?.insideInAll ?? 0,
  }))

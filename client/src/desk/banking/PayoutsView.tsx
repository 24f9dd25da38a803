import type { Payout, SettlementDifference } from '@garba/shared/contracts/statement'
import { formatCount } from '@garba/shared/messages/language'
import { STATEMENT } from '@garba/shared/messages/money'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { Landmark } from 'lucide-react'
import { StateChip } from '../../kit/Badge.tsx'
import { Card } from '../../kit/Card.tsx'
import { EmptyState } from '../../kit/ErrorPanel.tsx'
import { SkeletonRows } from '../../kit/Skeleton.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { callFile } from '../../platform/http/call.ts'
import { queries } from '../../platform/queries.ts'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { ExportButton } from '../frame/ExportButton.tsx'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import styles from './Banking.module.css'
import { OrderLink } from './LinesTable.tsx'

const words = STATEMENT.payouts

/** Lists the provider's payouts, and their differences from our payments and refunds. */
export default function PayoutsView() {
  const query = useQuery(queries.settlements())
  const { momentOf } = useDates()
  const load = { query, failed: words.failed }
  const { data } = query
  return (
    <DeskFrame
      title={words.title}
      actions={
        <>
          <ExportButton fetch={() => callFile('exportPayouts')} name="payouts.csv" label={words.exportCsv} />
          <RefreshButton {...load} />
        </>
      }
    >
      <p className={styles.intro}>
        {words.intro} {data ? (data.askedAt === null ? words.never : words.askedAt(momentOf(data.askedAt))) : null}
      </p>
      <LoadFailure {...load} />
      {query.isPending ? <SkeletonRows label={words.loading} /> : null}
      {data ? (
        <>
          <Differences differences={data.differences} asked={data.askedAt !== null} />
          {data.payouts.length === 0 ? (
            <EmptyState level={2} title={words.empty} icon={<Landmark aria-hidden="true" />} />
          ) : (
            <PayoutsTable payouts={data.payouts} busy={query.isFetching} />
          )}
        </>
      ) : null}
    </DeskFrame>
  )
}

const Differences = ({ differences, asked }: { differences: readonly SettlementDifference[]; asked: boolean }) => {
  if (differences.length === 0) return asked ? <StateChip state="ok">{words.agree}</StateChip> : null
  return (
    <Card title={words.differencesTitle}>
      <ul className={styles.differences}>
        {differences.map((difference) => (
          <Difference key={`${difference.kind} ${difference.id}`} {...difference} />
        ))}
      </ul>
    </Card>
  )
}

const Difference = ({ kind, of, id, order, day, ours, settled }: SettlementDifference) => {
  const { dayOf } = useDates()
  const amounts = [
    ours === null ? null : words.ours(formatRupees(ours)),
    settled === null ? null : words.settled(formatRupees(settled)),
  ]
  return (
    <li className={styles.difference}>
      <StateChip state={kind === 'missing' ? 'warn' : 'bad'}>{words.differences[kind]}</StateChip>
      <span className={styles.text}>
        {words.of[of]} {id}, {dayOf(`${day}T12:00:00Z`)}, {amounts.filter(Boolean).join(', ')}
      </span>
      {order === null ? null : <OrderLink code={order} />}
    </li>
  )
}

const PayoutsTable = ({ payouts, busy }: { payouts: readonly Payout[]; busy: boolean }) => {
  const { dayOf } = useDates()
  const head = (
    <>
      <Th>{words.table.day}</Th>
      <Th>{words.table.id}</Th>
      <Th numeric>{words.table.lines}</Th>
      <Th numeric>{words.table.gross}</Th>
      <Th numeric>{words.table.refunded}</Th>
      <Th numeric>{words.table.fees}</Th>
      <Th numeric>{words.table.net}</Th>
    </>
  )
  return (
    <Table caption={words.title} head={head} busy={busy}>
      {payouts.map(({ id, day, lines, gross, refunded, fees, net }) => (
        <Tr key={id}>
          <Td label={words.table.day} className={styles.when}>
            {dayOf(`${day}T12:00:00Z`)}
          </Td>
          <Td label={words.table.id} wide className={styles.text}>
            {id}
          </Td>
          <Td label={words.table.lines} numeric>
            {formatCount(lines)}
          </Td>
          <Td label={words.table.gross} numeric>
            {formatRupees(gross)}
          </Td>
          <Td label={words.table.refunded} numeric>
            {formatRupees(refunded)}
          </Td>
          <Td label={words.table.fees} numeric>
            {formatRupees(fees)}
          </Td>
          <Td label={words.table.net} numeric>
            {formatRupees(net)}
          </Td>
        </Tr>
      ))}
    </Table>
  )
}

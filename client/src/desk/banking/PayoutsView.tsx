import type { Payout, SettlementDifference } from '@garba/shared/contracts/money/statement'
import { formatCount } from '@garba/shared/messages/language'
import { STATEMENT } from '@garba/shared/messages/money'
import { computeSettledDifference, formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { Landmark } from 'lucide-react'
import { StateChip } from '../../kit/Badge.tsx'
import { EmptyState } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { copyText } from '../../kit/copyText.ts'
import { SkeletonRows } from '../../kit/Skeleton.tsx'
import { ColumnTable } from '../../kit/Table.tsx'
import { callFile } from '../../platform/http/call.ts'
import { queries } from '../../platform/queries.ts'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { calendarDay, useDates } from '../frame/dates.ts'
import { ExportButton } from '../frame/ExportButton.tsx'
import { DaysChoice, isNarrowed, useDays } from '../frame/fields/DaysChoice.tsx'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { useDeskHome } from '../frame/places.ts'
import { DESK } from '../texts/desk.ts'
import styles from './StatementView.module.css'

const words = STATEMENT.payouts

export default function PayoutsView() {
  const days = useDays()
  const query = useQuery(queries.settlements(days))
  const { momentOf } = useDates()
  const load = { query, failed: words.failed }
  const { data } = query
  return (
    <DeskFrame
      title={words.title}
      actions={
        <>
          <DaysChoice />
          <RefreshButton query={load.query} />
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
          <Differences differences={data.differences} isCompared={data.askedAt !== null} />
          {data.payouts.length === 0 ? (
            <EmptyState level={2} title={isNarrowed(days) ? words.emptyThen : words.empty} icon={<Landmark />} />
          ) : (
            <PayoutsTable payouts={data.payouts} busy={query.isFetching} />
          )}
        </>
      ) : null}
    </DeskFrame>
  )
}

const Differences = ({
  differences,
  isCompared,
}: {
  differences: readonly SettlementDifference[]
  isCompared: boolean
}) => {
  const days = useDays()
  if (differences.length === 0) return isCompared ? <StateChip state="ok">{words.agree}</StateChip> : null
  const titles = words.differenceTable
  return (
    <Card
      title={words.differencesTitle}
      actions={
        <ExportButton
          fetch={() => callFile('exportDifferences', { query: days })}
          name="differences.csv"
          label={words.exportDifferences}
        />
      }
    >
      <div className={styles.table}>
        <ColumnTable
          bare
          caption={words.differencesTitle}
          rows={differences}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          columns={[
            { title: titles.kind, wide: true, cell: ({ kind }) => <Kind kind={kind} /> },
            { title: titles.id, wide: true, className: styles.text, cell: ({ of, id }) => `${words.of[of]} ${id}` },
            { title: titles.day, className: styles.when, cell: ({ day }) => calendarDay(day) },
            { title: titles.ours, numeric: true, cell: ({ ours }) => amount(ours) },
            { title: titles.settled, numeric: true, cell: ({ settled }) => amount(settled) },
            {
              title: titles.difference,
              numeric: true,
              cell: (difference) => <strong>{formatRupees(computeSettledDifference(difference))}</strong>,
            },
            { title: titles.action, untitled: true, numeric: true, cell: (one) => <LookUp {...one} /> },
          ]}
        />
      </div>
    </Card>
  )
}

const amount = (rupees: number | null) => (rupees === null ? '–' : formatRupees(rupees))

const Kind = ({ kind }: Pick<SettlementDifference, 'kind'>) => (
  <StateChip state={kind === 'missing' ? 'warn' : 'bad'}>{words.differences[kind]}</StateChip>
)

const LookUp = ({ id, order }: SettlementDifference) => {
  const home = useDeskHome()
  return order === null ? (
    <Button
      size="sm"
      aria-label={words.copyOf(id)}
      onClick={() => void copyText(id, { copied: words.copied, failed: DESK.notCopied })}
    >
      {words.copy}
    </Button>
  ) : (
    <ButtonLink size="sm" to={`${home}/orders/${order}`} aria-label={words.openOf(order)}>
      {words.open}
    </ButtonLink>
  )
}

const PayoutsTable = ({ payouts, busy }: { payouts: readonly Payout[]; busy: boolean }) => {
  const days = useDays()
  return (
    <Card
      title={words.paidOut}
      flush
      actions={
        <ExportButton
          fetch={() => callFile('exportPayouts', { query: days })}
          name="payouts.csv"
          label={words.exportCsv}
        />
      }
    >
      <ColumnTable
        bare
        caption={words.title}
        busy={busy}
        rows={payouts}
        keyOf={({ id }) => id}
        columns={[
          { title: words.table.day, className: styles.when, cell: ({ day }) => calendarDay(day) },
          { title: words.table.id, wide: true, className: styles.text, cell: ({ id }) => id },
          { title: words.table.lines, numeric: true, cell: ({ lines }) => formatCount(lines) },
          { title: words.table.gross, numeric: true, cell: ({ gross }) => formatRupees(gross) },
          { title: words.table.refunded, numeric: true, cell: ({ refunded }) => formatRupees(refunded) },
          { title: words.table.fees, numeric: true, cell: ({ fees }) => formatRupees(fees) },
          { title: words.table.net, numeric: true, cell: ({ net }) => formatRupees(net) },
        ]}
      />
    </Card>
  )
}

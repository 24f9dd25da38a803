import type { StatementLine } from '@garba/shared/contracts/money/statement'
import type { StatementMatch } from '@garba/shared/contracts/names'
import { STATEMENT } from '@garba/shared/messages/money'
import { formatRupees } from '@garba/shared/rules/money'
import { Link } from 'react-router'
import { StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { ColumnTable } from '../../kit/Table.tsx'
import { calendarDay } from '../frame/dates.ts'
import { useDeskHome } from '../frame/places.ts'
import styles from './StatementView.module.css'

const words = STATEMENT
const TONE = {
  ready: 'ok',
  proposed: 'info',
  begins: 'info',
  amount: 'info',
  disputed: 'bad',
  differs: 'warn',
  paid: 'warn',
  unmatched: 'info',
  aside: 'info',
  done: 'ok',
} as const satisfies Record<StatementMatch, string>

const PROPOSALS: readonly StatementMatch[] = ['proposed', 'begins', 'amount']

interface LinesTableProps {
  lines: readonly StatementLine[]
  busy: boolean
  onConfirm: (id: string) => void
  onRecord: (line: StatementLine) => void
  onSetAside: (line: StatementLine) => void
}

export const isUnplaced = ({ match }: StatementLine): boolean => match === 'unmatched'

export const LinesTable = ({ lines, busy, ...acts }: LinesTableProps) => {
  const { table } = words
  return (
    <ColumnTable
      caption={words.title}
      busy={busy}
      rows={lines}
      keyOf={({ id }) => id}
      columns={[
        {
          title: table.match,
          cell: ({ match, other }) => (
            <StateChip state={TONE[match]}>
              {match === 'disputed' && other === null ? words.anotherForm : words.matches[match]}
            </StateChip>
          ),
        },
        { title: table.day, numeric: true, className: styles.when, cell: ({ day }) => calendarDay(day) },
        {
          title: table.amount,
          numeric: true,
          className: styles.when,
          cell: ({ amount, match, order }) => (
            <>
              {formatRupees(amount)}
              {match === 'differs' && order ? (
                <span className={styles.second}>{words.asked(formatRupees(order.total))}</span>
              ) : null}
            </>
          ),
        },
        {
          title: table.order,
          wide: true,
          text: true,
          fullText: ({ order }) => order?.buyer,
          cell: ({ order, other }) => (
            <>
              {order ? <OrderLink {...order} /> : '–'}
              {other ? <OrderLink {...other} /> : null}
            </>
          ),
        },
        { title: table.utr, numeric: true, cell: ({ utr }) => utr ?? words.noUtr },
        { title: table.text, wide: true, className: styles.text, cell: ({ text }) => text || '–' },
        { title: table.action, untitled: true, cell: (line) => <Actions line={line} {...acts} /> },
      ]}
    />
  )
}

const Actions = ({
  line,
  onConfirm,
  onRecord,
  onSetAside,
}: { line: StatementLine } & Omit<LinesTableProps, 'lines' | 'busy'>) => {
  const { id, match, order } = line
  return (
    <div className={styles.match}>
      {order && PROPOSALS.includes(match) ? (
        <Button size="sm" aria-label={words.confirmOrder(order.code)} onClick={() => onConfirm(id)}>
          {words.confirmYes}
        </Button>
      ) : null}
      {match === 'paid' && order && line.utr !== null ? (
        <Button
          size="sm"
          aria-label={words.record.title(formatRupees(line.amount), order.code)}
          onClick={() => onRecord(line)}
        >
          {words.record.action}
        </Button>
      ) : null}
      {match === 'ready' || match === 'done' ? null : (
        <Button
          size="sm"
          tone="ghost"
          aria-label={words.aside.of(formatRupees(line.amount))}
          onClick={() => onSetAside(line)}
        >
          {words.aside.action}
        </Button>
      )}
    </div>
  )
}

const OrderLink = ({ code, buyer }: { code: string; buyer?: string }) => {
  const home = useDeskHome()
  return (
    <>
      <Link to={`${home}/orders/${code}`} className={styles.code}>
        {code}
      </Link>
      {buyer === undefined ? null : <span className={styles.second}>{buyer}</span>}
    </>
  )
}

import type { StatementMatch } from '@garba/shared/contracts/names'
import type { StatementLine } from '@garba/shared/contracts/statement'
import { STATEMENT } from '@garba/shared/messages/money'
import { formatRupees } from '@garba/shared/rules/money'
import { Link } from 'react-router'
import { StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { calendarDay } from '../frame/dates.ts'
import { useDeskHome } from '../frame/places.ts'
import styles from './Banking.module.css'

const words = STATEMENT
const TONE = {
  ready: 'ok',
  proposed: 'info',
  disputed: 'bad',
  differs: 'warn',
  paid: 'warn',
  unmatched: 'info',
  aside: 'info',
  done: 'ok',
} as const satisfies Record<StatementMatch, string>

interface LinesTableProps {
  lines: readonly StatementLine[]
  busy: boolean
  onConfirm: (id: string) => void
  onRecord: (line: StatementLine) => void
  onSetAside: (line: StatementLine) => void
}

/** Whether no known order belongs to this money. */
export const isUnplaced = ({ match }: StatementLine): boolean => match === 'unmatched'

export const LinesTable = ({ lines, busy, ...acts }: LinesTableProps) => {
  const head = (
    <>
      <Th>{words.table.match}</Th>
      <Th numeric>{words.table.day}</Th>
      <Th numeric>{words.table.amount}</Th>
      <Th>{words.table.order}</Th>
      <Th numeric>{words.table.utr}</Th>
      <Th>{words.table.text}</Th>
      <Th>
        <span className="spoken">{words.table.action}</span>
      </Th>
    </>
  )
  return (
    <Table caption={words.title} head={head} busy={busy}>
      {lines.map((line) => (
        <LineRow key={line.id} line={line} {...acts} />
      ))}
    </Table>
  )
}

const LineRow = ({
  line,
  onConfirm,
  onRecord,
  onSetAside,
}: { line: StatementLine } & Omit<LinesTableProps, 'lines' | 'busy'>) => {
  const { id, match, order, other } = line
  return (
    <Tr>
      <Td label={words.table.match} wide>
        <StateChip state={TONE[match]}>{words.matches[match]}</StateChip>
      </Td>
      <Td label={words.table.day} numeric className={styles.when}>
        {calendarDay(line.day)}
      </Td>
      <Td label={words.table.amount} numeric className={styles.when}>
        {formatRupees(line.amount)}
        {match === 'differs' && order ? (
          <span className={styles.second}>{words.asked(formatRupees(order.total))}</span>
        ) : null}
      </Td>
      <Td label={words.table.order} wide text title={order?.buyer}>
        {order ? <OrderLink {...order} /> : '–'}
        {other ? <OrderLink {...other} /> : null}
      </Td>
      <Td label={words.table.utr} numeric>
        {line.utr ?? words.noUtr}
      </Td>
      <Td label={words.table.text} wide className={styles.text}>
        {line.text || '–'}
      </Td>
      <Td>
        <div className={styles.match}>
          {match === 'proposed' && order ? (
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
      </Td>
    </Tr>
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

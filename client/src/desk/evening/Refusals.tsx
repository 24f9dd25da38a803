import type { Evening } from '@garba/shared/contracts/desk'
import { messageFor } from '@garba/shared/messages/codes'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { formatCount } from '@garba/shared/messages/language'
import { Badge } from '../../kit/Badge.tsx'
import { Card } from '../../kit/Card.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { useDates } from '../frame/dates.ts'
import styles from './Evening.module.css'

const words = FIGURES.evening
const columns = words.refusalColumns
type Refusals = Evening['refusals']
type Code = Refusals['recent'][number]['code']

const REASONS: Partial<Record<Code, string>> = words.refusalReasons
const reasonOf = (code: Code): string => REASONS[code] ?? messageFor(code)

/** Who was turned away and why: counts by reason, then the latest. */
export const RefusalsCard = ({ refusals: { byCode, recent } }: { refusals: Refusals }) => {
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
      <Card title={words.refusals}>
        <p className={styles.soft}>{words.noRefusals}</p>
      </Card>
    )
  }
  return (
    <Card title={words.refusals} flush>
      <ul className={styles.reasons}>
        {byCode.map(({ code, count }) => (
          <li key={code}>
            <Badge>
              {reasonOf(code)}: {formatCount(count)}
            </Badge>
          </li>
        ))}
      </ul>
      <Table caption={words.refusals} head={head} bare>
        {recent.map(({ at, code, name, checkerName, deviceName, ticketId }) => (
          <Tr key={`${at} ${ticketId ?? ''} ${checkerName}`}>
            <Td label={columns.at}>
              <time dateTime={at}>{timeOf(at)}</time>
            </Td>
            <Td label={columns.reason}>{reasonOf(code)}</Td>
            <Td label={columns.holder}>{name ?? words.unknownHolder}</Td>
            <Td label={columns.checker}>{checkerName}</Td>
            <Td label={columns.device}>{deviceName ?? words.unnamedDevice}</Td>
          </Tr>
        ))}
      </Table>
    </Card>
  )
}

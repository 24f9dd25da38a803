import type { FlaggedScan } from '@garba/shared/contracts/phones/device'
import { last8 } from '@garba/shared/messages/common'
import { FLAG_LABELS } from '@garba/shared/messages/gate'
import { Card } from '../../kit/Card.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { useDates } from '../frame/dates.ts'
import { DEVICES } from '../texts/figures.ts'
import styles from './Devices.module.css'

const words = DEVICES.flaggedCard
const { columns } = words

/** Admissions sent by phones that had ended; nothing when there are none. */
export const FlaggedScans = ({ scans }: { scans: readonly FlaggedScan[] }) => {
  const { momentOf } = useDates()
  if (scans.length === 0) return null
  const head = (
    <>
      <Th>{columns.at}</Th>
      <Th>{columns.received}</Th>
      <Th>{columns.ticket}</Th>
      <Th>{columns.checker}</Th>
      <Th>{columns.device}</Th>
      <Th>{columns.why}</Th>
    </>
  )
  return (
    <Card title={words.title} flush>
      <p className={styles.cardText}>{words.text}</p>
      <Table caption={words.title} head={head} bare>
        {scans.map((scan) => (
          <Tr key={scan.scanId}>
            <Td label={columns.at} className={styles.when}>
              <time dateTime={scan.at}>{momentOf(scan.at)}</time>
            </Td>
            <Td label={columns.received} className={styles.when}>
              <time dateTime={scan.receivedAt}>{momentOf(scan.receivedAt)}</time>
            </Td>
            <Td label={columns.ticket}>
              {scan.ticketId === null ? words.noTicket : last8(scan.ticketId)}, {words.outcomes[scan.outcome]}
            </Td>
            <Td label={columns.checker} text title={scan.checkerName}>
              {scan.checkerName}
            </Td>
            <Td label={columns.device} text title={scan.deviceName ?? undefined}>
              {scan.deviceName ?? words.unnamedDevice}
            </Td>
            <Td label={columns.why} wide className={styles.why}>
              {FLAG_LABELS[scan.flag]}
            </Td>
          </Tr>
        ))}
      </Table>
    </Card>
  )
}

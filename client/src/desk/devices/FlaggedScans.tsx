import type { FlaggedScan } from '@garba/shared/contracts/phones/device'
import { shortenTicketId } from '@garba/shared/messages/common'
import { FLAG_LABELS } from '@garba/shared/messages/gate'
import { Card } from '../../kit/Card.tsx'
import { ColumnTable } from '../../kit/Table.tsx'
import { useDates } from '../frame/dates.ts'
import { DEVICES } from '../texts/devices.ts'
import styles from './DevicesView.module.css'

const words = DEVICES.flaggedCard
const { columns } = words

export const FlaggedScans = ({ scans }: { scans: readonly FlaggedScan[] }) => {
  const { momentOf } = useDates()
  if (scans.length === 0) return null
  const timeCell = (iso: string) => <time dateTime={iso}>{momentOf(iso)}</time>
  return (
    <Card title={words.title} flush>
      <p className={styles.cardText}>{words.text}</p>
      <ColumnTable
        caption={words.title}
        bare
        rows={scans}
        keyOf={({ scanId }) => scanId}
        columns={[
          { title: columns.at, className: styles.when, cell: ({ at }) => timeCell(at) },
          { title: columns.received, className: styles.when, cell: ({ receivedAt }) => timeCell(receivedAt) },
          {
            title: columns.ticket,
            cell: ({ ticketId, outcome }) =>
              `${ticketId === null ? words.noTicket : shortenTicketId(ticketId)}, ${words.outcomes[outcome]}`,
          },
          {
            title: columns.checker,
            text: true,
            fullText: ({ checkerName }) => checkerName,
            cell: ({ checkerName }) => checkerName,
          },
          {
            title: columns.device,
            text: true,
            fullText: ({ deviceName }) => deviceName ?? undefined,
            cell: ({ deviceName }) => deviceName ?? words.unnamedDevice,
          },
          { title: columns.why, wide: true, className: styles.why, cell: ({ flag }) => FLAG_LABELS[flag] },
        ]}
      />
    </Card>
  )
}

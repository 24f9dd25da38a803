import { ticketStatusSchema } from '@garba/shared/contracts/common'
import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { DESK } from '@garba/shared/messages/desk'
import { formatRupees } from '@garba/shared/rules/money'
import { CircleCheck, CircleX, Ticket as TicketIcon, Trash2 } from 'lucide-react'
import { cx } from '../../kit/cx.ts'
import { IconButton } from '../../kit/IconButton.tsx'
import { Select } from '../../kit/Select.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { useDates } from '../frame/dates.ts'
import { SelectBox } from '../frame/SelectBox.tsx'
import styles from './Tickets.module.css'

const words = DESK.tickets

interface TicketsTableProps {
  tickets: readonly Ticket[]
  busy: boolean
  selected: ReadonlyMap<string, Ticket>
  onSelect: (tickets: readonly Ticket[], on: boolean) => void
  onStatus: (ticket: Ticket, status: TicketStatus) => void
  onRefund: (ticket: Ticket, isRefundDone: boolean | null) => void
  onDelete: (ticket: Ticket) => void
}

export const TicketsTable = ({
  tickets,
  busy,
  selected,
  onSelect,
  onStatus,
  onRefund,
  onDelete,
}: TicketsTableProps) => {
  const head = (
    <>
      <Th>
        <span className={styles.first}>
          <SelectBox
            label={words.selectAll}
            checked={tickets.length > 0 && tickets.every(({ _id }) => selected.has(_id))}
            onSelect={(on) => onSelect(tickets, on)}
          />
          {words.columns.ticket}
        </span>
      </Th>
      <Th>{words.columns.holder}</Th>
      <Th numeric>{words.columns.price}</Th>
      <Th numeric>{words.columns.bought}</Th>
      <Th numeric>{words.columns.entry}</Th>
      <Th>{words.columns.status}</Th>
      <Th>{words.columns.refund}</Th>
      <Th>{words.columns.caution}</Th>
    </>
  )
  return (
    <Table caption={words.caption} head={head} busy={busy}>
      {tickets.map((ticket) => (
        <TicketRow
          key={ticket.id}
          ticket={ticket}
          selected={selected.has(ticket._id)}
          onSelect={(on) => onSelect([ticket], on)}
          onStatus={(status) => onStatus(ticket, status)}
          onRefund={(isRefundDone) => onRefund(ticket, isRefundDone)}
          onDelete={() => onDelete(ticket)}
        />
      ))}
    </Table>
  )
}

const ICON = { active: TicketIcon, used: CircleCheck, cancelled: CircleX } as const

/** A ticket's status as icon, word and colour (LOOK 3). */
const StatusMark = ({ status }: { status: TicketStatus }) => {
  const Icon = ICON[status]
  return (
    <span className={cx(styles.mark, styles[status])}>
      <Icon aria-hidden="true" size={16} />
      {DESK.tickets.statuses[status]}
    </span>
  )
}

const STATUSES = ticketStatusSchema.options.map((value) => ({
  value,
  label: <StatusMark status={value} />,
}))
const REFUNDS = (['unset', 'true', 'false'] as const).map((value) => ({ value, label: words.refunds[value] }))
const REFUND_VALUE = { unset: null, true: true, false: false } as const

interface TicketRowProps {
  ticket: Ticket
  selected: boolean
  onSelect: (on: boolean) => void
  onStatus: (status: TicketStatus) => void
  onRefund: (isRefundDone: boolean | null) => void
  onDelete: () => void
}

const TicketRow = ({ ticket, selected, onSelect, onStatus, onRefund, onDelete }: TicketRowProps) => {
  const { dayOf, momentOf } = useDates()
  const shortId = last8(ticket.id)
  const refund = ticket.isRefundDone === null ? 'unset' : ticket.isRefundDone ? 'true' : 'false'
  return (
    <Tr selected={selected}>
      <Td>
        <span className={styles.first}>
          <SelectBox label={words.selectRow(shortId)} checked={selected} onSelect={onSelect} />
          <span className={styles.id} title={ticket.id}>
            {shortId}
          </span>
        </span>
      </Td>
      <Td label={words.columns.holder} wide>
        <span className={styles.holder}>
          <span className={styles.name}>{ticket.user.name}</span>
          <span className={styles.email}>{ticket.user.email}</span>
        </span>
      </Td>
      <Td label={words.columns.price} numeric>
        {formatRupees(ticket.price)}
      </Td>
      <Td label={words.columns.bought} numeric className={styles.when}>
        {dayOf(ticket.createdAt)}
      </Td>
      <Td label={words.columns.entry} numeric className={styles.when}>
        {ticket.entryTime === null ? words.noEntry : momentOf(ticket.entryTime)}
      </Td>
      <Td label={words.columns.status} className={styles.choice}>
        <Select
          label={words.statusOf(shortId)}
          hideLabel
          size="sm"
          value={ticket.status}
          options={STATUSES}
          onChange={onStatus}
        />
      </Td>
      <Td label={words.columns.refund} className={styles.choice}>
        {ticket.status === 'cancelled' ? (
          <Select
            label={words.refundOf(shortId)}
            hideLabel
            size="sm"
            value={refund}
            options={REFUNDS}
            onChange={(value) => onRefund(REFUND_VALUE[value])}
          />
        ) : (
          <span className={styles.soft}>{words.noRefund}</span>
        )}
      </Td>
      <Td label={words.columns.caution}>
        <IconButton label={words.deleteOf(shortId)} icon={<Trash2 aria-hidden="true" />} onClick={onDelete} />
      </Td>
    </Tr>
  )
}

import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { DESK } from '@garba/shared/messages/desk'
import { Table, Th } from '../../kit/Table.tsx'
import { SelectBox } from '../frame/SelectBox.tsx'
import { TicketRow } from './TicketRow.tsx'
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

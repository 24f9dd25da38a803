import { ticketStatusSchema } from '@garba/shared/contracts/common'
import type { TicketStatus } from '@garba/shared/contracts/names'
import type { ManagedTicket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { BLOCK } from '@garba/shared/messages/gate'
import { SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { formatRupees } from '@garba/shared/rules/money'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import {
  CircleCheck,
  CircleX,
  Link2,
  QrCode,
  ReceiptText,
  RefreshCw,
  ScrollText,
  Ticket as TicketIcon,
  Trash2,
} from 'lucide-react'
import type { MouseEvent } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { cx } from '../../kit/cx.ts'
import { Checkbox } from '../../kit/Field.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { MenuItem } from '../../kit/Menu.tsx'
import { Email } from '../../kit/Person.tsx'
import { Select } from '../../kit/Select.tsx'
import { Td, Th, Tr } from '../../kit/Table.tsx'
import { useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { CopyItem, MenuTable, PlaceItem, RowMenu } from '../frame/RowMenu.tsx'
import { SelectAll } from '../frame/TableView.tsx'
import { SortTh } from '../frame/tableUrl.tsx'
import { DESK } from '../texts/desk.ts'
import styles from './TicketsView.module.css'

const words = DESK.tickets

interface TicketChanges {
  onStatus: (ticket: ManagedTicket, status: TicketStatus) => void
  onRefund: (ticket: ManagedTicket, isRefundDone: boolean | null) => void
  onDelete: (ticket: ManagedTicket, press: MouseEvent) => void
  onShow: (ticket: ManagedTicket) => void
  onNewCode: (ticket: ManagedTicket) => void
  onLinks: (ticket: ManagedTicket) => void
}

interface TicketsTableProps extends TicketChanges {
  tickets: readonly ManagedTicket[]
  hasTypes: boolean
  busy: boolean
  selected: ReadonlyMap<string, ManagedTicket>
  onSelect: (tickets: readonly ManagedTicket[], on: boolean) => void
}

export const TicketsTable = ({ tickets, hasTypes, busy, selected, onSelect, ...changes }: TicketsTableProps) => {
  const head = (
    <>
      <SortTh column="ticket" before={<SelectAll label={words.selectAll} rows={tickets} {...{ selected, onSelect }} />}>
        {words.columns.ticket}
      </SortTh>
      <SortTh column="holder">{words.columns.holder}</SortTh>
      {hasTypes ? <Th>{words.columns.type}</Th> : null}
      <SortTh column="price" numeric>
        {words.columns.price}
      </SortTh>
      <SortTh column="bought" numeric newest>
        {words.columns.bought}
      </SortTh>
      <SortTh column="entry" numeric>
        {words.columns.entry}
      </SortTh>
      <SortTh column="status">{words.columns.status}</SortTh>
      <SortTh column="refund">{words.columns.refund}</SortTh>
      <Th place="action">{words.columns.caution}</Th>
    </>
  )
  return (
    <MenuTable list caption={words.caption} head={head} busy={busy}>
      {tickets.map((ticket) => (
        <TicketRow
          key={ticket.id}
          ticket={ticket}
          hasTypes={hasTypes}
          selected={selected.has(ticket._id)}
          onSelect={(on) => onSelect([ticket], on)}
          {...changes}
        />
      ))}
    </MenuTable>
  )
}

const ICON = { active: TicketIcon, used: CircleCheck, cancelled: CircleX } as const

const StatusMark = ({ status }: { status: TicketStatus }) => {
  const Icon = ICON[status]
  return (
    <span className={cx(styles.mark, styles[status])}>
      <Icon size={16} />
      {DESK.tickets.statuses[status]}
    </span>
  )
}

const STATUSES = ticketStatusSchema.options.map((value) => ({ value, label: <StatusMark status={value} /> }))
export const REFUNDS = (['unset', 'true', 'false'] as const).map((value) => ({ value, label: words.refunds[value] }))
export const REFUND_VALUE = { unset: null, true: true, false: false } as const

interface TicketRowProps extends TicketChanges {
  ticket: ManagedTicket
  hasTypes: boolean
  selected: boolean
  onSelect: (on: boolean) => void
}

const TicketRow = ({ ticket, hasTypes, selected, onSelect, ...act }: TicketRowProps) => {
  const { dayOf, momentOf } = useDates()
  const { eventQuery } = useDeskEvent()
  const shortId = shortenTicketId(ticket.id)
  const refund = ticket.isRefundDone === null ? 'unset' : ticket.isRefundDone ? 'true' : 'false'
  return (
    <Tr selected={selected}>
      <Td place="detail">
        <span className={styles.first}>
          <Checkbox label={words.selectRow(shortId)} hideLabel checked={selected} onCheck={onSelect} />
          <span className={styles.id} title={ticket.id}>
            {shortId}
          </span>
          {ticket.paperNumber === undefined ? null : (
            <span className={styles.soft} title={ticket.paperBlock}>
              {BLOCK.printed(ticket.paperNumber)}
            </span>
          )}
        </span>
      </Td>
      <Td label={words.columns.holder} place="title" text title={words.holderOf(ticket)}>
        <span className={styles.name}>{getHolderName(ticket)}</span>
        <span className={styles.email}>
          <Email address={ticket.user.email} />
        </span>
        {ticket.paperBlock === undefined || ticket.paperBlock === getHolderName(ticket) ? null : (
          <span className={styles.soft}>{words.fromBlock(ticket.paperBlock)}</span>
        )}
      </Td>
      {hasTypes ? (
        <Td label={words.columns.type} className={styles.type} title={ticket.type?.name.en}>
          <span>{ticket.type?.name.en}</span>
        </Td>
      ) : null}
      <Td label={words.columns.price} numeric>
        {formatRupees(ticket.price)}
      </Td>
      <Td label={words.columns.bought} numeric className={styles.when}>
        {dayOf(ticket.createdAt)}
      </Td>
      <Td label={words.columns.entry} numeric none={ticket.entryTime === null} className={styles.when}>
        {ticket.entryTime === null ? (ticket.isPast ? words.past : words.noEntry) : momentOf(ticket.entryTime)}
      </Td>
      <Td label={words.columns.status} place="state" className={styles.choice}>
        {ticket.isPast ? (
          <StatusMark status={ticket.status} />
        ) : (
          <Select
            label={words.statusOf(shortId)}
            hideLabel
            size="chip"
            className={cx(styles.chip, styles[ticket.status])}
            value={ticket.status}
            options={STATUSES}
            onChange={(status) => act.onStatus(ticket, status)}
          />
        )}
      </Td>
      <Td
        label={words.columns.refund}
        {...(ticket.status === 'cancelled' ? { place: 'detail' } : { none: true })}
        className={styles.choice}
      >
        {ticket.status === 'cancelled' ? (
          <>
            {ticket.nothingToRefund ? (
              <span className={styles.soft}>{words.nothingToRefund}</span>
            ) : ticket.refund?.inDoubt ? (
              <StateChip state="warn">{words.refundInDoubt}</StateChip>
            ) : (
              <Select
                label={words.refundOf(shortId)}
                hideLabel
                size="chip"
                className={cx(styles.chip, styles[refund])}
                value={refund}
                options={REFUNDS}
                onChange={(value) => act.onRefund(ticket, REFUND_VALUE[value])}
              />
            )}
            <span className={styles.amount} title={ticket.cancellationReason ?? undefined}>
              {ticket.refund && !ticket.nothingToRefund ? formatRupees(ticket.refund.amount) : null}
              {ticket.cancellationReason === null ? null : (
                <span className={styles.reason}> · {ticket.cancellationReason}</span>
              )}
            </span>
          </>
        ) : (
          <span className={styles.soft}>{words.noRefund}</span>
        )}
      </Td>
      <Td label={words.columns.caution} place="action" none={ticket.isPast}>
        {ticket.isPast ? (
          <span className={styles.soft}>{words.past}</span>
        ) : (
          <IconButton
            label={words.deleteOf(shortId)}
            icon={<Trash2 />}
            className={styles.delete ?? ''}
            onClick={(press) => act.onDelete(ticket, press)}
          />
        )}
      </Td>
      <Td corner>
        <RowMenu label={words.moreOf(shortId)}>
          <CopyItem text={ticket.id} toast={SUCCESS_TOASTS.ticketIdCopied}>
            {words.menu.copyId}
          </CopyItem>
          <CopyItem text={ticket.user.email} toast={DESK.emailCopied}>
            {words.menu.copyEmail}
          </CopyItem>
          {ticket.status === 'active' && !ticket.isPast ? (
            <>
              <MenuItem icon={<QrCode />} onSelect={() => act.onShow(ticket)}>
                {words.menu.show}
              </MenuItem>
              <MenuItem icon={<RefreshCw />} onSelect={() => act.onNewCode(ticket)}>
                {words.menu.newCode}
              </MenuItem>
              <MenuItem icon={<Link2 />} onSelect={() => act.onLinks(ticket)}>
                {words.menu.links}
              </MenuItem>
            </>
          ) : null}
          <PlaceItem
            to={`../tickets?${new URLSearchParams({ ...eventQuery, search: ticket.user.email })}`}
            Icon={TicketIcon}
          >
            {words.menu.sameHolder}
          </PlaceItem>
          {ticket.order === null ? null : (
            <PlaceItem to={`../orders/${ticket.order}`} Icon={ReceiptText}>
              {words.menu.order}
            </PlaceItem>
          )}
          <PlaceItem to={`../audit?${new URLSearchParams({ search: ticket.id })}`} Icon={ScrollText}>
            {words.menu.audit}
          </PlaceItem>
        </RowMenu>
      </Td>
    </Tr>
  )
}

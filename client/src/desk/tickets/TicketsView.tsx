import { BULK_UPDATE_MAX, NEW_CODES_MAX, REASON_MAX } from '@garba/shared/constants'
import { ticketStatusSchema } from '@garba/shared/contracts/common'
import type { TicketStatus } from '@garba/shared/contracts/names'
import { type ManagedTicket, TICKET_SORTS } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { LOST } from '@garba/shared/messages/order'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { ListChecks, SearchCheck, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { TextField } from '../../kit/Field.tsx'
import { Select } from '../../kit/Select.tsx'
import { type AnswerOf, callFile } from '../../platform/http/call.ts'
import { queries } from '../../platform/queries.ts'
import { useWithoutDeleted } from '../frame/deletions.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { DownloadButton } from '../frame/ExportButton.tsx'
import { TypeFilter } from '../frame/fields/TypeFilter.tsx'
import { useDeskHome } from '../frame/places.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { SelectionBar, TableView, useSelection } from '../frame/TableView.tsx'
import { filterOptions, useTableUrl, useUrlId } from '../frame/tableUrl.tsx'
import { TicketCodes } from '../sell/TicketCodes.tsx'
import { DESK } from '../texts/desk.ts'
import { LinksDialog } from './LinksDialog.tsx'
import { REFUND_VALUE, REFUNDS, TicketsTable } from './TicketsTable.tsx'
import styles from './TicketsView.module.css'
import { type RefundMany, type UsedTicketsQuestion, useTicketChanges, useWithChanges } from './useTicketChanges.ts'

const words = DESK.tickets

const REFUND_FILTERS = { 'refund-due': 'due', 'refund-failed': 'failed', 'refund-done': 'done' } as const
type Filter = TicketStatus | keyof typeof REFUND_FILTERS
const refundFilters = Object.keys(REFUND_FILTERS) as (keyof typeof REFUND_FILTERS)[]
const isRefundFilter = (filter: Filter | ''): filter is keyof typeof REFUND_FILTERS => filter in REFUND_FILTERS

const FILTERS: readonly Filter[] = [...ticketStatusSchema.options, ...refundFilters]
const FILTER_OPTIONS: readonly { value: Filter | ''; label: string }[] = [
  ...filterOptions(words.allStatuses, ticketStatusSchema.options, words.statuses),
  ...refundFilters.map((value) => ({ value, label: words.refundFilters[REFUND_FILTERS[value]] })),
]

const buildTicketFilter = ({ search, filter }: { search: string; filter: Filter | '' }) =>
  isRefundFilter(filter) ? { search, refund: REFUND_FILTERS[filter] } : { search, status: filter }

type TicketFilter = ReturnType<typeof buildTicketFilter> & { type: string; event?: string }

export default function TicketsView() {
  const url = useTableUrl({ filter: 'status', values: FILTERS, more: ['type'], sorts: TICKET_SORTS })
  const { eventQuery } = useDeskEvent()
  const [type, setType] = useUrlId('type')
  const filters = { ...eventQuery, ...buildTicketFilter(url), type }
  const withoutDeleted = useWithoutDeleted()
  const withChanges = useWithChanges()
  const query = useQuery({
    ...queries.tickets({ page: url.page, sort: url.sort, ...filters }),
    select: ({ tickets, pagination, refundTotal, types }) => ({
      ...withoutDeleted(tickets, pagination, 'totalTickets'),
      refundTotal,
      types,
    }),
  })
  const types = query.data?.types
  const selection = useSelection<ManagedTicket>()
  const [open, setOpen] = useState<'status' | 'refunds' | null>(null)
  // A ticket may have changed in the list since it was selected.
  const listed = new Map(query.data?.rows.map((row) => [row._id, row]))
  const chosen = withChanges([...selection.rows.values()].map((row) => listed.get(row._id) ?? row))
  const ticketIds = chosen.map(({ _id }) => _id)
  const finish = () => {
    setOpen(null)
    selection.clear()
  }
  const over = { onSuccess: finish }
  const changes = useTicketChanges({ onBulkDone: finish })
  const { setStatus, setRefund, newCode, remove, bulk, refundMany } = changes
  // One key per question, so that repeating a request whose answer was lost never makes a second code.
  const [renewing, setRenewing] = useState<{ ticket: ManagedTicket; key: string } | null>(null)
  const [shown, setShown] = useState<ManagedTicket | null>(null)
  const [linksOf, setLinksOf] = useState<string | null>(null)

  return (
    <TableView
      title={DESK.titles.tickets}
      byEvent
      words={url.filter === '' ? { ...words, matches: words.matchesOfAll } : words}
      url={url}
      query={query}
      failed={FAILURE_TOASTS.loadTickets}
      rowsIn={({ pagination }) => pagination.totalTickets}
      takesCodes
      filter={{ label: words.status, options: FILTER_OPTIONS }}
      moreFilters={types && <TypeFilter types={types} value={type} onChange={setType} />}
      actions={<ExportButtons filters={filters} />}
      notice={
        <>
          <LostTicketsNotice />
          <RefundTotal filter={url.filter} rupees={query.data?.refundTotal} />
        </>
      }
      overlays={
        <>
          <TicketSelectionBar tickets={chosen} onChoose={setOpen} onClear={selection.clear} />
          {open === 'status' ? (
            <BulkDialog
              count={chosen.length}
              busy={bulk.isPending}
              onClose={() => setOpen(null)}
              onSave={(status) => bulk.mutate({ ticketIds, status }, over)}
            />
          ) : null}
          {open === 'refunds' ? (
            <RefundDialog
              tickets={chosen}
              busy={refundMany.isPending}
              onClose={() => setOpen(null)}
              onSave={(refunds) => refundMany.mutate({ ticketIds, ...refunds }, over)}
            />
          ) : null}
          <ConfirmDialog
            open={renewing !== null}
            title={words.newCode.title}
            confirmLabel={words.newCode.confirm}
            cancelLabel={words.newCode.keep}
            busy={newCode.isPending}
            onConfirm={() => {
              if (renewing === null) return
              const { ticket, key } = renewing
              const onSuccess = ({ ticket: renewed }: AnswerOf<'newCode'>) => {
                setRenewing(null)
                selection.toggle([ticket], false)
                setShown({ ...ticket, ...renewed })
              }
              newCode.mutate({ id: ticket.id, key }, { onSuccess })
            }}
            onCancel={() => setRenewing(null)}
          >
            {renewing === null
              ? null
              : words.newCode.text({
                  id: shortenTicketId(renewing.ticket.id),
                  left: NEW_CODES_MAX - renewing.ticket.newCodes,
                })}
          </ConfirmDialog>
          {shown === null ? null : (
            <TicketCodes
              tickets={[shown]}
              order={shown.order}
              along={shown.user._id === null || shown.channel !== 'web' ? 'asked' : undefined}
              onClose={() => setShown(null)}
            />
          )}
          {linksOf === null ? null : <LinksDialog ticketId={linksOf} onClose={() => setLinksOf(null)} />}
          <UsedDialog question={changes.question} onClose={changes.closeQuestion} />
        </>
      }
    >
      {({ rows }) => (
        <div className={isRefundFilter(url.filter) ? styles.byRefund : undefined}>
          <TicketsTable
            tickets={withChanges(rows)}
            hasTypes={types !== undefined}
            busy={query.isFetching}
            selected={selection.rows}
            onSelect={selection.toggle}
            onStatus={({ id }, status) => setStatus.mutate({ id, status })}
            onRefund={({ id }, isRefundDone) => setRefund.mutate({ id, isRefundDone })}
            onShow={setShown}
            onLinks={({ _id }) => setLinksOf(_id)}
            onNewCode={(ticket) => setRenewing({ ticket, key: crypto.randomUUID() })}
            onDelete={(ticket, press) => {
              if (remove(ticket, press)) selection.toggle([ticket], false)
            }}
          />
        </div>
      )}
    </TableView>
  )
}

const UsedDialog = ({ question, onClose }: { question: UsedTicketsQuestion | null; onClose: () => void }) => (
  <ConfirmDialog
    open={question !== null}
    title={words.cancelUsed.title}
    tone="danger"
    confirmLabel={words.cancelUsed.confirm}
    cancelLabel={words.cancelUsed.keep}
    onConfirm={() => {
      onClose()
      question?.confirm()
    }}
    onCancel={onClose}
  >
    {words.cancelUsed.text(question?.used ?? 0)}
  </ConfirmDialog>
)

const RefundTotal = ({ filter, rupees }: { filter: Filter | ''; rupees: number | undefined }) =>
  isRefundFilter(filter) && rupees ? (
    <p className={styles.totals}>{words.refundTotals[REFUND_FILTERS[filter]](formatRupees(rupees))}</p>
  ) : null

const ExportButtons = ({ filters }: { filters: TicketFilter }) =>
  (['csv', 'json'] as const).map((format) => (
    <DownloadButton
      key={format}
      fetch={() => callFile('exportTickets', { query: { ...filters, format } })}
      name={`tickets.${format}`}
      done={SUCCESS_TOASTS.ticketsExported}
      failed={FAILURE_TOASTS.exportTickets}
    >
      {format === 'csv' ? words.exportCsv : words.exportJson}
    </DownloadButton>
  ))

interface TicketSelectionBarProps {
  tickets: readonly ManagedTicket[]
  onChoose: (what: 'status' | 'refunds') => void
  onClear: () => void
}

const TicketSelectionBar = ({ tickets, onChoose, onClear }: TicketSelectionBarProps) =>
  tickets.length === 0 ? null : (
    <SelectionBar summary={words.selected(tickets.length)} clearLabel={words.clearSelection} onClear={onClear}>
      {tickets.every(({ status }) => status === 'cancelled') ? (
        <Button size="sm" icon={<Undo2 />} onClick={() => onChoose('refunds')}>
          {words.recordRefunds}
        </Button>
      ) : null}
      {tickets.some(({ isPast }) => isPast) ? null : (
        <Button size="sm" tone="primary" icon={<ListChecks />} onClick={() => onChoose('status')}>
          {words.bulk}
        </Button>
      )}
    </SelectionBar>
  )

const dialogWords = DESK.tickets.dialog
const OPTIONS = filterOptions(dialogWords.choose, ticketStatusSchema.options, DESK.tickets.statuses)

interface BulkDialogProps {
  count: number
  busy: boolean
  onSave: (status: TicketStatus) => void
  onClose: () => void
}

const BulkDialog = ({ count, busy, onSave, onClose }: BulkDialogProps) => {
  const [status, setStatus] = useState<TicketStatus | ''>('')
  const save = () => {
    if (status === '') toast.error(FAILURE_TOASTS.selectTicketsAndStatus)
    else onSave(status)
  }
  return (
    <SaveDialog
      words={dialogWords}
      description={dialogWords.of(count)}
      note={dialogWords.allOrNothing}
      busy={busy}
      missing={count > BULK_UPDATE_MAX ? '' : null}
      onSave={save}
      onClose={onClose}
    >
      <TooMany count={count} />
      <Select label={dialogWords.status} value={status} options={OPTIONS} onChange={setStatus} />
    </SaveDialog>
  )
}

const TooMany = ({ count }: { count: number }) =>
  count <= BULK_UPDATE_MAX ? null : (
    <div className={styles.limit}>
      <Banner tone="warn" live="alert">
        {dialogWords.tooMany({ count, max: BULK_UPDATE_MAX })}
      </Banner>
    </div>
  )

const refundWords = DESK.tickets.refundDialog
const REFUND_OPTIONS = [{ value: '', label: refundWords.choose }, ...REFUNDS] as const

interface RefundDialogProps {
  tickets: readonly ManagedTicket[]
  busy: boolean
  onSave: (refunds: Omit<RefundMany, 'ticketIds'>) => void
  onClose: () => void
}

const RefundDialog = ({ tickets, busy, onSave, onClose }: RefundDialogProps) => {
  const [state, setState] = useState<keyof typeof REFUND_VALUE | ''>('')
  const [reason, setReason] = useState('')
  const rupees = formatRupees(tickets.reduce((sum, ticket) => sum + (ticket.refund?.amount ?? 0), 0))
  return (
    <SaveDialog
      words={refundWords}
      description={refundWords.of({ count: tickets.length, rupees })}
      note={refundWords.allOrNothing}
      busy={busy}
      missing={tickets.length > BULK_UPDATE_MAX ? '' : state === '' ? DESK.missing.state : null}
      onSave={() => {
        if (state !== '')
          onSave({ isRefundDone: REFUND_VALUE[state], ...(reason.trim() === '' ? {} : { reason: reason.trim() }) })
      }}
      onClose={onClose}
    >
      <TooMany count={tickets.length} />
      <Select label={refundWords.state} value={state} options={REFUND_OPTIONS} onChange={setState} />
      <TextField
        label={refundWords.reason}
        hint={refundWords.reasonHint}
        value={reason}
        maxLength={REASON_MAX}
        onType={setReason}
      />
    </SaveDialog>
  )
}

const LostTicketsNotice = () => {
  const home = useDeskHome()
  const { data } = useQuery(queries.lostTickets())
  if (data === undefined || data.waiting === 0) return null
  return (
    <Banner
      tone="warn"
      live="status"
      icon={<SearchCheck />}
      title={LOST.notice(data.waiting)}
      actions={
        <ButtonLink size="sm" to={`${home}/tickets/lost`}>
          {LOST.open}
        </ButtonLink>
      }
    >
      {LOST.noticeText}
    </Banner>
  )
}

import { BULK_UPDATE_MAX } from '@garba/shared/constants'
import { ticketStatusSchema } from '@garba/shared/contracts/common'
import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { DESK } from '@garba/shared/messages/desk'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, ListChecks } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Select } from '../../kit/Select.tsx'
import { callFile } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { queries } from '../../platform/queries.ts'
import { saveFile } from '../../platform/saveFile.ts'
import { useWithoutDeleted } from '../frame/deletions.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { SelectionBar } from '../frame/SelectionBar.tsx'
import { TableView } from '../frame/TableView.tsx'
import { useSelection } from '../frame/useSelection.ts'
import { useTableUrl } from '../frame/useTableUrl.ts'
import styles from './Tickets.module.css'
import { TicketsTable } from './TicketsTable.tsx'
import { useTicketChanges } from './useTicketChanges.ts'

const words = DESK.tickets
const STATUSES = [
  { value: '', label: words.allStatuses },
  ...ticketStatusSchema.options.map((value) => ({ value, label: words.statuses[value] })),
] as const

/** SPEC 2 "Ticket management". */
export default function TicketsView() {
  const url = useTableUrl('status', ticketStatusSchema.options)
  const withoutDeleted = useWithoutDeleted()
  const query = useQuery({
    ...queries.tickets({ page: url.page, search: url.search, status: url.filter }),
    select: ({ tickets, pagination }) => withoutDeleted(tickets, pagination, 'totalTickets'),
  })
  const { setStatus, setRefund, remove, bulk } = useTicketChanges()
  const selection = useSelection<Ticket>()
  const [bulkOpen, setBulkOpen] = useState(false)

  const saveBulk = (status: TicketStatus) =>
    bulk.mutate(
      { ticketIds: [...selection.rows.keys()], status },
      {
        onSuccess: () => {
          setBulkOpen(false)
          selection.clear()
        },
      },
    )

  return (
    <TableView
      title={DESK.titles.tickets}
      words={words}
      url={url}
      query={query}
      failed={FAILURE_TOASTS.loadTickets}
      rowsIn={({ pagination }) => pagination.totalTickets}
      filter={{ label: words.status, options: STATUSES }}
      actions={<ExportButtons />}
      overlays={
        <>
          <TicketSelectionBar count={selection.rows.size} onBulk={() => setBulkOpen(true)} onClear={selection.clear} />
          {bulkOpen ? (
            <BulkDialog
              count={selection.rows.size}
              busy={bulk.isPending}
              onClose={() => setBulkOpen(false)}
              onSave={saveBulk}
            />
          ) : null}
        </>
      }
    >
      {({ rows }) => (
        <TicketsTable
          tickets={rows}
          busy={query.isFetching}
          selected={selection.rows}
          onSelect={selection.toggle}
          onStatus={({ id }, status) => setStatus.mutate({ id, status })}
          onRefund={({ id }, isRefundDone) => setRefund.mutate({ id, isRefundDone })}
          onDelete={(ticket, press) => {
            if (remove(ticket, press)) selection.toggle([ticket], false)
          }}
        />
      )}
    </TableView>
  )
}

const ExportButtons = () => {
  const { mutate, isPending, variables } = useExport()
  return (
    <>
      <Button
        size="sm"
        icon={<Download aria-hidden="true" />}
        busy={isPending && variables === 'csv'}
        onClick={() => mutate('csv')}
      >
        {words.exportCsv}
      </Button>
      <Button
        size="sm"
        icon={<Download aria-hidden="true" />}
        busy={isPending && variables === 'json'}
        onClick={() => mutate('json')}
      >
        {words.exportJson}
      </Button>
    </>
  )
}

/** Downloads all tickets as tickets.csv or tickets.json (SPEC 9). */
const useExport = () =>
  useMutation({
    mutationFn: async (format: 'csv' | 'json') =>
      saveFile(await callFile('exportTickets', { query: { format } }), `tickets.${format}`),
    onSuccess: () => toast.success(SUCCESS_TOASTS.ticketsExported),
    onError: (error) => toast.error(FAILURE_TOASTS.exportTickets(messageOf(error))),
  })

interface TicketSelectionBarProps {
  count: number
  onBulk: () => void
  onClear: () => void
}

const TicketSelectionBar = ({ count, onBulk, onClear }: TicketSelectionBarProps) =>
  count === 0 ? null : (
    <SelectionBar summary={words.selected(count)} clearLabel={words.clearSelection} onClear={onClear}>
      <Button size="sm" tone="primary" icon={<ListChecks aria-hidden="true" />} onClick={onBulk}>
        {words.bulk}
      </Button>
    </SelectionBar>
  )

const dialogWords = DESK.tickets.dialog
const OPTIONS: readonly { value: TicketStatus | ''; label: string }[] = [
  { value: '', label: dialogWords.choose },
  ...ticketStatusSchema.options.map((value) => ({ value, label: DESK.tickets.statuses[value] })),
]

interface BulkDialogProps {
  count: number
  busy: boolean
  onSave: (status: TicketStatus) => void
  onClose: () => void
}

/** Opened from the selection bar, so that there is at least one ticket; says so when the status is missing (SPEC 5). */
const BulkDialog = ({ count, busy, onSave, onClose }: BulkDialogProps) => {
  const [status, setStatus] = useState<TicketStatus | ''>('')
  const tooMany = count > BULK_UPDATE_MAX
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
      disabled={tooMany}
      onSave={save}
      onClose={onClose}
    >
      {tooMany ? (
        <div className={styles.limit}>
          <Banner tone="warn" live="alert">
            {dialogWords.tooMany({ count, max: BULK_UPDATE_MAX })}
          </Banner>
        </div>
      ) : null}
      <Select label={dialogWords.status} value={status} options={OPTIONS} onChange={setStatus} disabled={busy} />
    </SaveDialog>
  )
}

import { ticketStatusSchema } from '@garba/shared/contracts/common'
import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { DESK } from '@garba/shared/messages/desk'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { useState } from 'react'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { TableView } from '../frame/TableView.tsx'
import { useSelection } from '../frame/useSelection.ts'
import { useTableUrl } from '../frame/useTableUrl.ts'
import { BulkDialog } from './BulkDialog.tsx'
import { TicketSelectionBar } from './TicketSelectionBar.tsx'
import { TicketsActions } from './TicketsActions.tsx'
import { TicketsTable } from './TicketsTable.tsx'
import { useTicketChanges } from './useTicketChanges.ts'
import { useTickets } from './useTickets.ts'

const words = DESK.tickets
const STATUSES = [
  { value: '', label: words.allStatuses },
  ...ticketStatusSchema.options.map((value) => ({ value, label: words.statuses[value] })),
] as const

/** SPEC 2 "Ticket management". */
export default function TicketsView() {
  const url = useTableUrl('status', ticketStatusSchema.options)
  const query = useTickets(url)
  const { setStatus, setRefund, remove, bulk } = useTicketChanges()
  const selection = useSelection<Ticket>()
  const [bulkOpen, setBulkOpen] = useState(false)
  const [leaving, setLeaving] = useState<Ticket | null>(null)

  const forget = (ticket: Ticket) => {
    selection.toggle([ticket], false)
    setLeaving(null)
  }
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
      actions={<TicketsActions onBulk={() => setBulkOpen(true)} />}
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
          <ConfirmDialog
            open={leaving !== null}
            title={words.deleteTitle}
            tone="danger"
            confirmLabel={words.deleteConfirm}
            cancelLabel={words.keep}
            busy={remove.isPending}
            onCancel={() => setLeaving(null)}
            onConfirm={() => leaving && remove.mutate(leaving.id, { onSuccess: () => forget(leaving) })}
          >
            {leaving ? words.deleteText(last8(leaving.id), leaving.user.name) : null}
          </ConfirmDialog>
        </>
      }
    >
      {({ tickets }) => (
        <TicketsTable
          tickets={tickets}
          busy={query.isFetching}
          selected={selection.rows}
          onSelect={selection.toggle}
          onStatus={({ id }, status) => setStatus.mutate({ id, status })}
          onRefund={({ id }, isRefundDone) => setRefund.mutate({ id, isRefundDone })}
          onDelete={setLeaving}
        />
      )}
    </TableView>
  )
}

import { ticketStatusSchema } from '@garba/shared/contracts/common'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { DESK } from '@garba/shared/messages/desk'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { last8 } from '@garba/shared/rules/ticketId'
import { useState } from 'react'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { refreshTold } from '../frame/refreshTold.ts'
import { TablePages } from '../frame/TablePages.tsx'
import { TableState } from '../frame/TableState.tsx'
import { useSelection } from '../frame/useSelection.ts'
import { useTableUrl } from '../frame/useTableUrl.ts'
import { BulkDialog } from './BulkDialog.tsx'
import { TicketSelectionBar } from './TicketSelectionBar.tsx'
import { TicketsActions } from './TicketsActions.tsx'
import { TicketsTable } from './TicketsTable.tsx'
import { TicketsToolbar } from './TicketsToolbar.tsx'
import { useTicketChanges } from './useTicketChanges.ts'
import { useTickets } from './useTickets.ts'

const words = DESK.tickets

/** SPEC 2 "Ticket management". */
export default function TicketsView() {
  const url = useTableUrl('status', ticketStatusSchema.options)
  const { data, error, isPending, isFetching, refetch } = useTickets(url)
  const { setStatus, setRefund, remove, bulk } = useTicketChanges()
  const selection = useSelection<Ticket>()
  const [bulkOpen, setBulkOpen] = useState(false)
  const [leaving, setLeaving] = useState<Ticket | null>(null)

  const forget = (ticket: Ticket) => {
    selection.toggle([ticket], false)
    setLeaving(null)
  }

  return (
    <DeskFrame
      title={DESK.titles.tickets}
      actions={
        <TicketsActions
          refreshing={isFetching && !isPending}
          onRefresh={() => refreshTold({ refetch, failed: FAILURE_TOASTS.loadTickets })}
          onBulk={() => setBulkOpen(true)}
        />
      }
    >
      <TicketsToolbar url={url} />
      <TableState
        {...{ error, isPending, words, refetch }}
        failed={FAILURE_TOASTS.loadTickets}
        empty={data?.pagination.totalTickets === 0}
        filtered={url.search !== '' || url.filter !== ''}
        onReset={url.reset}
      />
      {data && data.tickets.length > 0 ? (
        <TicketsTable
          tickets={data.tickets}
          busy={isFetching}
          selected={selection.rows}
          onSelect={selection.toggle}
          onStatus={({ id }, status) => setStatus.mutate({ id, status })}
          onRefund={({ id }, isRefundDone) => setRefund.mutate({ id, isRefundDone })}
          onDelete={setLeaving}
        />
      ) : null}
      {data ? (
        <TablePages label={words.caption} pagination={data.pagination} of={data.pagination.totalTickets} url={url} />
      ) : null}
      <TicketSelectionBar count={selection.rows.size} onBulk={() => setBulkOpen(true)} onClear={selection.clear} />
      {bulkOpen ? (
        <BulkDialog
          count={selection.rows.size}
          busy={bulk.isPending}
          onClose={() => setBulkOpen(false)}
          onSave={(status) =>
            bulk.mutate(
              { ticketIds: [...selection.rows.keys()], status },
              {
                onSuccess: () => {
                  setBulkOpen(false)
                  selection.clear()
                },
              },
            )
          }
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
    </DeskFrame>
  )
}

import { BULK_UPDATE_MAX, REASON_MAX } from '@garba/shared/constants'
import { ticketStatusSchema } from '@garba/shared/contracts/common'
import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { DESK } from '@garba/shared/messages/desk'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { formatRupees } from '@garba/shared/rules/money'
import { useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Select } from '../../kit/Select.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import styles from './Tickets.module.css'
import { REFUND_VALUE, REFUNDS, refundRupees } from './TicketsTable.tsx'
import type { RefundMany } from './useTicketChanges.ts'

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
export const BulkDialog = ({ count, busy, onSave, onClose }: BulkDialogProps) => {
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
      disabled={count > BULK_UPDATE_MAX}
      onSave={save}
      onClose={onClose}
    >
      <TooMany count={count} />
      <Select label={dialogWords.status} value={status} options={OPTIONS} onChange={setStatus} disabled={busy} />
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
  tickets: readonly Ticket[]
  busy: boolean
  onSave: (refunds: Omit<RefundMany, 'ticketIds'>) => void
  onClose: () => void
}

/** Records the refunds of cancelled tickets; the sum is what their buyers get back. */
export const RefundDialog = ({ tickets, busy, onSave, onClose }: RefundDialogProps) => {
  const [state, setState] = useState<keyof typeof REFUND_VALUE | ''>('')
  const [reason, setReason] = useState('')
  const rupees = formatRupees(tickets.reduce((sum, ticket) => sum + refundRupees(ticket), 0))
  return (
    <SaveDialog
      words={refundWords}
      description={refundWords.of({ count: tickets.length, rupees })}
      note={refundWords.allOrNothing}
      busy={busy}
      disabled={state === '' || tickets.length > BULK_UPDATE_MAX}
      onSave={() => {
        if (state !== '')
          onSave({ isRefundDone: REFUND_VALUE[state], ...(reason.trim() === '' ? {} : { reason: reason.trim() }) })
      }}
      onClose={onClose}
    >
      <TooMany count={tickets.length} />
      <Select label={refundWords.state} value={state} options={REFUND_OPTIONS} onChange={setState} disabled={busy} />
      <TextField
        label={refundWords.reason}
        hint={refundWords.reasonHint}
        value={reason}
        maxLength={REASON_MAX}
        disabled={busy}
        onChange={({ target }) => setReason(target.value)}
      />
    </SaveDialog>
  )
}

import { BULK_UPDATE_MAX } from '@garba/shared/constants'
import { ticketStatusSchema } from '@garba/shared/contracts/common'
import type { TicketStatus } from '@garba/shared/contracts/names'
import { DESK } from '@garba/shared/messages/desk'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Select } from '../../kit/Select.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import styles from './Tickets.module.css'

const words = DESK.tickets.dialog
const OPTIONS: readonly { value: TicketStatus | ''; label: string }[] = [
  { value: '', label: words.choose },
  ...ticketStatusSchema.options.map((value) => ({ value, label: DESK.tickets.statuses[value] })),
]

interface BulkDialogProps {
  count: number
  busy: boolean
  onSave: (status: TicketStatus) => void
  onClose: () => void
}

/** Needs at least one ticket and a status, and says so when asked without (SPEC 5). */
export const BulkDialog = ({ count, busy, onSave, onClose }: BulkDialogProps) => {
  const [status, setStatus] = useState<TicketStatus | ''>('')
  const tooMany = count > BULK_UPDATE_MAX
  const save = () => {
    if (count === 0 || status === '') toast.error(FAILURE_TOASTS.selectTicketsAndStatus)
    else onSave(status)
  }
  return (
    <SaveDialog
      words={words}
      description={count === 0 ? words.none : words.of(count)}
      note={words.allOrNothing}
      busy={busy}
      disabled={tooMany}
      onSave={save}
      onClose={onClose}
    >
      {tooMany ? (
        <div className={styles.limit}>
          <Banner tone="warn" live="alert">
            {words.tooMany({ count, max: BULK_UPDATE_MAX })}
          </Banner>
        </div>
      ) : null}
      <Select label={words.status} value={status} options={OPTIONS} onChange={setStatus} disabled={busy} />
    </SaveDialog>
  )
}

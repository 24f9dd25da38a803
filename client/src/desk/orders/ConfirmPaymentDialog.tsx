import { REASON_MAX } from '@garba/shared/constants'
import type { DeskOrder } from '@garba/shared/contracts/order'
import { ORDERS } from '@garba/shared/messages/deskOrders'
import { formatRupees } from '@garba/shared/rules/money'
import { useState } from 'react'
import { TextField } from '../../kit/TextField.tsx'
import type { BodyOf } from '../../platform/http/call.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import styles from './Order.module.css'

const words = ORDERS.confirm

interface ConfirmPaymentDialogProps {
  order: DeskOrder
  busy: boolean
  onSave: (body: BodyOf<'confirmOrder'>) => void
  onClose: () => void
}

/** The bank statement shows a UPI payment: its order is paid. */
export const ConfirmPaymentDialog = ({ order, busy, onSave, onClose }: ConfirmPaymentDialogProps) => {
  const [utr, setUtr] = useState(order.utr ?? '')
  const [note, setNote] = useState('')
  const isUtr = /^\d{12}$/.test(utr.trim())
  return (
    <SaveDialog
      words={words}
      description={words.of({ code: order.code, rupees: formatRupees(order.total) })}
      note={words.happens}
      busy={busy}
      disabled={!isUtr}
      onSave={() => onSave({ utr: utr.trim(), ...(note.trim() === '' ? {} : { note: note.trim() }) })}
      onClose={onClose}
    >
      <div className={styles.form}>
        <TextField
          label={words.utr}
          hint={words.utrHint}
          error={utr.trim() !== '' && !isUtr ? words.utrWrong : undefined}
          inputMode="numeric"
          autoComplete="off"
          value={utr}
          disabled={busy}
          onChange={({ target }) => setUtr(target.value)}
        />
        <TextField
          label={words.note}
          value={note}
          maxLength={REASON_MAX}
          disabled={busy}
          onChange={({ target }) => setNote(target.value)}
        />
      </div>
    </SaveDialog>
  )
}

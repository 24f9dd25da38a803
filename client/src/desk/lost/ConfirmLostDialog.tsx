import { REASON_MAX } from '@garba/shared/constants'
import type { FoundMoney, LostTicket } from '@garba/shared/contracts/lost'
import { last8 } from '@garba/shared/messages/common'
import { LOST } from '@garba/shared/messages/deskLost'
import { formatRupees } from '@garba/shared/rules/money'
import { useState } from 'react'
import { Segments } from '../../kit/Segments.tsx'
import { Select } from '../../kit/Select.tsx'
import { TextField } from '../../kit/TextField.tsx'
import type { BodyOf } from '../../platform/http/call.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import styles from './LostTickets.module.css'

type Confirmation = BodyOf<'confirmLost'>

interface ConfirmLostDialogProps {
  ticket: LostTicket
  money: readonly FoundMoney[]
  /** Tickets are paid for here. */
  paid: boolean
  busy: boolean
  onSave: (body: Confirmation) => void
  onClose: () => void
}

const WAYS = ['money', 'utr', 'reason'] as const
type Way = (typeof WAYS)[number]

/** Takes a lost ticket back; where tickets are paid for, the desk says how. */
export const ConfirmLostDialog = ({ ticket, money, paid, busy, onSave, onClose }: ConfirmLostDialogProps) => {
  const words = LOST.confirming
  const fits = money.find(({ amount }) => amount === ticket.price * ticket.together)
  const [way, setWay] = useState<Way>(money.length > 0 ? 'money' : 'utr')
  const [chosen, setChosen] = useState(fits?.id ?? money[0]?.id ?? '')
  const [utr, setUtr] = useState('')
  const [reason, setReason] = useState('')
  const body = paid ? bodyOf(way, { money: chosen, utr, reason }) : {}
  return (
    <SaveDialog
      words={words}
      description={words.of(last8(ticket.ticketId), ticket.holder.name, formatRupees(ticket.price))}
      note={words.happens}
      busy={busy}
      disabled={body === null}
      onSave={() => (body === null ? undefined : onSave(body))}
      onClose={onClose}
    >
      {paid ? (
        <div className={styles.form}>
          <div>
            <p className={styles.label}>{words.how}</p>
            <Segments
              label={words.how}
              value={way}
              options={WAYS.filter((one) => one !== 'money' || money.length > 0).map((value) => ({
                value,
                label: words.ways[value],
              }))}
              onChange={setWay}
            />
          </div>
          {way === 'money' ? (
            <Select
              label={words.payment}
              value={chosen}
              options={money.map(({ id, amount, detail }) => ({
                value: id,
                label: words.moneyOf(formatRupees(amount), detail),
              }))}
              disabled={busy}
              onChange={setChosen}
            />
          ) : null}
          {way === 'utr' ? (
            <TextField
              label={words.utr}
              hint={words.utrHint}
              inputMode="numeric"
              autoComplete="off"
              value={utr}
              disabled={busy}
              onChange={({ target }) => setUtr(target.value)}
            />
          ) : null}
          {way === 'reason' ? (
            <TextField
              label={words.reason}
              value={reason}
              maxLength={REASON_MAX}
              disabled={busy}
              onChange={({ target }) => setReason(target.value)}
            />
          ) : null}
        </div>
      ) : null}
    </SaveDialog>
  )
}

/** Null while something is missing. */
function bodyOf(way: Way, given: Record<Way, string>): Confirmation | null {
  const value = given[way].trim()
  if (value === '' || (way === 'utr' && !/^\d{12}$/.test(value))) return null
  return { [way]: value }
}

import { NAME_MAX, REASON_MAX } from '@garba/shared/constants'
import type { DeskOrder } from '@garba/shared/contracts/order'
import { useState } from 'react'
import { Checkbox, countCharacters, TextArea, TextField } from '../../kit/Field.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { CHANGE_BUYER } from '../texts/buyer.ts'
import { DESK } from '../texts/desk.ts'
import { useOrderChanges } from './useOrderChanges.ts'

const words = CHANGE_BUYER

/** Tickets of the order that an account has claimed from a seller's link, which stay with it unless the desk takes them. */
const claimedIn = ({ tickets, buyer, account }: DeskOrder) =>
  tickets.filter(({ user }) => user._id !== null && user._id !== account && user.email !== buyer.email)

export const BuyerDialog = ({ order, onClose }: { order: DeskOrder; onClose: () => void }) => {
  const { buyer, tickets } = order
  const { correct } = useOrderChanges(order.code)
  const [name, setName] = useState(buyer.name)
  const [email, setEmail] = useState(buyer.email)
  const [phone, setPhone] = useState(buyer.phone ?? '')
  const [reason, setReason] = useState('')
  const [claimed, setClaimed] = useState(false)
  const others = claimedIn(order)
  const change = {
    ...(name.trim() === buyer.name ? {} : { name: name.trim() }),
    ...(email.trim().toLowerCase() === buyer.email ? {} : { email: email.trim() }),
    ...(phone.trim() === (buyer.phone ?? '') ? {} : { phone: phone.trim() }),
    ...(claimed ? { claimed } : {}),
  }
  const moves = 'name' in change || 'email' in change || claimed
  const active = tickets.filter(
    (ticket) => ticket.status === 'active' && !ticket.isPast && (claimed || !others.includes(ticket)),
  )
  const text = reason.trim()
  return (
    <SaveDialog
      words={words}
      description={words.of(order.code)}
      note={moves ? words.happens(active.length) : words.keeps}
      busy={correct.isPending}
      missing={
        name.trim() === ''
          ? DESK.missing.buyer
          : Object.keys(change).length === 0
            ? words.nothing
            : text === ''
              ? DESK.missing.reason
              : countCharacters(text) > REASON_MAX
                ? DESK.missing.shorter(REASON_MAX)
                : null
      }
      onSave={() => correct.mutate({ ...change, reason: text }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <div className="stack-4">
        <TextField label={words.name} autoComplete="off" maxLength={NAME_MAX} value={name} onType={setName} />
        <TextField
          label={words.email}
          hint={words.emailHint}
          type="email"
          inputMode="email"
          autoComplete="off"
          value={email}
          onType={setEmail}
        />
        <TextField label={words.phone} inputMode="tel" autoComplete="off" value={phone} onType={setPhone} />
        <TextArea label={words.reason} rows={2} max={REASON_MAX} value={reason} onType={setReason} />
        {others.length === 0 ? null : (
          <Checkbox label={words.claimed(others.length)} checked={claimed} onCheck={() => setClaimed(!claimed)} />
        )}
      </div>
    </SaveDialog>
  )
}

import { HOLDER_NAME_MAX } from '@garba/shared/constants'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { call } from '../../platform/http/call.ts'
import { useUser } from '../../platform/identity/session.ts'
import { queries } from '../../platform/queries.ts'
import { replaceTicket } from '../data/replaceTicket.ts'
import { failureText } from '../failures.ts'
import { useWords } from '../words.ts'

interface NameDialogProps {
  open: boolean
  ticket: Ticket
  onClose: () => void
}

/** Writes who uses an active ticket; an empty field leaves the buyer (DECISIONS 9). What was typed stays if it fails. */
export const NameDialog = ({ open, ticket, onClose }: NameDialogProps) => {
  const words = useWords()
  const client = useQueryClient()
  const userId = useUser()?._id ?? ''
  const form = useId()
  const [name, setName] = useState(ticket.holderName ?? '')
  const typed = name.trim()
  const save = useMutation({
    mutationFn: () => call('nameTicket', { params: { id: ticket._id }, body: { name: typed === '' ? null : typed } }),
    onSuccess: ({ ticket: named }) => {
      replaceTicket(client, userId, named)
      toast.success(words.holder.saved)
      close()
    },
  })
  // Not before: a ticket that is no longer active would take the dialog along, and what was typed.
  const close = () => {
    onClose()
    void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
  }
  const tooLong = typed.length > HOLDER_NAME_MAX
  const error = tooLong ? words.holder.tooLong : save.error === null ? undefined : failureText(save.error, words)
  return (
    <Dialog
      open={open}
      onClose={close}
      size="sm"
      title={words.holder.title(last8(ticket.ticketId))}
      description={words.holder.text}
      busy={save.isPending}
      dismissOutside={false}
      closeLabel={words.close}
      footer={
        <Button tone="primary" type="submit" form={form} busy={save.isPending} disabled={tooLong}>
          {save.isPending ? words.holder.saving : words.holder.save}
        </Button>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!tooLong && !save.isPending) save.mutate()
        }}
      >
        <TextField
          label={words.holder.field}
          hint={words.holder.hint(ticket.user.name)}
          error={error}
          value={name}
          autoComplete="off"
          disabled={save.isPending}
          onChange={({ target }) => setName(target.value)}
        />
      </form>
    </Dialog>
  )
}

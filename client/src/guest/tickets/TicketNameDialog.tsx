import { HOLDER_NAME_MAX } from '@garba/shared/constants'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { useQueryClient } from '@tanstack/react-query'
import { callServer } from '../../platform/http/call.ts'
import { useUser } from '../../platform/identity/session.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { updateCachedTicket } from '../data/useGuestData.ts'
import { NameDialog } from '../NameDialog.tsx'
import { useWords } from '../words.ts'

/** Names the person who uses an active ticket. An empty field means the buyer. */
export const TicketNameDialog = ({ open, ticket, onClose }: { open: boolean; ticket: Ticket; onClose: () => void }) => {
  const { holder } = useWords()
  const client = useQueryClient()
  const userId = useUser()?._id ?? ''
  return (
    <NameDialog
      open={open}
      words={{
        title: holder.title(shortenTicketId(ticket.ticketId)),
        text: holder.text,
        field: holder.field,
        hint: holder.hint(ticket.user.name),
      }}
      name={ticket.holderName ?? ''}
      min={0}
      max={HOLDER_NAME_MAX}
      save={async (name) => {
        const named = await callServer('nameTicket', {
          params: { id: ticket._id },
          body: { name: name === '' ? null : name },
        })
        updateCachedTicket(client, userId, named.ticket)
      }}
      // Refreshed only now, because a ticket that is no longer active would take the dialog and the typed text with it.
      onClose={() => {
        onClose()
        void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
        void client.invalidateQueries({ queryKey: KEYS.myOrders })
      }}
    />
  )
}

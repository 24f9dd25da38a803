import type { Ticket } from '@garba/shared/contracts/ticket'
import type { QueryClient } from '@tanstack/react-query'
import { queries } from '../../platform/queries.ts'

/** Shows a changed ticket in the user's list until the list is fetched again. */
export const replaceTicket = (client: QueryClient, userId: string, ticket: Ticket): void =>
  void client.setQueryData(
    queries.myTickets(userId).queryKey,
    (old) => old && { ...old, tickets: old.tickets.map((one) => (one._id === ticket._id ? ticket : one)) },
  )

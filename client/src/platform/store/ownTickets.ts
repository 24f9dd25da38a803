import type { Ticket } from '@garba/shared/contracts/ticket'
import { useSessionStore } from '../identity/session.ts'
import { local, OWN_TICKETS } from './local.ts'

/** The landing page shows the number of the guest's active tickets before the dashboard has loaded. */
export function keepOwnTickets(tickets: readonly Pick<Ticket, 'status' | 'isPast'>[]): void {
  const ownTickets = tickets.filter(({ status, isPast }) => status === 'active' && !isPast).length
  local.write(OWN_TICKETS, ownTickets === 0 ? null : String(ownTickets))
  useSessionStore.setState({ ownTickets })
}

import { TICKET_ID_SHOWN } from '@garba/shared/constants'

/** How a ticket's id is shown: its last 8 characters (SPEC 2 and 9). */
export const last8 = (ticketId: string): string => ticketId.slice(-TICKET_ID_SHOWN)

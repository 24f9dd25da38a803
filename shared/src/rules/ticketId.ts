import { TICKET_ID_SHOWN } from '../constants.ts'

/** How a ticket's id is shown: its last 8 characters (SPEC 2 and 9). */
export const last8 = (ticketId: string): string => ticketId.slice(-TICKET_ID_SHOWN)

/** The same, in a line of other words. */
export const ticketTail = (ticketId: string): string => `…${last8(ticketId)}`

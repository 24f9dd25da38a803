import type { Ticket } from '../contracts/ticket.ts'

/** Who uses a ticket: whom its owner wrote on it, or the buyer. A ticket that a device stored long ago lacks the field. */
export const nameOn = ({ holderName, user }: Pick<Ticket, 'holderName' | 'user'>): string => holderName ?? user.name

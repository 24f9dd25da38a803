import { TICKET_ID_SHOWN } from '@garba/shared/constants'

/** A ticket id as people see it: its last 8 characters (SPEC 2). */
export const ticketTail = (id: string): string => `…${id.slice(-TICKET_ID_SHOWN)}`

/** A ticket as audit lines begin: the end of its id and its holder. */
export const ticketName = ({ id, buyerName }: { id: string; buyerName: string }): string =>
  `${ticketTail(id)} (${buyerName})`

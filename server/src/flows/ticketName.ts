import { ticketTail } from '@garba/shared/rules/ticketId'

/** A ticket as audit lines begin: the end of its id and its holder. */
export const ticketName = ({ id, buyerName }: { id: string; buyerName: string }): string =>
  `${ticketTail(id)} (${buyerName})`

/** Stands where a checker's name would, when it was no checker who made the first side of a double admission. */
export const CONFLICT_FIRST_SIDE = {
  used: 'Set as used by an administrator',
  cancelled: 'Ticket cancelled',
  deleted: 'Ticket deleted',
  missing: 'Ticket not in the list',
} as const
/** The holder of a ticket that is not in the list. */
export const UNKNOWN_HOLDER = 'Unknown'

import { HOMES } from '@garba/shared/contracts/site/pages'

/** The entry pass is a sub-view of the dashboard, so that Back closes it. */
export const GUEST_HOME = HOMES.guest
export const entryPassPath = (ticketId?: string): string =>
  ticketId === undefined ? `${GUEST_HOME}/gate` : `${GUEST_HOME}/gate/${ticketId}`
/** Replaces a ticket's id in the address when one code is for all tickets. */
export const ALL_AT_ONCE = 'all'
/** Id of the link that opens the view, which gets the focus back when it is closed. */
export const entryPassButtonId = (ticketId?: string): string => `entry-pass-${ticketId ?? ALL_AT_ONCE}`
export const ticketCardId = (ticketId: string): string => `ticket-${ticketId}`
export const ORDERS_PATH = `${GUEST_HOME}/orders`

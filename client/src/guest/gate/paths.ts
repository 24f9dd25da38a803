import { HOMES } from '@garba/shared/contracts/pages'

/** The gate view is a sub-view of the dashboard, so that Back closes it (DECISIONS 5). */
export const GUEST_HOME = HOMES.guest
export const gatePath = (ticketId?: string): string =>
  ticketId === undefined ? `${GUEST_HOME}/gate` : `${GUEST_HOME}/gate/${ticketId}`
/** The link that opened the view takes the focus back when it is closed. */
export const gateButtonId = (ticketId?: string): string => `gate-${ticketId ?? 'all'}`

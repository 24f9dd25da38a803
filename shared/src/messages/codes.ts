import {
  BULK_UPDATE_MAX,
  CANCELLATION_CUTOFF_DAYS,
  NEW_CODES_MAX,
  NEWS_MAX,
  REASON_MAX,
  UNPAID_ORDERS_PER_HOUR,
  UNPROVEN_TICKETS_MAX,
} from '../constants.ts'
import type { Code, RefusalCode } from '../contracts/codes.ts'
import { SCREENS, SIGN_IN, TRANSPORT } from './common.ts'
import { formatCount, formatTicketCount, type Translation } from './language.ts'

export const READ_ONLY = {
  title: 'This server is read-only',
  replaced: 'Another server answers at this server’s address, so this one accepts no changes.',
  replacedCure:
    'If this is the server that should run, point the name at it: seconds later it accepts changes. Otherwise stop it.',
} as const

/** A verdict has two lines: one to read at arm's length, and one with the details. */
export interface ScanText {
  title: string
  detail: string
}

/**
 * Formatted facts about a first entry. `when` is a time in the event's time zone, with CODE_REPLACED that of the new
 * code; `by` is a checker and `at` a device.
 */
export interface EntryFacts {
  when?: string | undefined
  by?: string | undefined
  at?: string | undefined
  gate?: string | undefined
  left?: string | undefined
}

const enteredText = ({ when, by, at, gate, left }: EntryFacts): string => {
  if (left !== undefined) return `Left at ${left}. This ticket does not let anyone back in.`
  const parts = [when && `at ${when}`, gate && `through ${gate}`, by && `by ${by}`, at && `on ${at}`].filter(Boolean)
  return parts.length > 0 ? `Entered ${parts.join(', ')}` : 'This ticket has already been used for entry'
}

export const SCAN = {
  pending: 'Valid (Pending)',
  pendingDetail: 'We’ll report it when you’re back online.',
  entryAllowed: 'Entry Allowed!',
  welcome: (name: string) => `Welcome ${name}`,
  conflict: 'Admitted Twice',
  empty: { title: 'Invalid QR Code', detail: 'Empty or malformed QR code' },
  unreadable: { title: 'Invalid QR Code', detail: 'QR code format is not recognized' },
  notFound: { title: 'Ticket Not Found', detail: 'This ticket does not exist in our system' },
  invalidTicket: { title: 'Invalid Ticket', detail: 'Ticket not found in system or QR code is invalid' },
  cancelled: { title: 'Ticket Cancelled', detail: 'This ticket was cancelled and is no longer valid.' },
  replaced: (when?: string): ScanText => ({
    title: 'Code Replaced',
    detail: `${when === undefined ? 'This code was replaced' : `Replaced at ${when}`}. Ask for the new code.`,
  }),
  used: (first: EntryFacts): ScanText => ({ title: 'Ticket Already Used', detail: enteredText(first) }),
  notActivated: { title: 'Not Activated', detail: 'This ticket has not been sold yet. Send its holder to the desk.' },
  wrongGate: (gates: readonly string[] = []): ScanText => ({
    title: 'Wrong Gate',
    detail:
      gates.length === 0
        ? 'This gate does not take this kind of ticket. Ask a supervisor.'
        : `This ticket is for ${gates.join(' or ')}.`,
  }),
  calledOff: { title: 'Event Called Off', detail: 'This event is called off. Let nobody in.' },
  otherEvent: { title: 'Invalid Ticket', detail: 'This ticket is for another event.' },
  closedEvent: (name: string) => `This ticket is for ${name}, which is over.`,
  notMarked: { title: 'Failed to Process Entry', detail: 'Could not mark ticket as used. Please try again.' },
  failed: (message: string): ScanText => ({ title: 'Verification Failed', detail: message }),
  unknownChecker: 'Unknown',
} as const

export interface RefusalTextFacts extends EntryFacts {
  gates?: readonly string[] | undefined
}

type ScanWords = Translation<typeof SCAN>

const REFUSALS: Readonly<Record<RefusalCode, (facts: RefusalTextFacts, words: ScanWords) => ScanText>> = {
  ALREADY_USED: (facts, words) => words.used(facts),
  TICKET_CANCELLED: (_, words) => words.cancelled,
  CODE_REPLACED: ({ when }, words) => words.replaced(when),
  TICKET_NOT_FOUND: (_, words) => words.notFound,
  NOT_ACTIVATED: (_, words) => words.notActivated,
  WRONG_GATE: ({ gates }, words) => words.wrongGate(gates),
  EVENT_CALLED_OFF: (_, words) => words.calledOff,
  QR_FORGED: (_, words) => words.invalidTicket,
  QR_MALFORMED: (_, words) => words.unreadable,
  QR_OTHER_EVENT: (_, words) => words.otherEvent,
}

export const refusalText = (code: RefusalCode, facts: RefusalTextFacts = {}, words: ScanWords = SCAN): ScanText =>
  REFUSALS[code](facts, words)

const days = (n: number) => (n === 1 ? '1 day' : `${n} days`)

export const CANCELLATION = {
  reasonRequired: 'Reason is required',
  reasonTooLong: `Reason must be at most ${REASON_MAX} characters`,
  allowed: (daysLeft: number) => `${days(daysLeft)} remaining until the event. You can cancel this ticket.`,
  closed: (daysLeft?: number) =>
    `Tickets can only be cancelled at least ${CANCELLATION_CUTOFF_DAYS} days before the event.${
      daysLeft === undefined || daysLeft < 0 ? '' : ` Only ${days(daysLeft)} remaining until the event.`
    }`,
  notActive: 'Only an active ticket can be cancelled.',
  byOrganiser: 'Cancelled by the organiser',
  refundTiming:
    'Refunds are processed within 5-7 business days to the original payment method, with a confirmation email.',
} as const

export interface RefusalDetails {
  remaining?: number
  /** LIMIT_REACHED and TOO_MANY_UNPAID: how many more tickets this person may buy, or order before paying. */
  mayBuy?: number
  /** PRICE_CHANGED: what one costs now, in rupees, and the ticket type it is of. */
  price?: number
  type?: string
  /** TOTAL_DIFFERS: the sum of the sales in rupees. */
  total?: number
  maxPerPerson?: number
  bought?: number
  numbers?: string
  mayDraw?: number
  /** CANCELLATION_CLOSED: days until the event, rounded up. */
  daysLeft?: number
  tickets?: readonly UsedTicket[]
  gates?: readonly string[]
  reason?: string
  from?: string
  /** RATE_LIMITED, TOO_MANY_ORDERS: seconds until the next attempt. */
  retryAfterSeconds?: number
}

export interface UsedTicket {
  _id: string
  name: string
  entryTime: string | null
}

export const USED = {
  went: (n: number) =>
    n <= 1 ? 'Someone was let in with this ticket.' : `People were let in with ${formatCount(n)} of these tickets.`,
  refused: (n: number) => `${USED.went(n)} Nothing was changed. To cancel anyway, say that used tickets are included.`,
} as const

const minutes = (seconds: number) => {
  const n = Math.max(1, Math.ceil(seconds / 60))
  return n === 1 ? '1 minute' : `${n} minutes`
}
const ticketsLeft = (n: number) => (n === 1 ? 'Only 1 ticket remains.' : `Only ${formatCount(n)} tickets remain.`)

/** The message for people of every failure of the API. Those that the spec gives are exact. */
export const CODE_MESSAGES = {
  VALIDATION_FAILED: () => 'Please check the details and try again.',
  MALFORMED_JSON: () => 'The request could not be read.',
  IDEMPOTENCY_KEY_REQUIRED: () => 'This request needs an Idempotency-Key header, so nothing was done.',
  QR_MALFORMED: () => SCAN.unreadable.detail,
  UNAUTHENTICATED: () => 'Please sign in to continue.',
  DEVICE_REVOKED: () =>
    'This phone was disconnected by the organiser. Codes it scanned before it learned of this still count. Ask the organiser about the rest.',
  DEVICE_LAPSED: () =>
    'This phone was paired for a limited time, which is over. Codes it scanned before it learned of this still count. Ask the organiser about the rest.',
  FORBIDDEN: () => 'Your role does not allow this.',
  ROLES_ADMIN_ONLY: () => 'Only administrators can change user roles',
  OWN_ROLE: () => 'You cannot change your own role.',
  OWN_ACCOUNT: () => 'You cannot delete your own account.',
  NOT_ADMIN_EMAIL: () => 'This account is not on the list of administrators.',
  EMAIL_UNVERIFIED: () => SIGN_IN.refused.emailUnverified,
  PROVIDER_NOT_GOOGLE: () => SIGN_IN.refused.notGoogle,
  DEMO_LOCAL_ONLY: () =>
    'This demo answers only on the machine it runs on. The person who runs it can open it to others.',
  REHEARSAL_CREW_ONLY: () => SIGN_IN.refused.crewOnly,
  UNDO_NOT_YOURS: () => 'Only the person or phone that admitted this ticket can undo it. Ask them, or the organiser.',
  NOT_FOUND: () => 'There is nothing at this address.',
  EVENT_NOT_FOUND: () => 'There is no event yet.',
  TICKET_NOT_FOUND: () => SCAN.notFound.detail,
  USER_NOT_FOUND: () => 'This user does not exist.',
  IMAGE_NOT_FOUND: () => SCREENS.imageUnavailable,
  SCAN_NOT_FOUND: () => 'This scan is not known.',
  ORDER_NOT_FOUND: () => 'This order does not exist.',
  LOST_NOT_FOUND: () => 'Nobody offers this ticket any more.',
  LOST_KNOWN: () => 'This ticket is in the list of tickets already. Cancel it there if it should not count.',
  LOST_INVALID: () => 'The signature of this code is no longer valid. Refuse it.',
  LOST_MONEY_SHORT: () =>
    'The rest of this payment does not cover the ticket: it paid for other tickets, or was refunded.',
  CODE_UNKNOWN: () => 'This code is not known, or is not for these tickets.',
  BLOCK_NOT_FOUND: () => 'This block of tickets does not exist.',
  DEVICE_NOT_FOUND: () => 'This device does not exist.',
  PAIRING_INVALID: () => 'This code is not known. Check it, or ask the organiser for a new one.',
  PAIRING_EXPIRED: () => 'This code has expired. Ask the organiser for a new one.',
  PAIRING_USED: () => 'Another phone was paired with this code. Ask the organiser for a new one.',
  DEVICE_ENDED: () => 'This device was revoked, or its time is over. Create a new one.',
  EVENT_EXISTS: () => 'An event already exists. Edit it instead.',
  EVENT_NOT_OVER: () => 'The event is not over yet. It can be closed once it has ended.',
  EVENT_CALLED_OFF: ({ reason }) => `This event is called off.${reason ? ` ${reason}` : ''}`,
  EVENT_CLOSED: () => 'This event is closed: its tickets can no longer be changed.',
  SOLD_OUT: ({ remaining }) =>
    remaining === undefined || remaining === 0 ? 'Sold Out! No tickets remain.' : ticketsLeft(remaining),
  TYPE_SOLD_OUT: ({ remaining = 0 }) =>
    remaining === 0
      ? 'This ticket type is sold out.'
      : `Only ${formatCount(remaining)} of this ticket type ${remaining === 1 ? 'remains' : 'remain'}.`,
  TYPE_NOT_ON_SALE: () => 'This ticket type is not on sale now.',
  CODE_USED_UP: ({ remaining = 0 }) =>
    remaining === 0 ? 'This code has been used up.' : `This code is good for ${formatTicketCount(remaining)} more.`,
  SALES_CLOSED: () => 'Ticket sales have closed.',
  SALES_NOT_OPEN: () => 'Online ticket sales have not begun yet.',
  NOT_SOLD_OUT: () => 'So many tickets are on sale now. You need not wait.',
  WAITING_LIST_OFF: () => 'There is no waiting list.',
  SALES_PAUSED: ({ reason }) => reason ?? 'Ticket sales are paused. Please try again later.',
  LIMIT_REACHED: ({ mayBuy = 0, maxPerPerson }) => {
    const limit =
      maxPerPerson === undefined ? 'a limited number of tickets' : `at most ${formatTicketCount(maxPerPerson)}`
    return `One person may have ${limit}. ${mayBuy === 0 ? 'You cannot buy more.' : `You may buy ${formatCount(mayBuy)} more.`}`
  },
  IDEMPOTENCY_KEY_REUSED: ({ bought }) =>
    bought === undefined
      ? 'Another request was made with the same key, so nothing was done. Reload the page and try again.'
      : `This purchase was made before and bought ${formatTicketCount(bought)}. Nothing more was bought.`,
  CANCELLATION_CLOSED: ({ daysLeft }) => CANCELLATION.closed(daysLeft),
  CANCELLATION_WAITS: () =>
    'The organiser can still take this change back. Please try again in ten minutes. If the event stays called off, you get all your money back without cancelling.',
  TICKET_NOT_ACTIVE: () => CANCELLATION.notActive,
  TICKET_NAME_FIXED: () => 'The name can only be changed while the ticket is active.',
  ALREADY_USED: () => 'Ticket Already Used',
  TICKET_CANCELLED: () => SCAN.cancelled.detail,
  CODE_REPLACED: () => SCAN.replaced().detail,
  NEW_CODE_LIMIT: () => `This ticket has had ${NEW_CODES_MAX} new codes, which is the most it can have.`,
  LINK_UNKNOWN: () => 'This link is not known. Check that all of it was copied, or ask for a new one.',
  LINK_LIMIT: () => 'There are too many links to these tickets already. Send one of the earlier ones.',
  LINK_TAKEN: () =>
    'Another phone has opened this link already. If that was not you, tell the organiser now: you get another link and a new code.',
  HAND_OVER_ENDED: () =>
    'A phone hands its tickets over once, within ten minutes of the sale. The desk can make another link.',
  LINK_ENDED: () => 'This link has ended. Ask the person who sent it for a new one.',
  OFFER_TAKEN: () => 'These tickets are in another account already. If that is wrong, ask the person who sold them.',
  NOT_ACTIVATED: () => SCAN.notActivated.detail,
  WRONG_GATE: ({ gates }) => SCAN.wrongGate(gates).detail,
  ERASE_STAFF: () => 'Only guests who were never a checker or an admin can be erased: the work of others is on record.',
  ERASE_ACTIVE_TICKETS: () =>
    'This person still has active tickets. Cancel them first, or wait until the event is over.',
  HAS_TICKETS: () => 'You have tickets for an event that is still to come.',
  ERASE_OPEN_ORDER: () => 'This person has an order waiting for its payment. Cancel it first.',
  BUYER_HAS_ACCOUNT: () => 'This buyer has an account. Find it under Users, and export or erase the person there.',
  REFUND_NOT_CANCELLED: () => 'Only a cancelled ticket can be refunded.',
  PAYMENT_REQUIRED: () => 'Tickets are paid for now. Reload the page to see how.',
  PAYMENT_NOT_NEEDED: () => 'Tickets need no payment here. Reload the page and try again.',
  PRICE_CHANGED: () => 'The price has just changed. Check the new total and try again.',
  ORDER_OPEN: () => 'You have an order waiting. Pay for it or cancel it first.',
  ORDER_NOT_HELD: () => 'This order is no longer waiting for a payment.',
  TOO_MANY_UNPAID: ({ mayBuy = 0 }) =>
    mayBuy === 0
      ? 'Other orders are waiting for their payment and hold these seats. Try again in a few minutes.'
      : `Only ${formatTicketCount(mayBuy)} can be ordered before payment now. Order fewer, or try again in a few minutes.`,
  UNPROVEN_LIMIT: () =>
    `This phone has sold ${formatCount(UNPROVEN_TICKETS_MAX)} tickets without cash. Sell for cash until somebody at the desk has looked at these sales.`,
  TOTAL_DIFFERS: ({ total = 0 }) =>
    `These card sales are for ₹${formatCount(total)}. Look for the sale that the terminal does not have, or has twice.`,
  UTR_USED: () => 'This UTR number was already given for another order. Check the number.',
  TOO_MANY_CLAIMS: () =>
    'You have given five numbers for this order. Write to the organiser with your order code and the number in your app.',
  REFUNDED: () => 'The money for this ticket has gone back, so it cannot be made active again.',
  MONEY_UNPROVEN: () =>
    'Nobody has seen this money yet, so none of it goes back. Find it first in the terminal’s total or the bank’s statement, or resolve it in the order with a note.',
  REFUND_ON_ITS_WAY: () => 'The payment provider is already sending this money back.',
  REFUND_IN_DOUBT: () =>
    'The payment provider has not said yet whether it made this refund. The server keeps asking. Try again once it knows.',
  MONEY_UNSETTLED: () =>
    'This ticket’s money is not settled. Refund the ticket in its order first, and delete it once the money has gone back.',
  TICKETS_WITHOUT_MONEY: () =>
    'This order still has more valid tickets than money. Cancel the ticket whose money went back; this then closes by itself.',
  ORDER_CHANGED: () => 'This order has changed since you opened it, so nothing was done. Look at it and try again.',
  NOTHING_TO_REFUND: () => 'No money was received for this order.',
  TICKET_USED: ({ tickets: used = [] }) => USED.refused(used.length),
  GATE_NOT_FOUND: () => 'This phone has no such gate.',
  LINE_NOT_FOUND: () => 'This line is not on any imported statement.',
  LINE_PAYS_ORDER: () => 'This line pays an order, so it cannot be set aside.',
  NO_MAIL: () => 'Email is not set up here, so nothing was sent.',
  CODES_NOT_LEFT: ({ numbers = 'these numbers' }) =>
    `Already sold or returned: ${numbers}. Nothing was changed. Choose a range without them.`,
  CODES_RETURNED: () =>
    'This phone had returned these tickets, so they were not sold with it. The organiser has the sale on the list under Money. Keep the money apart and ask them.',
  NO_OPEN_DRAWER: () => 'No cash drawer is open for you. Count the cash you start with and open one, then sell again.',
  DRAWER_COUNTED: () =>
    'This cash was paid back from a drawer that has been counted since, so it stays paid back. If the guest has not got it, pay it from your drawer and note it there.',
  UPI_NOT_CONFIRMED: () =>
    'UPI payments admit no one before the desk has found them in the bank’s list. Sell without admitting, or take cash.',
  CODES_DRAWN: ({ mayDraw = 0 }) =>
    `${mayDraw === 0 ? 'This phone has taken as many tickets for offline sale as it may in one evening.' : `This phone may take only ${formatTicketCount(mayDraw)} more for offline sale this evening.`} Sell online, or ask the organiser for another phone.`,
  EVENT_HAS_HOLDS: () => 'Some orders still wait for their payment. Close the event once they are settled.',
  EVENT_HAS_OPEN_MATTERS: () => 'Something is still open. Settle it first, or close the event anyway.',
  BACKUP_FAILED: () =>
    'The backup could not be made. Try again. If it fails again, ask the person who runs the server.',
  SIGNATURE_INVALID: () => 'The signature does not match.',
  UNDO_EXPIRED: () => 'An admission can only be undone within 60 seconds. The organiser can still change the ticket.',
  UNDO_NOT_POSSIBLE: () => 'This admission can no longer be undone.',
  SCAN_UNDONE: () => 'This admission was undone. Scan the ticket again to let its holder in.',
  CONFLICT_OWN: () => 'You let this person in, so somebody else must look at it. Ask another supervisor or an admin.',
  SWAP_AGAIN: () =>
    'Somebody was already let in as the holder of this ticket. Only an admin can let another person in: call one.',
  NOT_INSIDE: () => 'Nobody is inside with this ticket, so nobody can leave with it.',
  SWAP_NOT_POSSIBLE: () => 'Nobody has used this ticket yet. Scan it.',
  SCAN_ID_REUSED: () => 'This scan id already belongs to another ticket.',
  SCAN_NOT_RECORDED: () => 'The server could not record this scan. Note the ticket and tell the organiser.',
  GROUP_CODE: () => 'This is the code of a group. Update this scanner, or scan the tickets one by one.',
  SALE_NOT_RECORDED: () => 'The server could not record this sale. Write it down and tell the organiser.',
  PAYLOAD_TOO_LARGE: () => 'The request is too large.',
  TOO_MANY_ORDERS: ({ retryAfterSeconds = 3_600 }) =>
    `You placed ${UNPAID_ORDERS_PER_HOUR} orders within an hour and did not pay for them. You can order again in ${minutes(retryAfterSeconds)}.`,
  RATE_LIMITED: ({ retryAfterSeconds }) =>
    retryAfterSeconds === undefined
      ? 'Too many attempts. Please wait and try again.'
      : `Too many attempts. Please wait ${retryAfterSeconds} s and try again.`,
  INTERNAL: () => TRANSPORT.server,
  UNAVAILABLE: () => 'The service is busy. Please try again in a moment.',
  READ_ONLY: () => READ_ONLY.replaced,
  QR_FORGED: () => SCAN.invalidTicket.detail,
  QR_OTHER_EVENT: () => SCAN.otherEvent.detail,
} as const satisfies Record<Code, (details: RefusalDetails) => string>

export const messageFor = (code: Code, details: RefusalDetails = {}): string => CODE_MESSAGES[code](details)

export const VALIDATION = {
  quantity: 'Quantity must be a whole number of at least 1',
  quantityAbove: (max: number) =>
    `One order can hold at most ${max === 1 ? '1 ticket' : `${formatCount(max)} tickets`}`,
  tooManyTickets: `Choose at most ${formatCount(BULK_UPDATE_MAX)} tickets at a time`,
  email: 'Please enter an email address',
  displayName: 'Name must have 1 to 80 characters',
  holderName: 'The name on a ticket must have 1 to 60 characters',
  photoURL: 'Photo must be an https address',
  newsTooLong: `Use at most ${formatCount(NEWS_MAX)} characters`,
  missing: 'This field is required',
  unusable: 'This field is not valid',
} as const

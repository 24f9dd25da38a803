import type { RefusalCode } from '../rules/admission.ts'

/** What a scan comes to, in two lines: read at arm's length, and read if asked (SPEC 8, Scanner). */
export interface ScanText {
  title: string
  detail: string
}

/** Facts of a first entry, already worded: `when` a time of the event's zone, `by` a checker, `at` a device. */
export interface EntryFacts {
  when?: string | undefined
  by?: string | undefined
  at?: string | undefined
}

const enteredText = ({ when, by, at }: EntryFacts): string => {
  const parts = [when && `at ${when}`, by && `by ${by}`, at && `on ${at}`].filter(Boolean)
  return parts.length > 0 ? `Entered ${parts.join(', ')}` : 'This ticket has already been used for entry'
}

export const SCAN = {
  /** The label of SPEC 4 for a valid ticket that only the device has admitted so far. */
  pending: 'Valid (Pending)',
  pendingDetail: 'Let in by this device. It will be sent when the connection is back.',
  entryAllowed: 'Entry Allowed!',
  welcome: (name: string) => `Welcome ${name}`,
  conflict: 'Admitted Twice',
  empty: { title: 'Invalid QR Code', detail: 'Empty or malformed QR code' },
  /** HTTP 400. */
  unreadable: { title: 'Invalid QR Code', detail: 'QR code format is not recognized' },
  /** HTTP 404. */
  notFound: { title: 'Ticket Not Found', detail: 'This ticket does not exist in our system' },
  /** success: false. */
  invalidTicket: { title: 'Invalid Ticket', detail: 'Ticket not found in system or QR code is invalid' },
  cancelled: { title: 'Ticket Cancelled', detail: 'This ticket was cancelled and is no longer valid.' },
  used: (first: EntryFacts): ScanText => ({ title: 'Ticket Already Used', detail: enteredText(first) }),
  otherEvent: { title: 'Invalid Ticket', detail: 'This ticket is for another event.' },
  notMarked: { title: 'Failed to Process Entry', detail: 'Could not mark ticket as used. Please try again.' },
  failed: (message: string): ScanText => ({ title: 'Verification Failed', detail: message }),
  unknownChecker: 'Unknown',
} as const

const REFUSALS: Readonly<Record<RefusalCode, (first: EntryFacts) => ScanText>> = {
  ALREADY_USED: SCAN.used,
  TICKET_CANCELLED: () => SCAN.cancelled,
  TICKET_NOT_FOUND: () => SCAN.notFound,
  QR_FORGED: () => SCAN.invalidTicket,
  QR_MALFORMED: () => SCAN.unreadable,
  QR_OTHER_EVENT: () => SCAN.otherEvent,
}

/** The words for a refusal, the same whether server or device refused; a first entry's facts where they are known. */
export const refusalText = (code: RefusalCode, first: EntryFacts = {}): ScanText => REFUSALS[code](first)

import type { RefusalCode } from '@garba/shared/contracts/codes'
import { SCAN } from '@garba/shared/messages/codes'
import { SCANNER_KEYS } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'
import type { Phrase } from '../phrases.ts'

export { SHORT_UNITS as AGE_UNITS } from '@garba/shared/messages/formats'
export { SCAN }

export const STORAGE_TROUBLE = {
  full: 'This device has no room left to save the scan. Free some storage, then scan again.',
  blocked: 'The scanner is open in another tab. Close the other tabs of this app, then scan again.',
  newer: 'A newer version of the scanner is open. Reload this page, then scan again.',
  slow: 'This device took too long to save the scan. Scan again; if it keeps happening, restart the app.',
  failed: 'This device could not save the scan. Reload this page; if it keeps happening, use another device.',
} as const

export const SCAN_NOTES = {
  /** A device that has never reached the server cannot tell a valid code from a forgery. */
  notSynced: 'This device has not been synced yet. Connect it once so that it can check tickets without a network.',
  notInList: 'This ticket is not in the list on this device.',
  noName: 'Name not on this device',
  /** A volunteer must not have to know what pending means. */
  letIn: 'Let in',
  undone: { title: 'Entry Undone', detail: 'The ticket is active again.' },
  noted: { title: 'For the Organiser', detail: 'This phone had ended. The organiser decides about this entry.' },
  undoNothing: 'There is no admission to undo.',
  undoQueued: { title: 'Entry Undone', detail: 'We’ll report it when you’re back online.' },
  notHere: 'That was a ticket’s code. Open the scan screen, then scan it again.',
  otherLayout: {
    title: 'Another Keyboard Layout',
    detail: 'Set the scanner and this device to the same keyboard layout, preferably English (US), and scan again.',
  },
  noCode: { title: 'Not a Ticket’s Code', detail: SCANNER_KEYS.settings },
  selfTest: { title: 'Self-test Code', detail: 'The scanner reads it well. It is not a ticket.' },
  /** No-break spaces keep the number beside its unit. */
  ago: (age: string) => `${age} ago`.replaceAll(' ', '\u00a0'),
  thisDevice: 'this device',
  otherDevice: 'another device',
  /** The next step where this phone may not find tickets, or the ticket was found with it. */
  toDesk: 'Send them to the desk',
} as const

/** What the checker does next, where the reason of a refusal does not say it. */
export const NEXT_STEPS = {
  ALREADY_USED: 'Ask for the name, then Check ID',
  TICKET_CANCELLED: 'Ask for another ticket, or send them to the desk',
  TICKET_NOT_FOUND: 'Ask for the name, then Find',
  QR_FORGED: 'Ask for the name, then Find',
  QR_MALFORMED: 'Ask for the name, then Find',
  QR_OTHER_EVENT: 'Ask for the name, then Find',
  WRONG_GATE: 'Send them to that gate',
} as const satisfies Partial<Record<RefusalCode, string>>

export const CONFLICT_TITLES = {
  used: SCAN.conflict,
  cancelled: 'Let In on a Cancelled Ticket',
  deleted: 'Let In on a Deleted Ticket',
  replaced: 'Let In on a Replaced Code',
  missing: 'Let In on an Unknown Ticket',
} as const

export const CAMERA = {
  none: 'No camera found on this device',
  noneDetected: 'No cameras detected',
  cameraTimeout: 'Camera initialization timed out. Please check camera permissions and try again.',
  scannerTimeout: 'Scanner initialization timed out. Please refresh the page and try again.',
  accessFailed: 'Failed to access camera',
  scannerFailed: 'Failed to initialize scanner',
  controlFailed: 'Failed to control camera',
  switchFailed: 'Failed to switch camera',
  pauseFailed: 'Failed to pause/resume scanner',
} as const

export const CAMERA_STATES = {
  initializing: 'Initializing',
  ready: 'Ready',
  scanning: 'Scanning',
  processing: 'Processing',
} as const

export const NO_CAMERA = {
  checklist: [
    'Does this device have a camera?',
    'Are camera permissions granted?',
    'Is the camera free, with no other app using it?',
    'Does the address begin with https://?',
  ],
  retry: 'Retry',
} as const

const many = (n: number, one: string, more: string) => `${formatCount(n)} ${n === 1 ? one : more}`

export const SCANNER = {
  title: 'QR Checker Dashboard',
  subtitle: 'Auto Entry Verification Station',
  signInFirst: 'Sign in with your checker account to scan tickets, or pair this phone with a code from the organiser.',
  wrongRole: 'This account cannot scan',
  wrongRoleDetail: (role: string) =>
    `You are signed in as ${role}. Ask an admin for the QR Checker role, or sign in with another account.`,
  tiles: { scanned: 'Total Scanned', valid: 'Valid Entries', rejected: 'Rejected' },
  start: 'Start Scanner',
  stop: ['Stop', 'Scanner'],
  idle: 'The camera is off. Start the scanner when the gate opens.',
  continue: 'Continue',
  switchCamera: 'Switch camera',
  torchOn: 'Turn the torch on',
  torchOff: 'Turn the torch off',
  zoom: 'Zoom',
  zoomAt: (factor: string) => `Zoom ${factor}`,
  torch: 'Torch',
  dismiss: 'Dismiss',
  reload: 'Reload',
  close: 'Close',
  camera: 'Camera',
  resting: 'Resting: tap, or hold up a code',
  menu: 'Scanner menu',
} as const

export const START = {
  label: 'This phone',
  list: (n: number, age: string) => `${many(n, 'ticket', 'tickets')} on this phone, updated ${age} ago`,
  noList: 'No ticket list on this phone yet',
  untested: (names: readonly string[], more: number) =>
    `Not tested yet: ${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`,
  tested: 'Everything was tested this evening',
} as const

export const DAY = {
  label: 'The event’s day',
  locale: 'en-GB',
  strip: ({ day, isOver }: { day: string; isOver: boolean }) =>
    `The event ${isOver ? 'was' : 'is'} on ${day}. A scan uses the ticket up.`,
  practise: 'Practise',
  practising: 'Practice: nothing is marked or stored.',
  stop: 'Stop',
  tag: 'PRACTICE',
  verdict: ({ day, isOver }: { day: string; isOver: boolean }) => `The event ${isOver ? 'was' : 'is'} on ${day}`,
} as const

export const HOLDER = {
  open: 'Check ID',
  openOf: (name: string) => `Check ID: ${name}`,
  title: 'Check ID',
  unknown: 'No name is known for this ticket',
  ask: 'Ask for the ticket on their own phone, or for an ID with this name.',
  happens: 'If it matches, let them in. The first admission is then marked as disputed.',
  callSupervisor: 'If it matches, call a supervisor. Only a supervisor can let this person in.',
  offline: 'A holder can only be let in while this phone is online.',
  matches: 'It matches: let in',
  differs: 'It does not match',
} as const

export const RECENT = {
  title: 'Recent Scans',
  short: 'Recent',
  clear: 'Clear History',
  clearQuestion: 'Clear the history on this device?',
  clearDetail: 'This clears only the list. Unsent scans are kept and will be sent.',
  yes: 'Clear History',
  no: 'Keep it',
  empty: 'No scans yet',
  emptyDetail: 'The last 50 scans of this device appear here.',
  manual: 'by hand',
  endings: {
    admitted: 'Valid',
    pending: 'Valid (Pending)',
    conflict: 'Admitted Twice',
    undone: 'Undone',
  },
  pendingDetail: 'Let in here. Not reported yet.',
  statuses: { valid: 'Valid', used: 'Used', cancelled: 'Cancelled', invalid: 'Invalid' },
  unknownTicket: 'Unknown ticket',
  last: 'Last scan',
  scanAgain: 'Scan again',
  letIn: (name: string) => `Let in: ${name}`,
  undo: 'Undo',
  undoLabel: (name: string) => `Undo the admission of ${name}`,
  undoFailed: (reason: string) => `Could not undo: ${reason}`,
} as const

const roomy = (text: string) => ({ roomy: text })
const wide = (text: string) => ({ wide: text })
const phrase = (...parts: Phrase): Phrase => parts

export const STATUS_BAR = {
  label: 'State of this device',
  online: phrase('Online'),
  connecting: phrase('Connecting'),
  offline: phrase('Offline', roomy(': this device decides')),
  slow: phrase('Slow', roomy(' network: this device decides')),
  reading: phrase('Reading', roomy(' unsent scans')),
  allSent: phrase('All sent'),
  unsent: (n: number, age: string) => phrase(`${formatCount(n)} unsent, `, roomy('oldest '), age),
  sending: roomy(', sending'),
  waitsForSignIn: roomy(': sign in to send'),
  parked: (n: number) => roomy(`: ${many(n, 'needs attention', 'need attention')}`),
  list: (n: number, age: string) => phrase(wide('Updated '), `${age} ago`, roomy(`: ${many(n, 'ticket', 'tickets')}`)),
  noList: phrase('No ', roomy('ticket '), 'list yet'),
  drift: (minutes: number) => `This device’s clock is ${Math.abs(minutes)} min ${minutes < 0 ? 'behind' : 'ahead'}`,
  again: (done: number, all: number) =>
    `Sending this evening’s scans again: ${formatCount(done)} of ${formatCount(all)}`,
  conflicts: (n: number) => many(n, 'double admission to read', 'double admissions to read'),
  noRoom: 'Storage problem',
} as const

export const MANUAL = {
  title: 'Find a ticket',
  open: 'Find by name or code',
  short: 'Find',
  label: 'Name, order, or last characters of the ticket',
  hint: 'Two letters of a name are enough, or No. 12 for a paper ticket. It works without a network.',
  none: 'No ticket matches',
  more: 'More tickets match. Type more letters.',
  results: (n: number) => many(n, 'ticket found', 'tickets found'),
  letIn: 'Let in',
  noList: 'There is no ticket list on this device yet. Connect it once.',
  statuses: { active: 'Not yet in', used: 'Already in', cancelled: 'Cancelled', deleted: 'Deleted' },
  together: (n: number) => `${formatCount(n)} tickets of one order`,
  several: 'Let several in',
  confirm: (name: string) => `Let ${name} in?`,
  confirmDetail: 'Without a code this is noted as a manual admission in your name.',
  no: 'Not now',
} as const

export const UNSENT = {
  title: 'Scans to send',
  reading: 'Reading unsent scans',
  none: 'Everything has been sent.',
  explain: (n: number) =>
    n === 1
      ? 'This person is inside. The scan stays on this device until the server has it.'
      : 'These people are inside. Their scans stay on this device until the server has them.',
  sendNow: 'Send now',
  attempts: (n: number) => (n === 0 ? 'not tried yet' : many(n, 'try', 'tries')),
  by: (name: string) => `scanned by ${name}`,
  parked: 'The server rejected this scan',
  remove: 'Remove',
  removeQuestion: 'Remove this scan for good?',
  removeDetail: 'The server will never know of this admission. Write it down first.',
  keep: 'Keep it',
  signedOut: (n: number) =>
    n === 1
      ? 'It stays on this device and is sent when a checker signs in here.'
      : 'They stay on this device and are sent when a checker signs in here.',
  /** Says neither who is inside nor when the scans can be sent. */
  kept: (n: number) =>
    n === 1
      ? 'It stays on this device until the server has it.'
      : 'They stay on this device until the server has them.',
  removed: 'Removed before it was sent',
} as const

export const CONFLICTS = {
  title: 'Double admissions',
  explain:
    'Somebody went in on each of these tickets although it had been used already or was not valid. Tell the organiser.',
  first: 'First',
  second: 'Then',
  acknowledge: 'I have read this',
} as const

export const DEVICE = {
  title: 'Name of this device',
  label: 'Name',
  hint: 'What the staff call it, for example Gate A. It is shown when a ticket was used here.',
  save: 'Save',
  unnamed: (tag: string) => `Scanner ${tag}`,
  name: 'Name this device',
} as const

export const LEAVING = {
  title: 'Sign out with unsent scans?',
  detail: (n: number) =>
    `${many(n, 'scan has', 'scans have')} not been sent yet. ${n === 1 ? 'It stays on this device and is' : 'They stay on this device and are'} sent, in your name, when a checker signs in here again.`,
  offlineTitle: 'Sign out without a connection?',
  offline: 'The ticket list leaves this device, and nobody can sign in here before the connection is back.',
  unread: 'The unsent scans of this device could not be read. If there are any, they stay on it and are sent later.',
  yes: 'Sign out',
  no: 'Stay',
} as const

export const UPDATE = {
  ready: 'A new version of the scanner is ready.',
  waits: 'It can be used once the scanner is stopped and every scan is sent.',
  action: 'Update now',
} as const

const counted = (n: number, word: string): string | null => (n === 0 ? null : `${formatCount(n)} ${word}`)

export const GROUP = {
  title: (n: number) => `Group of ${formatCount(n)}`,
  counts: ({ left, inside, cancelled, others }: Record<'left' | 'inside' | 'cancelled' | 'others', number>): string =>
    [
      counted(left, 'to go in'),
      counted(inside, 'inside already'),
      counted(cancelled, 'cancelled'),
      counted(others, 'not admitted here'),
    ]
      .filter(Boolean)
      .join(', '),
  letIn: (n: number) => (n === 1 ? 'Let 1 in' : `Let ${formatCount(n)} in`),
  letAllIn: (n: number) => (n === 1 ? 'Let 1 in' : `Let all ${formatCount(n)} in`),
  fewer: 'Fewer people here? Let in:',
  members: 'Tickets of this group',
  notNow: 'Not now',
  nobody: 'Nobody let in',
  ready: 'Not yet in',
  sent: 'Sent to somebody else, who brings it',
  inside: (when: string | null) => (when === null ? 'Inside already' : `Inside since ${when}`),
  wentIn: (n: number) => `${formatCount(n)} let in`,
  partly: (inside: number, out: number) => `${formatCount(inside)} let in, ${formatCount(out)} not`,
  reason: (name: string, title: string) => `${name}: ${title}`,
} as const

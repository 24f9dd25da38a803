import { SCAN } from './scanner.ts'

/** The scanner's own words beside SPEC's (which are in scanner.ts and camera.ts): why a device could not keep a scan, and who it is. */

/** What to do when the device's storage failed, so that no verdict could be given (DECISIONS 3, "Never a false green"). */
export const STORAGE_TROUBLE = {
  full: 'This device has no room left to save the scan. Free some storage, then scan again.',
  blocked: 'Another tab holds the scanner. Close the other tabs of this app, then scan again.',
  newer: 'A newer version of the scanner is open. Reload this page, then scan again.',
  slow: 'This device took too long to save the scan. Scan again; if it goes on, restart the app.',
  failed: 'This device could not save the scan. Reload this page; if it goes on, use another device.',
} as const

export const GATE = {
  /** A device that has never heard the server cannot tell a valid code from a forged one. */
  notSynced: 'This device has not been synced yet. Connect it once so that it can check tickets without a network.',
  notInList: 'This ticket is not in the list on this device.',
  noName: 'Name not on this device',
  undone: { title: 'Entry Undone', detail: 'The ticket is active again.' },
  undoNothing: 'There is no admission to undo.',
  undoQueued: { title: 'Entry Undone', detail: 'It will be sent when the connection is back.' },
  selfTest: { title: 'Self-test Code', detail: 'The scanner reads it well. It is not a ticket.' },
  ago: (age: string) => `${age} ago`,
  thisDevice: 'this device',
  otherDevice: 'another device',
  admin: 'the organiser',
} as const

/** Let in on a ticket with no entry left to give, by what the ticket was then (DECISIONS 3). */
export const CONFLICT_TITLES = {
  used: SCAN.conflict,
  cancelled: 'Let In on a Cancelled Ticket',
  deleted: 'Let In on a Deleted Ticket',
  missing: 'Let In on an Unknown Ticket',
} as const

/** One side of a double admission in a line: "7:03 pm, Chetan Checker, Gate A". */
export const sideText = ({ when, by, at }: { when: string; by: string; at: string | null }): string =>
  [when, by, at].filter(Boolean).join(', ')

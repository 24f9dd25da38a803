import { formatCount } from '@garba/shared/messages/language'

/** The words of a phone that scans without an account: pairing, shifts, the end. */
export const PAIRING = {
  title: 'Pair this phone',
  detail: 'No account is needed. The organiser shows a code on the desk, under Devices.',
  open: 'Pair this phone',
  scan: 'Scan the code',
  stop: 'Stop the camera',
  aim: 'Hold the organiser’s code in front of the camera.',
  picture: 'Camera',
  or: 'or type it',
  label: 'Pairing code',
  hint: '8 letters and digits, for example 7K3M-Q9XT',
  pair: 'Pair',
  pairing: 'Pairing...',
  back: 'Back to the scanner',
  notComplete: 'A code has 8 letters and digits. Check what you typed.',
  otherCode: 'This is not a pairing code of this event. Scan the one that the organiser shows under Devices.',
  ticket: 'This is a ticket. Scan the pairing code that the organiser shows under Devices.',
  camera: 'The camera could not be opened. Type the code instead.',
  again: (name: string) => `This phone is paired as “${name}”. Another code takes its place.`,
  /** Safari's storage is not the installed app's. */
  ios: {
    title: 'Pair inside the installed app',
    text: 'On an iPhone or iPad, Safari and the installed app do not share what they store. In Safari tap Share, then Add to Home Screen. Open the scanner from there, choose Pair this phone, and type the code.',
    code: 'Your code',
    anyway: 'Pair in Safari anyway',
  },
  failed: {
    offline: 'This phone is offline. Connect it to the internet or the venue’s Wi-Fi, then try again.',
    serverAway: 'The server does not answer. The code is still good. Try again in a moment.',
    storage: 'This browser cannot keep the key that pairing needs. Leave private browsing, or use another browser.',
    insecure: 'Pairing needs a secure connection: the address must begin with https://.',
  },
  labels: { ios: 'iPhone or iPad', android: 'Android phone', other: 'Computer' },
  unreadable: {
    title: 'The pairing could not be read',
    text: 'This phone is paired, but its storage does not answer. Close other tabs of the scanner, then reload.',
    action: 'Reload',
  },
  scanAfterEnd: { title: 'Not Marked', detail: 'This phone’s time is up. Send the guest to another gate.' },
  until: (time: string) => `Scans until ${time}`,
  mayNot: 'This phone is not allowed to scan tickets. Ask the organiser.',
} as const

export const SHIFT = {
  title: 'Who is scanning?',
  detail: 'Your first name is shown with every scan, so that questions reach the right person.',
  label: 'First name',
  start: 'Start the shift',
  change: 'Change shift',
  changeDetail: 'From now on scans carry the new name. Earlier scans keep theirs.',
  required: 'Type a first name.',
} as const

export const PAIRING_END = {
  revoked: { title: 'This phone was disconnected', text: 'The organiser has ended its access to the gate.' },
  lapsed: {
    title: 'This phone’s time is up',
    text: (time: string) => `It could scan until ${time}. If the gate is still open, ask the organiser for more time.`,
  },
  unknown: {
    title: 'The server does not know this phone',
    text: 'Another phone may have been paired in its place, or the server was replaced. Ask the organiser for a new code.',
  },
  erased: 'The ticket list and all names have been removed from it.',
  unsent: (n: number) =>
    `${n === 1 ? 'It stays on this phone and is' : 'They stay on this phone and are'} sent as soon as the server can be reached. What was done before the end counts, and so do codes scanned before this phone learned of it. Later entries by hand and sales do not count: the organiser decides about them.`,
  unsentUnknown: (n: number) =>
    n === 1
      ? 'It stays on this phone and is sent when it is paired again or a checker signs in.'
      : 'They stay on this phone and are sent when it is paired again or a checker signs in.',
  pairAgain: 'Pair this phone again',
  forget: 'Remove the pairing',
  lookAtUnsent: 'See what is unsent',
} as const

/** What a supervisor sees of the whole gate on the phone. */
export const GATE_VIEW = {
  title: 'Evening',
  broken: 'Connection lost: these figures are not live. Reconnecting...',
  noDevices: 'No phone has reported yet.',
  unnamedDevice: 'A phone without a name',
  conflicts: 'Double admissions',
  noConflicts: 'No ticket was used twice.',
  read: 'Acknowledge',
  readOf: (name: string) => `Acknowledge the double admission of ${name}`,
  readBy: (name: string) => `Acknowledged by ${name}`,
  readFailed: (reason: string) => `Could not acknowledge: ${reason}`,
  devices: 'Phones',
  device: (used: number, age: string) =>
    `${used === 1 ? '1 ticket' : `${formatCount(used)} tickets`} used, seen ${age} ago`,
  unsent: (n: string) => `${n} unsent then`,
  loading: 'Loading the evening',
  failed: (reason: string) => `The evening could not be loaded: ${reason}`,
  retry: 'Try again',
} as const

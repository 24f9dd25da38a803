import { messageFor } from '@garba/shared/messages/codes'
import { SCREENS, SHELL, TRANSPORT } from '@garba/shared/messages/common'
import { GATE, HEADCOUNT, RIGHT_LABELS, SCANNER_KEYS } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'

export { HEADCOUNT, SCANNER_KEYS }

export const FRAME = {
  loading: SCREENS.loadingDashboard,
  redirecting: SCREENS.redirecting,
  crash: SCREENS.crash,
  signIn: SHELL.signInWithGoogle,
  signInFirst: messageFor('UNAUTHENTICATED'),
  signOut: SHELL.signOut,
  signingOut: SCREENS.signingOut,
  noResponse: TRANSPORT.noResponse,
  unexpected: TRANSPORT.unexpected,
  unprovenLimit: messageFor('UNPROVEN_LIMIT'),
  changeGate: GATE.change,
  changeGateDetail: GATE.changeDetail,
  gateTakes: GATE.takes,
} as const

export const PAIRING = {
  title: 'Pair this phone',
  detail: 'No account is needed. The organiser shows a code on the desk, under Devices.',
  scan: 'Scan the code',
  stop: 'Stop the camera',
  aim: 'Hold the organiser’s code in front of the camera.',
  picture: 'Camera',
  or: 'or type it',
  label: 'Pairing code',
  hint: '8 letters and digits, for example 7K3M-Q9XT',
  pair: 'Pair',
  pairing: 'Pairing...',
  notComplete: 'A code has 8 letters and digits. Check what you typed.',
  otherCode: 'This is not a pairing code of this event. Scan the one that the organiser shows under Devices.',
  ticket: 'This is a ticket. Scan the pairing code that the organiser shows under Devices.',
  camera: 'The camera could not be opened. Type the code instead.',
  again: (name: string) => `This phone is paired as “${name}”. Another code takes its place.`,
  /** On iOS the installed app does not share Safari's storage. */
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

export const INSTALL = {
  title: 'Install the scanner',
  detail: 'As an app it opens without a network, and the browser keeps its data.',
  action: 'Install',
  ios: {
    share: 'Tap Share in the browser.',
    add: 'Choose “Add to Home Screen”.',
    open: 'Open the scanner from the home screen. If this phone is paired, pair it again there.',
  },
} as const

export const SHIFT = {
  title: 'Who is scanning?',
  detail: 'Your first name is shown with every scan, so that questions reach the right person.',
  label: 'First name',
  start: 'Start the shift',
  change: 'Change shift',
  changeDetail: 'From now on scans carry the new name. Earlier scans keep theirs.',
  required: 'Type a first name.',
  drawerOpen: (person: string) => `${person}'s drawer is open: count it first, or hand it over with a count.`,
  drawerOffline: 'It can be counted once this phone is online.',
  count: 'Count the drawer',
  gate: 'Which gate is this phone at?',
  language: 'Language',
} as const

export const PAIRING_END = {
  revoked: { title: 'This phone was disconnected', text: 'The organiser has ended its access to the gate.' },
  lapsed: {
    title: 'This phone’s time is up',
    text: (time: string | null) =>
      `${time === null ? 'Its time is over.' : `It could scan until ${time}.`} If the gate is still open, ask the organiser for more time.`,
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

export const GATE_VIEW = {
  title: 'Evening',
  broken: 'Connection lost: these figures are not live. Reconnecting...',
  noDevices: 'No phone has reported yet.',
  unnamedDevice: 'A phone without a name',
  conflicts: 'Double admissions',
  swaps: 'Swaps',
  noConflicts: 'No ticket was used twice.',
  read: 'Acknowledge',
  readOf: (name: string) => `Acknowledge the double admission of ${name}`,
  readBy: (name: string) => `Acknowledged by ${name}`,
  readFailed: (reason: string) => `Could not acknowledge: ${reason}`,
  devices: 'Phones',
  device: (used: number, age: string) =>
    `${used === 1 ? '1 ticket' : `${formatCount(used)} tickets`} used, seen ${age} ago`,
  unsent: (n: string) => `${n} unsent`,
  loading: 'Loading the evening',
  failed: (reason: string) => `The evening could not be loaded: ${reason}`,
  noRight: `Only a phone with the right "${RIGHT_LABELS.supervise}" shows these figures. The desk can give it to a paired phone.`,
  retry: 'Try again',
} as const

const tickets = (n: number) => `${formatCount(n)} ${n === 1 ? 'ticket' : 'tickets'}`

export const READINESS = {
  title: 'Readiness check',
  detail: 'Run this on each device before the gate opens. A check is green only if it was tested just now.',
  run: 'Run all checks',
  running: 'Checking...',
  back: 'Back to the scanner',
  ready: 'This device is ready',
  notReady: (n: number) => (n === 1 ? '1 check is not green' : `${n} checks are not green`),
  untested: 'Not tested yet',
  states: { good: 'Good', weak: 'Look at this', bad: 'Not ready', absent: 'Not on this device', testing: 'Testing' },

  camera: {
    title: 'Camera',
    good: (label: string, size: string) => `${label} gives a picture of ${size}`,
    none: 'The camera did not start in time.',
    dark: 'The camera shows no picture. Is the lens covered?',
  },
  torch: {
    title: 'Torch',
    good: 'It turned on and off',
    failed: 'It did not turn on',
    unsure: 'It was switched on, but the camera does not report whether it works. Check it yourself.',
    absent: 'This camera has no torch that a page can use',
  },
  handScanner: {
    title: 'Hand scanner',
    how: 'Scan the test code with your scanner. Open it on another device: menu, Test code.',
    good: 'It types the test code as it should',
    other: 'It read a code, but not the test code. Scan the test code.',
    wrong: SCANNER_KEYS.settings,
  },
  sound: {
    title: 'Sound',
    play: 'Play the three sounds',
    heard: 'I heard three different sounds',
    silent: 'I heard nothing',
    asks: 'The sounds were played. Did you hear them?',
    good: 'Three sounds played and heard',
    blocked: 'The browser does not let this page play sounds. Tap again.',
    unheard: 'Turn up the volume and switch off silent mode, then try again.',
  },
  persistence: {
    title: 'Storage is kept',
    good: 'The browser will not clear the data by itself',
    weak: 'The browser may clear the data when storage runs low. Install the app, then check again.',
    unanswered: 'The browser asks whether this site may keep its data. Allow it, then check again.',
  },
  space: {
    title: 'Free storage',
    good: (free: string) => `${free} free, and a test scan was written and read back`,
    low: (free: string) => `Only ${free} left. Free some storage.`,
    unknown: 'A test scan was written and read back; the browser does not report how much is free',
    failed: 'A test scan could not be written. Free some storage.',
  },
  clock: {
    title: 'Clock',
    good: (seconds: number) => `Within ${seconds} s of the server’s clock`,
    bad: (minutes: number) => `Off by ${minutes} min. Set the device’s clock to automatic.`,
  },
  roster: {
    title: 'Ticket list',
    good: (count: number) => `${tickets(count)}, exactly the same as the server’s`,
    bad: (here: number, server: number) => `${tickets(here)} here, ${formatCount(server)} at the server`,
    empty: 'There are no tickets yet',
  },
  version: {
    title: 'App version',
    good: (version: string) => `${version}, the same as the server’s`,
    bad: (here: string, server: string) => `${here} here, ${server} at the server. Reload when the gate is quiet.`,
    waiting: 'A newer version is waiting. Use it when the gate is quiet.',
    offline: 'Offline start is not ready yet: the app is not fully stored on this device.',
  },
  wakeLock: {
    title: 'Screen stays on',
    good: 'The screen was kept on',
    refused: 'The device refused. Charge it, or switch off battery saving.',
    absent: 'This browser cannot keep the screen on. Set the screen timeout to never.',
  },
  selfTest: {
    title: 'Test scan',
    good: (ms: number) => `Read from the screen in ${ms} ms`,
    start: 'Scan the test code',
    stop: 'Stop',
    how: 'Open Test code on another device, or print it, and hold it in front of this camera.',
    waiting: 'Hold the test code in front of the camera',
    timeout: 'No test code was seen. Hold it closer, wipe the lens or add light.',
  },
  noServer: 'The server does not answer. Connect this device, then check again.',

  testCode: {
    title: 'Test code',
    detail: 'Show this to a scanner during its readiness check. It is only a test code, not a ticket.',
  },
} as const

export type CameraPlace = 'androidChrome' | 'androidApp' | 'iosSafari' | 'iosApp' | 'iosBrowser' | 'other'

/** Used with CAMERA_CAUSES: cause and cure of a missing picture, with CAMERA's sentence between the two. */
export const CAMERA_BLOCKED = {
  title: 'The camera is blocked',
  cures: {
    androidChrome: [
      'Tap the icon to the left of the address.',
      'Tap Permissions and turn Camera on.',
      'No Camera there? Open Android’s Settings, Apps, Chrome, Permissions, and allow the camera.',
    ],
    androidApp: [
      'Open Chrome. Tap ⋮, Settings, Site settings, Camera.',
      'Tap this site under Blocked and choose Allow.',
      'Not listed? Open Android’s Settings, Apps, Chrome, Permissions, and allow the camera.',
    ],
    iosSafari: [
      'Tap the page menu at the left of the address, then Website Settings.',
      'Set Camera to Allow.',
      'Still blocked? Open Settings, Apps, Safari, Camera, and choose Allow.',
    ],
    iosApp: [
      'Close this app: swipe up from the bottom edge, then swipe the app away.',
      'Open it again, start the scanner, and tap Allow.',
      'Not asked? Open Settings, Apps, Safari, Camera, and choose Allow.',
    ],
    iosBrowser: ['Open Settings, Apps, and then this browser.', 'Turn Camera on and come back here.'],
    other: [
      'Select the icon to the left of the address.',
      'Allow the camera for this site.',
      'Still blocked? Allow the camera for this browser in the settings of the computer or phone.',
    ],
  } satisfies Record<CameraPlace, readonly string[]>,
} as const

export const CAMERA_CAUSES = {
  none: { title: 'No Camera Available', cure: [] },
  unplugged: {
    title: 'The camera was unplugged',
    cure: ['Plug it in again. The scanner continues by itself.', 'Using another one? Plug it in and press Retry.'],
  },
  inUse: {
    title: 'The camera is in use',
    cure: [
      'Close other apps that use the camera, such as video calls.',
      'Close other tabs and windows with the scanner.',
      'Press Retry. If that doesn’t help, restart the phone.',
    ],
  },
  unfit: {
    title: 'This camera can’t be used',
    cure: ['Press Camera to try another one.', 'If there is only one, restart the phone.'],
  },
  unsupported: { title: 'This browser can’t open the camera', cure: [] },
  timedOut: {
    title: 'The camera didn’t answer',
    cure: [
      'Is the browser asking for the camera? Tap Allow.',
      'Close other apps that use the camera.',
      'Press Reload.',
    ],
  },
  scanner: {
    title: 'The scanner didn’t start',
    cure: ['Press Reload.', 'If it happens again, close other apps or restart the phone.'],
  },
  unknown: {
    title: 'Camera problem',
    cure: ['Press Reload.', 'If it happens again, restart the phone or use another one.'],
  },
} as const satisfies Record<string, { title: string; cure: readonly string[] }>

import { formatCount } from '@garba/shared/messages/language'

const tickets = (n: number) => `${formatCount(n)} ${n === 1 ? 'ticket' : 'tickets'}`

/** The readiness check of a device before the evening: green only if really tested. */
export const READINESS = {
  title: 'Readiness check',
  detail: 'Run this on each device before the gate opens. A check is green only if it was tested just now.',
  run: 'Run all checks',
  again: 'Check again',
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
    good: (seconds: number) => `Within ${seconds} s of the server's`,
    bad: (minutes: number) => `Off by ${minutes} min. Set the device's clock to automatic.`,
  },
  roster: {
    title: 'Ticket list',
    good: (count: number) => `${tickets(count)}, exactly the same as the server's`,
    bad: (here: number, server: number) => `${tickets(here)} here, ${formatCount(server)} at the server`,
    empty: 'There are no tickets yet',
  },
  version: {
    title: 'App version',
    good: (version: string) => `${version}, the same as the server's`,
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
    failed: 'The code could not be read on this device. Reload the app.',
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

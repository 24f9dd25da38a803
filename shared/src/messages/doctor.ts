import { OLDER_VERSION } from './device.ts'
import { ageText } from './formats.ts'
import { formatCount } from './language.ts'
import { READ_ONLY } from './readOnly.ts'

const days = (n: number) => (n === 1 ? '1 day' : `${formatCount(n)} days`)
const DAY_MS = 86_400_000
const lasting = (ms: number) => (ms < DAY_MS ? ageText(ms) : days(Math.floor(ms / DAY_MS)))
const scans = (n: number) => (n === 1 ? '1 unsent scan' : `${formatCount(n)} unsent scans`)
const scanners = (n: number) => (n === 1 ? '1 scanner' : `${formatCount(n)} scanners`)

/** What `npm run doctor` and the System panel say before and during the evening (DECISIONS 8). */
export const DOCTOR = {
  settings: {
    name: 'Settings',
    ok: 'They fit together.',
    demo: 'This is a demo: whoever can open it can be its admin.',
    demoCure: 'Set the three FIREBASE settings before you sell to anybody.',
    noAdmin: 'ADMIN_EMAILS names nobody.',
    noAdminCure: 'Set it to your own email, or nobody can create the event.',
    notProduction: 'NODE_ENV is not production.',
    notProductionCure: 'Set NODE_ENV=production: then settings that would be dangerous stop the start.',
  },
  /** Why something was not reached. */
  why: {
    noName: 'the name is not found from here',
    refused: 'nothing listens there',
    late: 'no answer in time',
    untrusted: 'its certificate is not trusted here',
    otherName: 'its certificate is for another name',
    ended: 'its certificate has ended',
  },
  address: {
    name: 'Public address',
    ok: (url: string, ms: number) => `${url} answers in ${formatCount(ms)} ms.`,
    local: (url: string) => `${url} is this machine only.`,
    localCure: 'Set PUBLIC_URL to the https address that guests and scanners open.',
    http: (url: string) => `${url} is not https: phones give it no camera and do not install it.`,
    httpCure: 'Put a proxy with a certificate in front, and set PUBLIC_URL to its https address.',
    silent: (url: string, why: string) => `${url} does not answer (${why}).`,
    silentCure: 'Check that the server and the proxy run, and that the name leads here.',
    readOnlyCure: 'See "When the server is lost" in operations.md.',
    foreign: (url: string) => `Another server answers at ${url}.`,
    foreignCure: 'Check the proxy and the name: guests reach somebody else.',
  },
  certificate: {
    name: 'Certificate',
    ok: (ms: number) => `Valid for ${lasting(ms)}.`,
    soon: (ms: number) => (ms > 0 ? `Ends in ${lasting(ms)}.` : 'It has ended.'),
    soonCure: 'Renew it, or find out why the proxy does not.',
    unread: (why: string) => `It could not be read (${why}).`,
  },
  signIn: {
    name: 'Google sign-in',
    ok: 'The Firebase project answers, and the host is authorised.',
    demo: 'The demo signs in by itself.',
    silent: (why: string) => `Google does not answer (${why}).`,
    silentCure: 'Who is signed in stays so, and paired phones need no Google. New sign-ins wait for the internet.',
    refused: 'Google does not accept FIREBASE_API_KEY.',
    refusedCure: "Copy apiKey again from the project's settings.",
    notAuthorised: (host: string) => `${host} is not an authorised domain of the Firebase project.`,
    notAuthorisedCure: 'Add it under Authentication, Settings, Authorised domains.',
  },
  clock: {
    name: 'Clock',
    ok: (seconds: number) => `Within ${formatCount(seconds)} s of the time on the internet.`,
    off: (seconds: number) => `${formatCount(seconds)} s off.`,
    offCure: 'Switch on automatic time: timedatectl set-ntp true.',
    unknown: 'No clock on the internet answers.',
    unknownCure: "Compare it with a phone's.",
    apart: 'The clocks on the internet differ from each other.',
  },
  disk: {
    name: 'Disk',
    ok: (free: string) => `${free} free.`,
    low: (free: string) => `Only ${free} free.`,
    lowCure: 'Make room: a full disk stops sales and scans.',
  },
  sync: {
    name: 'Disk sync',
    ok: (ms: string, perSecond: number) =>
      `${ms} ms: up to ${formatCount(perSecond)} commits a second; sales of the same moment share one.`,
    slowCure: 'Each sale waits for one. Use an SSD of this machine, not a network folder.',
    failed: (why: string) => `Nothing can be written to the data folder (${why}).`,
    failedCure: 'Check who owns the folder, and that the disk is not full.',
  },
  database: {
    name: 'Database',
    ok: (size: string) => `Whole, ${size}.`,
    absent: 'There is none yet; the first start makes it.',
    older: 'It is of an earlier version, and is brought up to date at the next start.',
    olderCure: 'Make a backup first: npm run backup -- FILE',
    postgres: (name: string) => `${name} answers.`,
  },
  backups: {
    name: 'Backups',
    ok: (age: string) => `The last one is ${age} old.`,
    none: 'There is none.',
    old: (age: string) => `The last one is ${age} old.`,
    byHand: (age: string) => `The last one is ${age} old, and the server makes none by itself.`,
    cure: 'Set BACKUP_DIR, and the server makes them.',
    oldCure: 'See why in the log, or on the desk.',
    failed: (reason: string) => `The latest one failed. ${reason}`,
    failedCure: 'Until that is mended, the backups grow old.',
  },
  drill: {
    name: 'Drill',
    ok: (age: string) => `A backup was tried out ${age} ago.`,
    never: 'No backup was ever tried out.',
    old: (age: string) => `The last one was ${age} ago.`,
    cure: 'Run npm run drill.',
  },
  mail: {
    name: 'Mail',
    ok: 'The mail server accepts us.',
    off: 'No mails are sent.',
    missing: 'Tickets are paid for, but no mail can leave.',
    missingCure: 'Set SMTP_URL and MAIL_FROM.',
    failed: (why: string) => `The mail server does not accept us (${why}).`,
    failedCure: 'Check SMTP_URL. Mails wait meanwhile, for about two days.',
  },
  payments: {
    name: 'Payments',
    ok: 'Razorpay accepts the keys.',
    none: 'Tickets are given out without payment.',
    byHand: 'Payments are confirmed by hand.',
    test: 'The keys are for testing: no real money moves.',
    testCure: 'Set the live keys before you sell.',
    failed: (why: string) => `Razorpay does not accept us (${why}).`,
    failedCure: 'Check RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET. Nobody can pay online meanwhile.',
  },
  webhook: {
    name: 'Webhook',
    ok: (age: string) => `Razorpay last called ${age} ago.`,
    never: 'Razorpay has never called.',
    silent: (age: string) => `Razorpay last called ${age} ago, though orders were paid since.`,
    cure: 'Check the webhook in its dashboard. Orders are asked about each minute meanwhile.',
  },
  takeover: {
    name: 'Takeover',
    ok: 'No other server has taken over.',
    replaced: READ_ONLY.replaced,
    replacedCure: READ_ONLY.replacedCure,
  },
  devices: {
    name: 'Scanners',
    none: 'None has called in the last 12 hours.',
    ok: (n: number) => `${scanners(n)} called in the last 12 hours; all scans are sent.`,
    unsent: (n: number, left: number) => `${scanners(n)} called in the last 12 hours; ${scans(left)}.`,
    unsentCure: 'Open those scanners where there is a network. Evening shows which.',
    silent: (names: readonly string[]) => `Not heard of for ten minutes: ${names.join(', ')}.`,
    silentCure: 'They go on offline. Look whether they have battery and network.',
    older: (names: readonly string[]) =>
      `${names.length === 1 ? 'One scanner runs' : `${formatCount(names.length)} scanners run`} an older version: ${names.join(', ')}.`,
    olderCure: OLDER_VERSION.cure,
  },
  books: {
    name: 'Books',
    wrong: (n: number) => (n === 1 ? 'One rule does not hold.' : `${n} rules do not hold.`),
    cure: 'Look at Money on the desk: each line names what breaks it.',
  },
  version: { name: 'Version', ok: (app: string, node: string) => `${app} on Node ${node}.` },
  /** The mail to ALERT_EMAIL. */
  alert: {
    title: (n: number, first: string) => (n === 1 ? `${first} needs you` : `${first} and ${n - 1} more need you`),
    over: 'All is well again',
    foot: (url: string) => `Sent by the server of ${url}, because its ALERT_EMAIL is your address.`,
  },
  result: {
    ok: (n: number) => `All ${n} checks are ok.`,
    warnings: (n: number) => `Ready, with ${n === 1 ? '1 warning' : `${n} warnings`}.`,
    failures: (n: number) => (n === 1 ? '1 check failed.' : `${n} checks failed.`),
  },
} as const

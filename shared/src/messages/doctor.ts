import { DAY_MS } from '../constants.ts'
import { READ_ONLY } from './codes.ts'
import { ageText } from './formats.ts'
import { OLDER_VERSION } from './gate.ts'
import { formatCount } from './language.ts'

const days = (n: number) => (n === 1 ? '1 day' : `${formatCount(n)} days`)
const lasting = (ms: number) => (ms < DAY_MS ? ageText(ms) : days(Math.floor(ms / DAY_MS)))
const scans = (n: number) => (n === 1 ? '1 unsent scan' : `${formatCount(n)} unsent scans`)
const scanners = (n: number) => (n === 1 ? '1 scanner' : `${formatCount(n)} scanners`)

export const DOCTOR = {
  settings: {
    name: 'Settings',
    ok: 'No problems found.',
    oddCure: 'Correct or remove these settings.',
    demo: 'This is a demo: anyone who can open it can become its admin.',
    demoCure: 'Set the three FIREBASE settings before you sell tickets.',
    noAdmin: 'ADMIN_EMAILS is empty.',
    noAdminCure: 'Set it to your own email. Without it, nobody can create the event.',
    noSupport: 'SUPPORT_EMAIL is empty.',
    noSupportCure: 'Set it to the address that guests may write to. Until then the site shows one that reaches nobody.',
    notProduction: 'NODE_ENV is not production.',
    notProductionCure: 'Set NODE_ENV=production. The server then refuses to start with dangerous settings.',
  },
  why: {
    noName: 'the name is not found from here',
    refused: 'nothing listens there',
    late: 'no answer in time',
    untrusted: 'its certificate is not trusted here',
    otherName: 'its certificate is for another name',
    ended: 'its certificate has expired',
    none: 'it has no certificate yet',
  },
  address: {
    name: 'Public address',
    ok: (url: string, ms: number) => `${url} answers in ${formatCount(ms)} ms.`,
    local: (url: string) => `${url} can be opened on this machine only.`,
    localCure: 'Set PUBLIC_URL to the https address that guests and scanners open.',
    http: (url: string) => `${url} is not https: phones will not let it use the camera or install it.`,
    httpCure: 'Put a proxy with a certificate in front, and set PUBLIC_URL to its https address.',
    silent: (url: string, why: string) => `${url} does not answer (${why}).`,
    silentCure: 'Check that the server and the proxy are running, and that the name points here.',
    readOnlyCure: 'See "When the server is lost" in operations/repairing.md.',
    foreign: (url: string) => `Another server answers at ${url}.`,
    foreignCure: 'Check the proxy and the name: guests reach another server.',
  },
  certificate: {
    name: 'Certificate',
    ok: (ms: number) => `Valid for ${lasting(ms)}.`,
    soon: (ms: number) => (ms > 0 ? `Expires in ${lasting(ms)}.` : 'It has expired.'),
    soonCure: 'Renew it, or find out why the proxy has not: journalctl -u caddy.',
    unread: (why: string) => `It could not be read (${why}).`,
  },
  signIn: {
    name: 'Google sign-in',
    ok: 'The Firebase project answers, and this host is authorised.',
    demo: 'The demo needs no Google account.',
    none: 'Nobody signs in here: phones are paired from the command line.',
    silent: (why: string) => `Google does not answer (${why}).`,
    silentCure:
      'People who are signed in stay signed in, and paired phones do not need Google. Nobody new can sign in until it answers.',
    refused: 'Google does not accept FIREBASE_API_KEY.',
    refusedCure: 'Copy apiKey from the project’s settings again.',
    notAuthorised: (host: string) => `${host} is not an authorised domain of the Firebase project.`,
    notAuthorisedCure: 'Add it under Authentication, Settings, Authorised domains.',
  },
  clock: {
    name: 'Clock',
    ok: (seconds: number) => `Within ${formatCount(seconds)} s of the time on the internet.`,
    off: (seconds: number) => `${formatCount(seconds)} s off.`,
    offCure: 'Turn on automatic time: timedatectl set-ntp true.',
    unknown: 'No clock on the internet answers.',
    unknownCure: 'Compare this machine’s time with a phone’s.',
    apart: 'The clocks on the internet disagree.',
  },
  disk: {
    name: 'Disk',
    ok: (free: string) => `${free} free.`,
    low: (free: string) => `Only ${free} free.`,
    lowCure: 'Free some space: a full disk stops sales and scans.',
  },
  database: {
    name: 'Database',
    ok: (size: string) => `Intact, ${size}.`,
    absent: 'There is none yet. The first start creates it.',
    older: 'It is from an earlier version. The next start updates it.',
    olderCure: 'Back it up first: npm run backup -- FILE',
    postgres: (name: string) => `${name} answers.`,
  },
  backups: {
    name: 'Backups',
    ok: (age: string) => `The last one is ${age} old.`,
    none: 'There are none.',
    old: (age: string) => `The last one is ${age} old.`,
    byHand: (age: string) => `The last one is ${age} old, and the server does not make any itself.`,
    cure: 'Set BACKUP_DIR, and the server makes them itself.',
    oldCure: 'The log and the desk say why.',
    failed: (reason: string) => `The latest one failed. ${reason}`,
    failedCure: 'Fix this: until then there are no new backups.',
  },
  drill: {
    name: 'Drill',
    ok: (age: string) => `A backup was test-restored ${age} ago.`,
    never: 'No backup has ever been test-restored.',
    old: (age: string) => `The last one was ${age} ago.`,
    cure: 'Run npm run drill.',
    elsewhere: 'This server cannot open its backups. Run npm run drill -- FILE where their secret key is.',
  },
  mail: {
    name: 'Email',
    ok: 'The mail server accepts us.',
    off: 'No email is sent.',
    missing: 'Tickets are sold, but no email can be sent.',
    missingCure: 'Set SMTP_URL and MAIL_FROM.',
    failed: (why: string) => `The mail server does not accept us (${why}).`,
    silent: (why: string) => `The mail server does not answer (${why}).`,
    failedCure: 'Check SMTP_URL. Unsent emails are kept for about two days.',
    untrusted: 'The certificate of the mail server is not trusted here.',
    untrustedCure:
      'Use the name in its certificate in SMTP_URL. If it signed its certificate itself, name the file in NODE_EXTRA_CA_CERTS.',
    refusedName: 'Emails',
    refused: (times: number, server: string, why: string) =>
      `${server} has not taken the last ${formatCount(times)} emails (${why}).`,
    refusedCure:
      'Ask its provider what the code means, or check SMTP_URL and MAIL_FROM. Then send them again on the desk.',
  },
  payments: {
    name: 'Payments',
    ok: 'Razorpay accepts the keys.',
    none: 'Tickets are issued without payment.',
    demo: 'Payments are a demo: the provider is a stand-in that npm start runs, and no money moves.',
    byHand: 'Payments are confirmed by hand.',
    test: 'The keys are test keys: no real money moves.',
    testCure: 'Set the live keys before you sell.',
    silent: (why: string) => `Razorpay does not answer (${why}).`,
    silentCure: 'Check this machine’s network and its names. Until then, nobody can pay online.',
    failed: (why: string) => `Razorpay does not accept us (${why}).`,
    failedCure: 'Check RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET. Until then, nobody can pay online.',
  },
  webhook: {
    name: 'Webhook',
    ok: (age: string) => `Razorpay last called ${age} ago.`,
    never: 'Razorpay has never called.',
    silent: (age: string) => `Razorpay last called ${age} ago, but orders have been paid since.`,
    cure: 'Check the webhook in the Razorpay dashboard. Until it works, the server asks about orders every minute.',
  },
  takeover: {
    name: 'Takeover',
    ok: 'No other server has taken over.',
    unknown: (url: string) => `Nobody answers at ${url}, so this server cannot know whether another one runs.`,
    unknownCure: 'Make sure that no other server sells tickets for this event.',
    replaced: READ_ONLY.replaced,
    replacedCure: READ_ONLY.replacedCure,
  },
  devices: {
    name: 'Scanners',
    none: 'None connected in the last 12 hours.',
    ok: (n: number) => `${scanners(n)} connected in the last 12 hours; all scans are sent.`,
    unsent: (n: number, left: number) => `${scanners(n)} connected in the last 12 hours; ${scans(left)}.`,
    unsentCure: 'Open those scanners where there is a network. The Evening page shows which ones.',
    silent: (names: readonly string[]) => `No contact for ten minutes: ${names.join(', ')}.`,
    silentCure: 'They keep scanning offline. Check their battery and network.',
    older: (names: readonly string[]) =>
      `${names.length === 1 ? 'One scanner runs' : `${formatCount(names.length)} scanners run`} an older version: ${names.join(', ')}.`,
    olderCure: OLDER_VERSION.cure,
    /** Some hold codes that are on sale until then. */
    early: (phones: readonly { name: string; hasCodes: boolean }[]) =>
      `${phones.length === 1 ? 'One phone ends' : `${formatCount(phones.length)} phones end`} before the event does: ${phones
        .map(({ name, hasCodes }) => (hasCodes ? `${name} (with the codes it sells)` : name))
        .join(', ')}.`,
    earlyCure: 'Edit them under Devices on the desk and leave Until empty, or revoke them.',
  },
  books: {
    name: 'Books',
    ok: 'Money, tickets, seats, drawers and entries agree.',
    wrong: (n: number, first: string) => `${n === 1 ? '1 problem' : `${formatCount(n)} problems`}. ${first}.`,
    cure: 'Open Money on the desk. Each line shows what is wrong.',
  },
  version: { name: 'Version', ok: (app: string, node: string) => `${app} on Node ${node}.` },
  alert: {
    title: (n: number, first: string) => `Needs attention: ${first}${n === 1 ? '' : ` and ${n - 1} more`}`,
    over: 'All is well again',
    foot: (url: string) => `Sent by the server at ${url}, because its ALERT_EMAIL is set to your address.`,
  },
  result: {
    ok: (n: number) => `All ${n} checks are ok.`,
    warnings: (n: number) => `Ready, with ${n === 1 ? '1 warning' : `${n} warnings`}.`,
    failures: (n: number) => (n === 1 ? '1 check failed.' : `${n} checks failed.`),
  },
} as const

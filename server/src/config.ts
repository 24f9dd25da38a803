import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadEnvFile } from 'node:process'
import { fileURLToPath } from 'node:url'
import {
  DEFAULT_MAX_PER_ORDER,
  DEFAULT_TIMEZONE,
  DEMO_PROJECT_ID,
  EVENT_LIMITS,
  UNPAID_SEATS_PER_PERSON,
} from '@garba/shared/constants'
import { SIGN_IN_WAYS, type SignInWay } from '@garba/shared/contracts/names'
import type { PurchaseLimits } from '@garba/shared/rules/orders/sale'
import { foldEmail } from '@garba/shared/rules/search'
import * as z from 'zod'
import { BACKUP_VARIABLES, type BackupSettings, backupProblem, buildBackupSettings } from './settings/backupSettings.ts'
import { buildMailSettings, MAIL_VARIABLES, type MailSettings, mailProblem } from './settings/mailSettings.ts'
import {
  buildPaymentSettings,
  PAYMENT_VARIABLES,
  type PaymentSettings,
  paymentProblem,
} from './settings/paymentSettings.ts'
import { isLoopback, makeOptional, splitList, wholeNumber, wholeNumberIfSet } from './settings/variables.ts'
import { builtVersion } from './version.ts'

const CLIENT_DIR = fileURLToPath(new URL('../../client/dist', import.meta.url))
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const text = (fallback: string) => makeOptional(z.string().trim().default(fallback))
const flag = makeOptional(z.enum(['0', '1', 'false', 'true'], 'must be 1 or 0').default('0')).transform(
  (word) => word === '1' || word === 'true',
)

const timezone = text(DEFAULT_TIMEZONE).refine((name) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}, 'must be a time zone such as Asia/Kolkata')

const emails = text('')
  .transform((list) => splitList(list).map(foldEmail))
  .refine((list) => list.every((email) => z.email().safeParse(email).success), 'must be emails separated by commas')

/** The number of trusted proxies in front of the server, and so of trusted X-Forwarded-For entries. */
const proxies = makeOptional(
  z
    .string()
    .regex(/^(\d|true|false)$/, 'must be the number of proxies in front of the server, or 0')
    .default('0'),
).transform((word) => (word === 'true' ? 1 : word === 'false' ? 0 : Number(word)))

/** The project id of a server without sign-in. Google's project ids are longer. */
export const NO_PROJECT = 'none'

/** A placeholder: the doctor warns until a live site sets its own address. */
export const DEFAULT_SUPPORT_EMAIL = 'support@garba.test'

/** Storing a larger order would hold up every other write. */
const ORDER_CEILING = 10_000

const url = (message: string) =>
  makeOptional(z.url({ protocol: /^https?$/, error: message }).optional()).transform((address) =>
    address?.replace(/\/$/, ''),
  )

const wrongAddress = 'must be an address such as https://tickets.example.org'

/** Pages link to each other from the root of their host, so the site cannot be in a folder of another one. */
const isWholeSite = (address: string | undefined): boolean =>
  address === undefined || `${new URL(address).origin}/` === new URL(address).href

const wrongDatabase =
  'must be an address such as postgres://user:password@host:5432/garba, with %40, %2F, %3F and %23 for @, /, ? and # in the password'

const environmentSchema = z.object({
  PORT: wholeNumber({ fallback: 8080, min: 0, max: 65_535, what: 'a port number' }),
  HOST: text('127.0.0.1'),
  DATA_DIR: text('./data'),
  DATABASE_URL: makeOptional(
    z
      .url({
        protocol: /^postgres(ql)?$/,
        error: wrongDatabase,
      })
      // An @ behind the host means that a password was cut at its own /, ? or #.
      .refine((address) => !/:\/\/([^@]*@.*@|[^@/?#]*[/?#].*@)/.test(address), wrongDatabase)
      .optional(),
  ),
  PUBLIC_URL: url(wrongAddress).refine(isWholeSite, `${wrongAddress}, without anything behind the name`),
  EVENT_TIMEZONE: timezone,
  EVENT_TITLE: text(''),
  ADMIN_EMAILS: emails,
  SUPPORT_EMAIL: makeOptional(z.email('must be an email address').default(DEFAULT_SUPPORT_EMAIL)),
  INSTAGRAM_URL: url('must be an address such as https://instagr.am/yourname'),
  LOG_LEVEL: makeOptional(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info')),
  TRUST_PROXY: proxies,
  MAX_PER_ORDER: wholeNumber({ fallback: DEFAULT_MAX_PER_ORDER, min: 1, max: ORDER_CEILING }),
  WAITING_LIST: makeOptional(z.enum(['on', 'off'], 'must be on or off').default('on')),
  MAX_PER_PERSON: wholeNumberIfSet({ min: 0, max: EVENT_LIMITS.totalTickets }),
  FIREBASE_PROJECT_ID: text(''),
  FIREBASE_API_KEY: text(''),
  FIREBASE_AUTH_DOMAIN: text(''),
  SIGN_IN: makeOptional(
    z
      .string()
      .regex(/^google(, ?email)?$/, 'must be google, or google,email')
      .optional(),
  ),
  FIREBASE_AUTH_EMULATOR_HOST: makeOptional(
    z
      .string()
      .regex(/^[\w.-]+:\d{1,5}$/, 'must be host:port, such as 127.0.0.1:9099')
      .optional(),
  ),
  ...PAYMENT_VARIABLES,
  ...MAIL_VARIABLES,
  ...BACKUP_VARIABLES,
  METRICS_TOKEN: makeOptional(z.string().trim().min(16, 'must have at least 16 characters').optional()),
  ALLOW_DEMO_ON_NETWORK: flag,
  SKIP_ADDRESS_CHECK: flag,
  NODE_ENV: text('development'),
})
type Environment = z.output<typeof environmentSchema>

export const SETTING_NAMES: readonly string[] = Object.keys(environmentSchema.shape)

/** The server cannot run with these settings. The message has one sentence per line, each about one setting. */
export class BadSetting extends Error {
  override name = 'BadSetting'
}

export interface Settings {
  port: number
  host: string
  databaseFile: string
  /** The PostgreSQL address, with user and password; null means SQLite in `databaseFile`. */
  databaseUrl: string | null
  /** Without a trailing slash; null when unset. */
  publicUrl: string | null
  /** Whether the server asks at `publicUrl` to see if it answers there itself. */
  checksAddress: boolean
  timezone: string
  /** Null when unset; the site then has its event's name. */
  eventTitle: string | null
  adminEmails: readonly string[]
  supportEmail: string
  instagramUrl: string
  logLevel: (typeof LOG_LEVELS)[number]
  trustedProxies: number
  limits: PurchaseLimits
  /** Whether guests can wait for returned tickets: `on`, and they can buy online. */
  waitingList: boolean
  payments: PaymentSettings
  /** Null without SMTP_URL: a demo then writes its mails to files, and any other server sends none. */
  mail: MailSettings | null
  /** Null without BACKUP_DIR; backups are then made by hand. */
  backups: BackupSettings | null
  /** An age recipient (age1...) or identity (AGE-SECRET-KEY-1...); null: backups are not encrypted. */
  backupKey: string | null
  /** Alarms are mailed to this address; null sends none. */
  alertEmail: string | null
  /** The token for /metrics; null restricts /metrics to this machine. */
  metricsToken: string | null
  /** A demo writes its mails to this folder. */
  mailDir: string
  firebase: { projectId: string; apiKey: string; authDomain: string }
  /**
   * Google, which is always first, and `email` for a sign-in link by mail. A demo has both unless SIGN_IN says
   * otherwise.
   */
  signIn: readonly SignInWay[]
  /** host:port. Unsigned tokens also require a project id that starts with demo-. */
  emulatorHost: string | null
  demo: boolean
  /**
   * Whether the database is a rehearsal's. The database itself records that, so `settingsFor` sets it instead of a
   * variable.
   */
  rehearsal: boolean
  /** Lets a demo answer under any host name and behind proxies. Anyone who reaches it can become its admin. */
  demoOnNetwork: boolean
  /** The built client's folder, which may not exist. */
  clientDir: string
  /** The version of the build, such as "1.0.0+4f9c2ab". */
  version: string
}

/** Adds the settings of a file, if there is one, to the environment. Throws BadSetting. */
export function loadSettings(file: string): void {
  if (!existsSync(file)) return
  try {
    loadEnvFile(file)
  } catch (cause) {
    throw new BadSetting(`The settings in ${file} cannot be read: it must be a file that this user may read.`, {
      cause,
    })
  }
}

/**
 * Reads the settings from environment variables. Throws BadSetting for every setting that cannot be read; if all can,
 * for the first that contradicts another.
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const read = environmentSchema.safeParse(environment)
  if (!read.success) {
    const sentences = read.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`)
    throw new BadSetting(sentences.join('\n'))
  }
  const env = read.data
  const identity = identityOf(env)
  refuseOpenDemo(env, identity.demo)
  const problem = paymentProblem(env, identity.demo) ?? mailProblem(env) ?? backupProblem(env)
  if (problem) throw new BadSetting(problem)
  const payments = buildPaymentSettings(env)
  return {
    ...identity,
    rehearsal: false,
    port: env.PORT,
    host: env.HOST,
    databaseFile: resolve(env.DATA_DIR, 'garba.db'),
    databaseUrl: env.DATABASE_URL ?? null,
    publicUrl: env.PUBLIC_URL ?? null,
    checksAddress: !identity.demo && !env.SKIP_ADDRESS_CHECK && isOnNetwork(env.PUBLIC_URL),
    demoOnNetwork: env.ALLOW_DEMO_ON_NETWORK,
    timezone: env.EVENT_TIMEZONE,
    eventTitle: env.EVENT_TITLE || null,
    adminEmails: env.ADMIN_EMAILS,
    supportEmail: env.SUPPORT_EMAIL,
    instagramUrl: env.INSTAGRAM_URL ?? '',
    logLevel: env.LOG_LEVEL,
    trustedProxies: env.TRUST_PROXY,
    limits: {
      perOrder: env.MAX_PER_ORDER,
      perPerson: env.MAX_PER_PERSON ?? (payments.on ? UNPAID_SEATS_PER_PERSON : 0),
    },
    // The desk alone can offer nobody anything.
    waitingList: env.WAITING_LIST === 'on' && (!payments.on || payments.guest.length > 0),
    payments,
    mail: buildMailSettings(env),
    backups: buildBackupSettings(env),
    alertEmail: env.ALERT_EMAIL ?? null,
    metricsToken: env.METRICS_TOKEN ?? null,
    backupKey: env.BACKUP_KEY ?? null,
    mailDir: resolve(env.DATA_DIR, 'mail'),
    clientDir: CLIENT_DIR,
    version: builtVersion(CLIENT_DIR),
  }
}

/** Whether the address is one that others can reach over HTTPS. */
const isOnNetwork = (url: string | undefined): boolean =>
  url?.startsWith('https:') === true && !isLoopback(new URL(url).hostname)

/** Demo mode means no project id, or one that starts with demo-. */
function identityOf(env: Environment): Pick<Settings, 'firebase' | 'signIn' | 'emulatorHost' | 'demo'> {
  const emulatorHost = env.FIREBASE_AUTH_EMULATOR_HOST ?? null
  const projectId = env.FIREBASE_PROJECT_ID || DEMO_PROJECT_ID
  const demo = projectId.startsWith('demo-')
  const firebase = {
    projectId,
    apiKey: env.FIREBASE_API_KEY || (demo ? 'demo' : ''),
    authDomain: env.FIREBASE_AUTH_DOMAIN || (demo ? 'localhost' : ''),
  }
  if (!env.FIREBASE_PROJECT_ID && (env.FIREBASE_API_KEY || env.FIREBASE_AUTH_DOMAIN))
    throw new BadSetting('FIREBASE_PROJECT_ID is missing, though other FIREBASE settings are set.')
  if (!firebase.apiKey) throw new BadSetting('FIREBASE_API_KEY is missing: Firebase sign-in needs it.')
  if (!firebase.authDomain) throw new BadSetting('FIREBASE_AUTH_DOMAIN is missing: Firebase sign-in needs it.')
  const byMail = env.SIGN_IN?.endsWith('email') ?? demo
  if (byMail && projectId === NO_PROJECT)
    throw new BadSetting('SIGN_IN must not have email without a Firebase project, which sends the mails.')
  return { firebase, signIn: byMail ? SIGN_IN_WAYS : ['google'], emulatorHost, demo }
}

/** Anyone who can reach a demo can become its admin, so opening it must be deliberate. */
function refuseOpenDemo(env: Environment, demo: boolean): void {
  if (env.NODE_ENV === 'production' && env.FIREBASE_AUTH_EMULATOR_HOST)
    throw new BadSetting('FIREBASE_AUTH_EMULATOR_HOST must not be set with NODE_ENV=production: anyone could be admin.')
  if (env.NODE_ENV === 'production' && demo)
    throw new BadSetting('FIREBASE_PROJECT_ID must name your Firebase project when NODE_ENV=production.')
  if (demo && !isLoopback(env.HOST) && !env.ALLOW_DEMO_ON_NETWORK)
    throw new BadSetting(
      'HOST would open the demo to the network, where anyone could be admin: use 127.0.0.1, or set ALLOW_DEMO_ON_NETWORK=1.',
    )
}

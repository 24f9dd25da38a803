import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { BadSetting, loadSettings, readSettings, SETTING_NAMES } from './config.ts'

const FIREBASE = {
  FIREBASE_PROJECT_ID: 'garba-live',
  FIREBASE_API_KEY: 'key',
  FIREBASE_AUTH_DOMAIN: 'garba-live.firebaseapp.com',
  PAYMENTS: 'none',
}
const EMULATOR = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099' }

test('without settings it is the demo, on loopback, with the defaults', () => {
  expect(readSettings({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: null,
    timezone: 'Asia/Kolkata',
    eventTitle: null,
    adminEmails: [],
    trustedProxies: 0,
    limits: { perOrder: 100, perPerson: 0 },
    demo: true,
    emulatorHost: null,
    firebase: { projectId: 'demo-garba' },
    databaseFile: expect.stringMatching(/data\/garba\.db$/),
  })
})

test('the demo has both ways to sign in, a live site Google alone unless it is told otherwise', () => {
  expect(readSettings({}).signIn).toEqual(['google', 'email'])
  expect(readSettings({ SIGN_IN: 'google' }).signIn).toEqual(['google'])
  expect(readSettings(FIREBASE).signIn).toEqual(['google'])
  for (const SIGN_IN of ['google,email', 'google, email'])
    expect(readSettings({ ...FIREBASE, SIGN_IN }).signIn).toEqual(['google', 'email'])
  for (const SIGN_IN of ['email', 'email,google', 'google,phone', 'Google'])
    expect(() => readSettings({ ...FIREBASE, SIGN_IN })).toThrow('SIGN_IN must be google, or google,email.')
  const none = { ...FIREBASE, FIREBASE_PROJECT_ID: 'none', SIGN_IN: 'google,email' }
  expect(() => readSettings(none)).toThrow(/^SIGN_IN must not have email without a Firebase project/)
})

test('the site has a host of its own', () => {
  for (const address of ['https://tickets.example.org', 'https://tickets.example.org/', 'http://192.168.1.5:8080'])
    expect(readSettings({ PUBLIC_URL: address }).publicUrl).toBe(address.replace(/\/$/, ''))
  for (const more of ['/garba', '/?x=1', '/#x'])
    expect(() => readSettings({ PUBLIC_URL: `https://tickets.example.org${more}` })).toThrow(
      'PUBLIC_URL must be an address such as https://tickets.example.org, without anything behind the name.',
    )
})

test('empty settings count as unset', () => {
  expect(readSettings({ PORT: '', EVENT_TIMEZONE: '', FIREBASE_PROJECT_ID: '', PUBLIC_URL: '' })).toEqual(
    readSettings({}),
  )
  // Such a HOST would open the server to every network, and such a DATA_DIR would be the folder it is started in.
  expect(readSettings({ HOST: ' ', DATA_DIR: ' ', LOG_LEVEL: '\t', ALERT_EMAIL: ' ' })).toEqual(readSettings({}))
})

test('a settings file that cannot be read is named, and one that is absent is none', () => {
  loadSettings('/nowhere/.env')
  const folder = import.meta.dirname
  expect(() => loadSettings(folder)).toThrow(
    new BadSetting(`The settings in ${folder} cannot be read: it must be a file that this user may read.`),
  )
})

test('the database is SQLite unless DATABASE_URL names a PostgreSQL one', () => {
  expect(readSettings({}).databaseUrl).toBeNull()
  for (const url of ['postgres://garba:x@db.example.org:5432/garba', 'postgresql://localhost/garba?sslmode=require'])
    expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url)
})

test('Firebase settings turn the demo off', () => {
  expect(readSettings({ ...FIREBASE, HOST: '0.0.0.0', NODE_ENV: 'production' })).toMatchObject({
    demo: false,
    firebase: { projectId: 'garba-live', apiKey: 'key', authDomain: 'garba-live.firebaseapp.com' },
  })
})

test('payments are read in the order they are offered, with what they need', () => {
  expect(readSettings({}).payments).toEqual({
    on: false,
    guest: [],
    desk: false,
    holdMinutes: 15,
    razorpay: null,
    upi: null,
    upiAtDoor: 'wait',
  })
  expect(readSettings({ ...FIREBASE, PAYMENTS: 'none' }).payments.guest).toEqual([])
  const razorpay = { RAZORPAY_KEY_ID: 'rzp_live_1', RAZORPAY_KEY_SECRET: 's', RAZORPAY_WEBHOOK_SECRET: 'w' }
  expect(
    readSettings({ ...razorpay, PAYMENTS: 'upi, razorpay,desk', UPI_ID: 'garba@bank', UPI_NAME: 'Garba' }).payments,
  ).toEqual({
    on: true,
    guest: ['upi', 'razorpay'],
    desk: true,
    holdMinutes: 15,
    razorpay: {
      keyId: 'rzp_live_1',
      keySecret: 's',
      webhookSecret: 'w',
      apiUrl: 'https://api.razorpay.com',
      testMode: false,
    },
    upi: { id: 'garba@bank', name: 'Garba', asksUtr: false },
    upiAtDoor: 'wait',
  })
  expect(
    readSettings({ PAYMENTS: 'demo', RAZORPAY_API_URL: 'http://127.0.0.1:7001/' }).payments.razorpay,
  ).toMatchObject({
    apiUrl: 'http://127.0.0.1:7001',
  })
})

test.each([
  ['sbi', true],
  ['union', true],
  ['idbi', true],
  ['hdfc', false],
  ['', false],
])('guests of an account at "%s" are asked for the UTR: %s', (UPI_BANK, asksUtr) => {
  const upi = { PAYMENTS: 'upi', UPI_ID: 'garba@bank', UPI_NAME: 'Garba', UPI_BANK }
  expect(readSettings(upi).payments.upi).toMatchObject({ asksUtr })
})

test('a key of Razorpay’s test mode is known as one', () => {
  const keys = { RAZORPAY_KEY_ID: 'rzp_test_1', RAZORPAY_KEY_SECRET: 's', RAZORPAY_WEBHOOK_SECRET: 'w' }
  expect(readSettings({ ...FIREBASE, ...keys, PAYMENTS: 'razorpay' }).payments.razorpay).toMatchObject({
    testMode: true,
  })
})

test.each([
  [{ ...FIREBASE, PAYMENTS: '' }, /^PAYMENTS is missing: set PAYMENTS=none/],
  [{ ...FIREBASE, PAYMENTS: 'demo' }, /^PAYMENTS demo takes no real money/],
  [{ PAYMENTS: 'none,desk' }, /^PAYMENTS none stands alone/],
  [{ PAYMENTS: 'demo,razorpay' }, /^PAYMENTS can have demo or razorpay/],
  [{ PAYMENTS: 'paypal' }, /^PAYMENTS must be none, or a list of demo, razorpay, upi, desk/],
  [{ PAYMENTS: ',' }, /^PAYMENTS must be/],
  [{ PAYMENTS: 'razorpay', RAZORPAY_KEY_ID: 'x' }, /^PAYMENTS razorpay needs RAZORPAY_KEY_ID, /],
  [{ PAYMENTS: 'demo', HOLD_MINUTES: '10' }, /^HOLD_MINUTES must be at least 15/],
  [{ HOLD_MINUTES: '0' }, /^HOLD_MINUTES must be a whole number from 1 to 120/],
  [{ PAYMENTS: 'upi' }, /^PAYMENTS upi needs UPI_ID and UPI_NAME/],
  [{ UPI_ID: 'nonsense' }, /^UPI_ID must be like/],
  [{ UPI_BANK: 'statebank' }, /^UPI_BANK must be one of sbi, hdfc, icici, /],
  [{ RAZORPAY_API_URL: 'https://evil.example.org' }, /^RAZORPAY_API_URL may only name this machine/],
])('payment settings %j are refused', (environment, sentence) => {
  expect(() => readSettings(environment)).toThrow(sentence)
})

test('admin emails are lowercased, and the public address has no trailing slash', () => {
  const settings = readSettings({ ADMIN_EMAILS: ' A@x.org, b@x.org ,', PUBLIC_URL: 'https://x.org/' })
  expect(settings).toMatchObject({ adminEmails: ['a@x.org', 'b@x.org'], publicUrl: 'https://x.org' })
})

test('several bad settings are named together, a sentence for each', () => {
  const boot = () => readSettings({ PORT: '80a', SUPPORT_EMAIL: 'nonsense', BACKUP_EVERY: '0' })
  expect(boot).toThrow(
    [
      'PORT must be a port number from 0 to 65535.',
      'SUPPORT_EMAIL must be an email address.',
      'BACKUP_EVERY must be a whole number from 1 to 1440.',
    ].join('\n'),
  )
})

describe('a bad setting is named', () => {
  test.each([
    ['PORT', { PORT: '80a' }],
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: '-1' }],
    ['EVENT_TIMEZONE', { EVENT_TIMEZONE: 'Asia/Atlantis' }],
    ['ADMIN_EMAILS', { ADMIN_EMAILS: 'a@x.org, nonsense' }],
    ['SUPPORT_EMAIL', { SUPPORT_EMAIL: 'nonsense' }],
    ['INSTAGRAM_URL', { INSTAGRAM_URL: 'javascript:alert(1)' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'tickets' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'maybe' }],
    ['MAX_PER_ORDER', { MAX_PER_ORDER: '0' }],
    ['MAX_PER_ORDER', { MAX_PER_ORDER: '1e3' }],
    ['MAX_PER_ORDER', { MAX_PER_ORDER: '100000' }],
    ['MAX_PER_PERSON', { MAX_PER_PERSON: '-1' }],
    ['MAX_PER_PERSON', { MAX_PER_PERSON: '2.5' }],
    ['FIREBASE_AUTH_EMULATOR_HOST', { FIREBASE_AUTH_EMULATOR_HOST: 'http://localhost:9099' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://localhost/garba' }],
    ['DATABASE_URL', { DATABASE_URL: 'localhost:5432' }],
    ['ALLOW_DEMO_ON_NETWORK', { ALLOW_DEMO_ON_NETWORK: 'perhaps' }],
    ['FIREBASE_API_KEY', { ...FIREBASE, FIREBASE_API_KEY: '' }],
    ['FIREBASE_AUTH_DOMAIN', { ...FIREBASE, FIREBASE_AUTH_DOMAIN: '' }],
    ['FIREBASE_PROJECT_ID', { ...FIREBASE, FIREBASE_PROJECT_ID: '' }],
    ['FIREBASE_AUTH_EMULATOR_HOST', { ...EMULATOR, NODE_ENV: 'production' }],
    ['FIREBASE_AUTH_EMULATOR_HOST', { ...FIREBASE, ...EMULATOR, NODE_ENV: 'production' }],
    ['FIREBASE_PROJECT_ID', { NODE_ENV: 'production' }],
    ['HOST', { HOST: '0.0.0.0' }],
    ['HOST', { HOST: '192.168.1.5', ...EMULATOR }],
    ['HOST', { HOST: '::' }],
  ])('%s in %j', (name, environment) => {
    const boot = () => readSettings(environment)
    expect(boot).toThrow(BadSetting)
    expect(boot).toThrow(new RegExp(`^${name} [^\\n]+\\.$`))
  })
})

test.each(['localhost', '127.0.0.1', '127.8.8.8', '::1'])('the demo may listen on %s', (host) => {
  expect(readSettings({ HOST: host }).host).toBe(host)
})

test('ALLOW_DEMO_ON_NETWORK opens the demo to a network', () => {
  expect(readSettings({ HOST: '0.0.0.0', ALLOW_DEMO_ON_NETWORK: '1' }).demo).toBe(true)
})

/** An example key and its public half, made for this test. */
const SECRET_KEY = 'AGE-SECRET-KEY-13M7VE7L08VN8T9ES0SN5K6MAHSVDL58KASECFLPTP5AGYS5634QQMNPTQ5'
const PUBLIC_KEY = 'age102ne5el7f2nn2uxwpnt4gs6kt27qf58mzmcvu49vqwuqh6prtvpqa7vkps'

test('one wrong letter of an age key is found at the start, and the sentence does not hold the key', () => {
  for (const key of [SECRET_KEY, PUBLIC_KEY]) {
    expect(readSettings({ BACKUP_KEY: key }).backupKey).toBe(key)
    for (let at = key.indexOf('1') + 1; at < key.length; at += 1) {
      const other = key[at]?.toLowerCase() === 'q' ? 'p' : 'q'
      const letter = key === SECRET_KEY ? other.toUpperCase() : other
      const mistyped = `${key.slice(0, at)}${letter}${key.slice(at + 1)}`
      expect(() => readSettings({ BACKUP_KEY: mistyped }), mistyped).toThrow(
        new BadSetting('BACKUP_KEY has a wrong letter: its checksum does not fit, so copy the key again.'),
      )
    }
  }
})

test.each(SETTING_NAMES)('no sentence about %s holds its value', (name) => {
  const secret = 'k4nary'
  const values = [
    secret,
    `smtp://${secret}:${secret}@`,
    `https://u:${secret}@host/path`,
    `postgres://u:${secret}/x@host/db`,
    `AGE-SECRET-KEY-1${secret}`,
    `${secret}@`,
    '0.0.0.0',
  ]
  for (const value of values)
    for (const others of [{}, { ...FIREBASE, PAYMENTS: 'razorpay,upi' }, { NODE_ENV: 'production' }])
      try {
        readSettings({ ...others, [name]: value })
      } catch (error) {
        expect(error).toBeInstanceOf(BadSetting)
        expect(inspect(error, { depth: 9 }).replaceAll(import.meta.dirname, ''), name).not.toContain(value)
        expect(inspect(error, { depth: 9 })).not.toContain(secret)
      }
})

test('backups by the server need a folder', () => {
  expect(readSettings({})).toMatchObject({ backups: null, backupKey: null })
  const key = PUBLIC_KEY
  expect(readSettings({ BACKUP_DIR: '/backups', BACKUP_KEY: key })).toMatchObject({
    backups: { dir: '/backups', every: null, keep: 200, hook: null },
    backupKey: key,
  })
  const wrong = (environment: Record<string, string>) => () => readSettings(environment)
  expect(wrong({ BACKUP_EVERY: '5' })).toThrow(/^BACKUP_DIR is missing, though BACKUP_EVERY is set/)
  expect(wrong({ BACKUP_HOOK: 'true' })).toThrow(/^BACKUP_DIR is missing, though BACKUP_HOOK is set/)
  expect(wrong({ BACKUP_DIR: 'b', BACKUP_EVERY: '0' })).toThrow('BACKUP_EVERY must be a whole number from 1 to 1440.')
  expect(wrong({ BACKUP_DIR: 'b', BACKUP_KEY: 'my secret' })).toThrow(/^BACKUP_KEY must be an age key/)
})

test('the token of a monitor cannot be guessed easily', () => {
  expect(() => readSettings({ METRICS_TOKEN: 'short' })).toThrow('METRICS_TOKEN must have at least 16 characters.')
})

test('alarms by mail need a mail server', () => {
  expect(() => readSettings({ ALERT_EMAIL: 'asha@example.org' })).toThrow(/^SMTP_URL is missing, though ALERT_EMAIL/)
})

test.each([
  'postgres://garba:12@34@db.example.org/garba',
  'postgres://garba:12/34@db.example.org/garba',
  'postgres://garba:12?34@db.example.org/garba',
  'postgres://garba:12#34@db.example.org/garba',
])('a raw sign in the password of DATABASE_URL is refused, naming %%40 and nothing of it: %s', (DATABASE_URL) => {
  const refusal = (() => {
    try {
      readSettings({ DATABASE_URL })
      return ''
    } catch (error) {
      return (error as Error).message
    }
  })()
  expect(refusal).toContain('DATABASE_URL must be an address such as')
  expect(refusal).toContain('%40, %2F, %3F and %23')
  expect(refusal).not.toMatch(/12|34/)
  const encoded = 'postgres://garba:1%402%2F3%3F4%23@db.example.org/garba?sslmode=verify-full'
  expect(readSettings({ DATABASE_URL: encoded })).toMatchObject({ databaseUrl: encoded })
})

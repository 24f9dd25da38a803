import { join } from 'node:path'
import type { Role } from '@garba/shared/contracts/names'
import { onTestFinished } from 'vitest'
import { createApp } from '../app.ts'
import { readSettings, type Settings } from '../config.ts'
import type { Deps } from '../flows/deps.ts'
import { offerFreedSeats } from '../flows/money/orders/waitingList.ts'
import { ensurePushKeys } from '../flows/push/subscriptions.ts'
import { ensureEpoch } from '../flows/recovery/epoch.ts'
import { settingsFor } from '../flows/recovery/rehearsal.ts'
import { ensureSigningKey } from '../flows/signingKeys.ts'
import type { Limits } from '../http/limits.ts'
import { makeVerifier } from '../identity/verifier.ts'
import { makeLog } from '../log.ts'
import { makeMailer } from '../mail/mailer.ts'
import { newId } from '../store/engine/sql.ts'
import { findUserByUid, insertUser, type UserRow } from '../store/users.ts'
import { BEGINNING, makeClock } from './clock.ts'
import { holdToContract } from './contract.ts'
import { makeDatabase } from './database.ts'
import { aDouble, DOUBLE_SETTINGS, type Webhook } from './double.ts'
import { googleKeys, payloadOf, sign, TEST_PROJECT } from './tokens.ts'

export interface Person {
  uid: string
  email: string
  name: string
}
const PEOPLE: Record<Role, Person> = {
  admin: { uid: 'uid-admin', email: 'admin@garba.test', name: 'Asha Admin' },
  manager: { uid: 'uid-manager', email: 'manager@garba.test', name: 'Manav Manager' },
  qrchecker: { uid: 'uid-checker', email: 'checker@garba.test', name: 'Chetan Checker' },
  guest: { uid: 'uid-guest', email: 'guest@garba.test', name: 'Garima Guest' },
}

export interface Reply<B = Record<string, unknown>> {
  status: number
  body: B
  headers: Headers
}
export interface Client {
  request: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>
  /** The raw response, for streams, images and files. */
  fetch: (method: string, path: string, init?: RequestInit) => Promise<Response>
  user: UserRow | null
  token: string | null
}

export interface WorldOptions {
  settings?: Record<string, string>
  limits?: Partial<Limits>
  clientDir?: string
  /** A SQLite file to begin with, of any version. */
  database?: string
  /** Receives the clean-up function. Required outside a test, where nothing calls it automatically. */
  whenOver?: (undo: () => Promise<void>) => void
}

/** A separate server on a copied database, with a clock that only tests move. Removed when the test ends. */
export async function makeWorld({
  settings: environment = {},
  limits,
  clientDir,
  database: from,
  whenOver = onTestFinished,
}: WorldOptions = {}) {
  const { remove, ...database } = await makeDatabase(from)
  const { store } = database
  const clock = makeClock(BEGINNING)
  const lines: string[] = []
  const stopping = new AbortController()
  // Reading the built pages takes as long as the rest of a small world.
  const given = { ...testSettings(environment), clientDir: clientDir ?? join(database.folder, 'no-client') }
  const settings = await settingsFor({ store, settings: given })
  const log = makeLog({ logLevel: 'info' }, { write: (line) => lines.push(line) })
  const epoch = await ensureEpoch({ store, log })
  await ensurePushKeys({ store })
  const deps: Deps = offerFreedSeats({
    store: epoch.guard(store),
    settings,
    publicUrl: () => settings.publicUrl ?? 'http://localhost:8080',
    now: clock.now,
    verify: makeVerifier({
      projectId: settings.firebase.projectId,
      emulatorHost: settings.emulatorHost,
      now: clock.now,
      keys: async () => googleKeys.publicKey,
    }),
    signer: await ensureSigningKey({ store, now: clock.now }),
    epoch,
    providers: {},
    mailer: makeMailer(settings),
    log,
    stopping: stopping.signal,
  })
  const { double, provider } = aDouble({ clock, send: (webhook) => received(webhook) })
  if (settings.payments.razorpay) deps.providers = { [settings.demo ? 'demo' : 'razorpay']: provider }
  const app = createApp({ ...deps, ...(limits ? { limits } : {}) })
  const received = async ({ body, headers }: Webhook): Promise<boolean> =>
    (await app.request('/api/webhooks/razorpay', { method: 'POST', body, headers })).ok
  whenOver(async () => {
    stopping.abort()
    await remove()
  })

  const client = (token: string | null, user: UserRow | null = null): Client => {
    const fetch = async (method: string, path: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers)
      if (token !== null) headers.set('Authorization', `Bearer ${token}`)
      return app.request(path, { ...init, method, headers })
    }
    const request = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const response = await fetch(method, path, {
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      const answer = isJson ? JSON.parse(text) : { text }
      if (isJson) holdToContract(method, path, response.status, answer)
      return { status: response.status, body: answer, headers: response.headers }
    }
    return { request, fetch, user, token }
  }

  /** Signs in a person with a role, by default that role's usual person. */
  const as = async (role: Role, person: Person = PEOPLE[role]): Promise<Client> => {
    const token = await sign(payloadOf(person, clock.now()))
    const known = await store.read((tx) => findUserByUid(tx, person.uid))
    const user =
      known ??
      (await store.write((tx) =>
        insertUser(tx, {
          id: newId(clock.now()),
          firebaseUid: person.uid,
          email: person.email,
          emailVerified: true,
          name: person.name,
          photoUrl: null,
          role,
          createdAt: clock.now(),
          lastLogin: null,
        }),
      ))
    return client(token, user)
  }

  return { ...database, app, deps, clock, double, as, client, nobody: client(null), log: lines, stopping }
}
export type World = Awaited<ReturnType<typeof makeWorld>>

/** Settings of an installation whose guests pay through the provider's double. */
export const PAYING = {
  PAYMENTS: 'razorpay,upi,desk',
  RAZORPAY_KEY_ID: DOUBLE_SETTINGS.keyId,
  RAZORPAY_KEY_SECRET: DOUBLE_SETTINGS.keySecret,
  RAZORPAY_WEBHOOK_SECRET: DOUBLE_SETTINGS.webhookSecret,
  UPI_ID: 'garba@bank',
  UPI_NAME: 'Garba Rass',
}

/** Settings for a live Firebase project, whose keys are the test keys. */
export const testSettings = (environment: Record<string, string> = {}): Settings =>
  readSettings({
    FIREBASE_PROJECT_ID: TEST_PROJECT,
    FIREBASE_API_KEY: 'key',
    FIREBASE_AUTH_DOMAIN: 'garba-live.firebaseapp.com',
    PAYMENTS: 'none',
    ...environment,
  })

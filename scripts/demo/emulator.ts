import { createServer, type RequestListener, type Server } from 'node:http'
import { createRequire, isBuiltin, registerHooks } from 'node:module'
import { DEMO_ACCOUNTS } from '@garba/shared/constants'
import type { Settings } from '../../server/src/config.ts'
import { listenOn } from '../lib/children.ts'
import { dataDirOf } from '../lib/database.ts'
import { PARTS } from '../setup.mjs'
import { seedDemo } from './seed.ts'

/**
 * The official Auth emulator of firebase-tools, used as a module instead of from its command line. That avoids the
 * CLI's update check, analytics, UI, hub and log files. It is ready in about half a second instead of five to eight,
 * because only the calls that browsers make are compiled from its API description, when they come.
 */
const FOLDER = 'firebase-tools/lib/emulator/auth'
const CALLS_NEEDED = [
  /^\/v1\/accounts:(createAuthUri|delete|lookup|sendOobCode|signInWithEmailLink|signInWithIdp|signUp|update)$/,
  /^\/v1\/(token|projects)$/,
  /^\/v1\/projects\/\{targetProjectId\}\/accounts:(batchCreate|batchGet)$/,
]
const BATCH = 1000

interface ProjectState {
  getUserByLocalId(localId: string): unknown
  updateUserByLocalId(localId: string, fields: Record<string, unknown>): unknown
}
interface EmulatorModule {
  createApp(projectId: string, mode: number, states: Map<string, ProjectState>): Promise<RequestListener>
}
interface Exegesis {
  middleware(description: object, options: object): Promise<RequestListener>
}
interface SchemaCompiler {
  default: { prototype: { validateSchema(schema: object): boolean } }
}
interface InterfaceDescription {
  default: { paths: Record<string, unknown> }
}

export interface Emulator {
  /** The host:port for FIREBASE_AUTH_EMULATOR_HOST. */
  readonly host: string
  /** Resolves when the accounts are imported and requests are answered, with a sentence for each rejected account. */
  readonly ready: Promise<readonly string[]>
  close(): Promise<void>
}

/**
 * Starts the emulator with these accounts on a free loopback port. Requests wait until it is ready, so its address can
 * be used at once.
 */
export async function startEmulator(options: {
  projectId: string
  accounts: readonly Account[]
  port?: number
}): Promise<Emulator> {
  const gate = Promise.withResolvers<RequestListener>()
  const server = createServer((request, response) => {
    gate.promise.then(
      (app) => app(request, response),
      () => response.writeHead(503).end(),
    )
  })
  const port = await listenOn(server, options.port ?? 0)
  const host = `127.0.0.1:${port}`
  // Booting computes for about half a second, so it waits for a later turn: the caller can start the server first.
  const ready = new Promise((resolve) => setImmediate(resolve)).then(() => boot(options))
  ready.then(({ app }) => gate.resolve(app), gate.reject)
  gate.promise.catch(() => undefined)
  return { host, ready: ready.then(({ refused }) => refused), close: () => close(server) }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

async function boot({ projectId, accounts }: { projectId: string; accounts: readonly Account[] }) {
  loadOnlyParts()
  const require = createRequire(import.meta.url)
  keepOnlyNeeded((require(`${FOLDER}/apiSpec.js`) as InterfaceDescription).default.paths)
  compileWhenNeeded(createRequire(require.resolve(`${FOLDER}/server.js`)))
  const { createApp } = require(`${FOLDER}/server.js`) as EmulatorModule
  const states = new Map<string, ProjectState>()
  const app = await createApp(projectId, 0, states)
  return { app, refused: await seed({ app, projectId, accounts, states }) }
}

/**
 * Stands in for a package that the emulator loads but does not use: every property and every call returns this same
 * object.
 */
const NOTHING = 'garba:nothing'
const NOTHING_SOURCE = `
const nothing = new Proxy(function () {}, {
  get: (target, key) =>
    key === Symbol.toPrimitive ? () => '' : key === 'prototype' ? target.prototype : nothing,
  apply: () => nothing,
  construct: () => nothing,
})
module.exports = nothing`

let isPartial = false

/**
 * firebase-tools loads prompts, log files and Google's APIs for all of its commands. `npm start` does not install them,
 * and they are never loaded here, so that the emulator is the same everywhere.
 */
function loadOnlyParts(): void {
  if (isPartial) return
  isPartial = true
  registerHooks({
    resolve: (specifier, context, next) => {
      const inside = context.parentURL?.includes('/node_modules/firebase-tools/') === true
      const [name = ''] = specifier.split('/')
      if (!inside || specifier.startsWith('.') || isBuiltin(specifier) || PARTS['firebase-tools'].includes(name))
        return next(specifier, context)
      return { url: NOTHING, format: 'commonjs', shortCircuit: true }
    },
    load: (url, context, next) =>
      url === NOTHING ? { format: 'commonjs', source: NOTHING_SOURCE, shortCircuit: true } : next(url, context),
  })
}

/** A description of unknown form is left unchanged, which makes the start slower. */
function keepOnlyNeeded(paths: Record<string, unknown>): void {
  const needless = Object.keys(paths).filter((path) => !CALLS_NEEDED.some((call) => call.test(path)))
  if (Object.keys(paths).length - needless.length < CALLS_NEEDED.length) return
  for (const path of needless) delete paths[path]
}

/**
 * exegesis would compile a validator for every parameter of every call, after it checked each against JSON Schema. Now
 * it compiles a validator at the first request that needs it, and trusts the package's own description.
 */
function compileWhenNeeded(requireAsTools: NodeJS.Require): void {
  const exegesis = requireAsTools('exegesis-express') as Exegesis
  const { middleware } = exegesis
  exegesis.middleware = (description, options) =>
    middleware(description, { ...options, lazyCompileValidationSchemas: true })
  const { default: Ajv } = createRequire(requireAsTools.resolve('exegesis'))('ajv') as SchemaCompiler
  Ajv.prototype.validateSchema = () => true
}

/** Seeds through a private server, so that no client gets an answer before all accounts are restored. */
async function seed(options: {
  app: RequestListener
  projectId: string
  accounts: readonly Account[]
  states: Map<string, ProjectState>
}): Promise<string[]> {
  const server = createServer(options.app)
  const port = await listenOn(server, 0)
  const refused: string[] = []
  try {
    for (let from = 0; from < options.accounts.length; from += BATCH) {
      const users = options.accounts.slice(from, from + BATCH)
      refused.push(...(await batchCreate({ url: `http://127.0.0.1:${port}`, projectId: options.projectId, users })))
    }
  } finally {
    await close(server)
  }
  const state = options.states.get(options.projectId)
  // An import sets validSince to now, which makes the SDK sign its users out, though tokens from before the restart are
  // still good.
  for (const { uid } of options.accounts)
    if (state?.getUserByLocalId(uid)) state.updateUserByLocalId(uid, { validSince: '0' })
  return refused
}

async function batchCreate(options: { url: string; projectId: string; users: readonly Account[] }): Promise<string[]> {
  const path = `identitytoolkit.googleapis.com/v1/projects/${options.projectId}/accounts:batchCreate`
  const response = await fetch(`${options.url}/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify({ users: options.users.map(toImport) }),
  })
  if (!response.ok) throw new Error(`The Auth emulator refused the accounts: ${await response.text()}`)
  const { error = [] } = (await response.json()) as { error?: { index: number; message: string }[] }
  return error.map(({ index, message }) => `${options.users[index]?.email ?? index}: ${message}`)
}

function toImport(account: Account) {
  const { uid, email, name: displayName } = account
  const rawId = subOf(account)
  return {
    localId: uid,
    email,
    emailVerified: true,
    displayName,
    providerUserInfo: [{ providerId: 'google.com', rawId, federatedId: rawId, email, displayName }],
  }
}

/** Whether an identity process must be started: in demo mode, unless the settings name one. */
export const needsEmulator = ({ demo, emulatorHost }: Settings): boolean => demo && emulatorHost === null

/**
 * Seeds the demo and starts the Auth emulator with the four accounts and everyone in the database, so that no one loses
 * their tickets in a restart.
 */
export async function startDemo(settings: Settings): Promise<Emulator> {
  const known: Account[] = await seedDemo({ ...settings, dataDir: dataDirOf(settings), now: new Date() })
  return startEmulator({ projectId: settings.firebase.projectId, accounts: accountsToSeed(known) })
}

/** An account for the emulator. `uid` becomes its localId. */
export interface Account {
  readonly uid: string
  readonly email: string
  readonly name: string
}

/** Google's id for the person. The chooser sends the uid of a demo account, or the email of any other. */
const subOf = ({ uid, email }: Account): string =>
  Object.values(DEMO_ACCOUNTS).some((account) => account.uid === uid) ? uid : email

/** The four demo accounts, then everyone else in the database. */
export function accountsToSeed(known: readonly Account[]): Account[] {
  const demo: Account[] = Object.values(DEMO_ACCOUNTS)
  const taken = new Set(demo.flatMap(({ uid, email }) => [uid, email]))
  return [...demo, ...known.filter(({ uid, email }) => !taken.has(uid) && !taken.has(email))]
}

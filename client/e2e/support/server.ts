import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_ACCOUNTS, type DemoRole } from '@garba/shared/constants'
import Database from 'better-sqlite3'
import { type Child, startNode } from '../../../scripts/lib/children.ts'
import { ROOT } from '../../../scripts/setup.mjs'
import { readSettings } from '../../../server/src/config.ts'
import { type RunningDouble, startDouble } from '../../../server/src/double/main.ts'
import { makeLog } from '../../../server/src/log.ts'
import { DOUBLE } from '../../../server/src/settings/paymentSettings.ts'
import { type RunningServer, startApp } from '../../../server/src/start.ts'
import { type Api, signInToApi } from './api.ts'
import { bigTemplate } from './bigTemplate.ts'
import { EMULATOR_HOST, TEMPLATE } from './globalSetup.ts'

const MAIN = join(ROOT, 'server', 'src', 'main.ts')
const BOOT_MS = 60_000

export interface ServerOptions {
  /** `demo`: the demo event and the first three roles. `empty`: no database yet. `big`: 5,000 users, 12,000 tickets. */
  data?: 'demo' | 'empty' | 'big'
  /** Settings besides PORT, HOST and DATA_DIR; an empty FIREBASE_AUTH_EMULATOR_HOST leaves the demo. */
  env?: Readonly<Record<string, string>>
  /** Tickets are paid for, through the double of the provider. */
  paid?: boolean
  /** A process of its own, which can be killed. Otherwise the server runs in the process of the tests, which is quicker. */
  ownProcess?: boolean
}

/** The real server on its own port with its own data folder. It keeps port and data over stop(), kill() and start() again. */
export class TestServer {
  readonly dataDir: string
  readonly logs: string[] = []
  private readonly options: ServerOptions
  private child: Child | undefined
  private running: RunningServer | undefined
  private provider: RunningDouble | undefined
  private port = 0

  private constructor(options: ServerOptions) {
    this.options = options
    this.dataDir = mkdtempSync(join(tmpdir(), 'garba-server-'))
  }

  static async create(options: ServerOptions = {}): Promise<TestServer> {
    const server = new TestServer(options)
    const template = process.env[TEMPLATE]
    if (template === undefined) throw new Error('The global set-up has not run')
    if (options.data === 'empty') mkdirSync(server.dataDir, { recursive: true })
    else cpSync(options.data === 'big' ? await bigTemplate() : template, server.dataDir, { recursive: true })
    if (options.paid) await server.startProvider()
    await server.start()
    return server
  }

  private async startProvider(): Promise<void> {
    const { keyId, keySecret, webhookSecret } = DOUBLE
    const webhookUrl = () => `${this.url}/api/webhooks/razorpay`
    this.provider = await startDouble({ port: 0, keyId, keySecret, webhookSecret, webhookUrl })
  }

  /** The provider of a server with `paid`. */
  get double(): RunningDouble {
    if (this.provider === undefined) throw new Error('This server takes no payments')
    return this.provider
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  get isRunning(): boolean {
    return this.running !== undefined || (this.child !== undefined && this.child.ending() === undefined)
  }

  /** Starts it, on the port it had before if there was one, and waits until it answers. */
  async start(): Promise<void> {
    if (this.isRunning) return
    if (this.options.ownProcess) return this.spawn()
    const settings = readSettings({ ...process.env, ...this.environment() })
    const log = makeLog(settings, { write: (line) => void this.logs.push(line) })
    this.running = await startApp(settings, log)
    this.port = this.running.port
  }

  private async spawn(): Promise<void> {
    const ready = Promise.withResolvers<number>()
    const child = startNode({
      args: [MAIN],
      cwd: this.dataDir,
      env: this.environment(),
      onLine: (line) => {
        this.logs.push(line)
        const port = /^Ready: http:\/\/localhost:(\d+)/.exec(line)?.[1]
        if (port !== undefined) ready.resolve(Number(port))
      },
    })
    this.child = child
    const timer = setTimeout(() => ready.reject(this.failure('did not start in time')), BOOT_MS)
    void child.ended.then(() => ready.reject(this.failure('ended while starting')))
    this.port = await ready.promise.finally(() => clearTimeout(timer))
  }

  /** As an operator would end it, by SIGTERM where it is a process: it finishes what is under way. */
  async stop(): Promise<void> {
    await this.child?.stop()
    await this.running?.stop()
    this.running = undefined
  }

  /** SIGKILL, as a power cut would. */
  async kill(): Promise<void> {
    if (!this.options.ownProcess)
      throw new Error('Only a process can be killed: say test.use({ serverOptions: { ownProcess: true } }), or stop()')
    this.child?.kill('SIGKILL')
    await this.child?.ended
  }

  /** Changes rows of the database, while the server is stopped. */
  change(sql: string, ...parameters: unknown[]): void {
    if (this.isRunning) throw new Error('Stop the server first')
    const database = new Database(join(this.dataDir, 'garba.db'))
    try {
      database.prepare(sql).run(...parameters)
    } finally {
      database.close()
    }
  }

  /** Rows of the database as they are on disk at this moment. */
  rows<Row = Record<string, unknown>>(sql: string, ...parameters: unknown[]): Row[] {
    const database = new Database(join(this.dataDir, 'garba.db'), { readonly: true })
    try {
      return database.prepare(sql).all(...parameters) as Row[]
    } finally {
      database.close()
    }
  }

  /** The API as one of the demo accounts, past the user interface. */
  api(role: DemoRole): Promise<Api> {
    return this.apiAs(DEMO_ACCOUNTS[role])
  }

  /** The API as anyone: a new email becomes a new guest. */
  apiAs(account: { uid: string; email: string; name: string }): Promise<Api> {
    return signInToApi({ url: this.url, emulatorHost: emulatorHost(), account })
  }

  async dispose(): Promise<void> {
    if (this.isRunning) await (this.options.ownProcess ? this.kill() : this.stop())
    await this.provider?.close()
    rmSync(this.dataDir, { recursive: true, force: true })
  }

  private environment(): Record<string, string> {
    return {
      // An empty setting counts as absent: what the developer's shell has set must not reach a test.
      ...Object.fromEntries(OWN_SETTINGS.map((name) => [name, ''])),
      LOG_LEVEL: 'warn',
      FIREBASE_AUTH_EMULATOR_HOST: emulatorHost(),
      ...(this.provider ? { PAYMENTS: 'demo', RAZORPAY_API_URL: this.provider.url } : {}),
      ...this.options.env,
      PORT: String(this.port),
      HOST: '127.0.0.1',
      DATA_DIR: this.dataDir,
    }
  }

  private failure(why: string): Error {
    return new Error(`The server ${why}:\n${this.logs.slice(-20).join('\n')}`)
  }
}

const OWN_SETTINGS = [
  'PUBLIC_URL',
  'EVENT_TIMEZONE',
  'EVENT_TITLE',
  'ADMIN_EMAILS',
  'SUPPORT_EMAIL',
  'INSTAGRAM_URL',
  'TRUST_PROXY',
  'MAX_PER_ORDER',
  'MAX_PER_PERSON',
  'PAYMENTS',
  'HOLD_MINUTES',
  'RAZORPAY_KEY_ID',
  'RAZORPAY_KEY_SECRET',
  'RAZORPAY_WEBHOOK_SECRET',
  'RAZORPAY_API_URL',
  'UPI_ID',
  'UPI_NAME',
  'UPI_BANK',
  'SMTP_URL',
  'MAIL_FROM',
  'FIREBASE_PROJECT_ID',
  'FIREBASE_API_KEY',
  'FIREBASE_AUTH_DOMAIN',
  'ALLOW_DEMO_ON_NETWORK',
  'NODE_ENV',
]

export function emulatorHost(): string {
  const host = process.env[EMULATOR_HOST]
  if (host === undefined) throw new Error('The global set-up has not run')
  return host
}

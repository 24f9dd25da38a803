import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserContextOptions, test as base, type Page, type PlaywrightWorkerArgs } from '@playwright/test'
import { buildCaddySite } from '../../../scripts/hosting/files.ts'
import { freePort } from '../../../scripts/lib/children.ts'
import { findChromium } from '../../../scripts/lib/chromium.ts'
import { findCaddy } from '../../../scripts/lib/engines.ts'
import { TestServer } from '../../e2e/support/server.ts'

/** Chromium looks names below localhost up by itself. */
const NAME = 'garba.localhost'

/** Another port than 443, nothing outside the folder, and no control port; everything else is as `npm run host` writes it. */
const global = (https: number, http: number) => `{
	admin off
	https_port ${https}
	http_port ${http}
	skip_install_trust
}
`

export class Caddy {
  readonly port: number
  private readonly folder = mkdtempSync(join(tmpdir(), 'garba-caddy-'))
  private child: ChildProcess | undefined

  constructor(port: number) {
    this.port = port
  }

  get url(): string {
    return `https://${NAME}:${this.port}`
  }

  /** In front of a server on this port; resolves when it has its certificate. */
  async start(serverPort?: number): Promise<void> {
    const file = join(this.folder, 'Caddyfile')
    if (serverPort !== undefined) {
      const text = buildCaddySite(NAME, { port: serverPort, venue: true })
      writeFileSync(file, `${global(this.port, await freePort())}${text}`)
    }
    const child = spawn(findCaddy() ?? 'caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      env: { ...process.env, XDG_DATA_HOME: this.folder, XDG_CONFIG_HOME: this.folder, HOME: this.folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.child = child
    await new Promise<void>((resolve, reject) => {
      let said = ''
      child.stderr.on('data', (piece: Buffer) => {
        said += piece
        if (said.includes('serving initial configuration')) resolve()
      })
      child.once('exit', () => reject(new Error(`Caddy ended:\n${said}`)))
    })
    // It signs its certificate a moment after it listens.
    while (!(await this.answers())) await sleep(20)
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const asked = request({ host: '127.0.0.1', port: this.port, servername: NAME, rejectUnauthorized: false })
      asked.on('response', (answer) => answer.resume().on('end', () => resolve(true)))
      asked.on('error', () => resolve(false)).end()
    })
  }

  async stop(): Promise<void> {
    const { child } = this
    if (child === undefined || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  async dispose(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  certificate(name: 'root' | 'intermediate'): string {
    return readFileSync(join(this.folder, 'caddy', 'pki', 'authorities', 'local', `${name}.crt`), 'utf8')
  }

  /** As a phone that trusts this authority: a browser of its own, with a profile on disk, so that apps can be installed. */
  async phone(
    playwright: PlaywrightWorkerArgs['playwright'],
    profile: string,
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const { publicKey } = new X509Certificate(this.certificate('intermediate'))
    const key = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64')
    const executablePath = findChromium()
    const context = await playwright.chromium.launchPersistentContext(profile, {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--ignore-certificate-errors-spki-list=${key}`,
      ],
      locale: 'en-IN',
      timezoneId: 'Asia/Kolkata',
      reducedMotion: 'reduce',
      ...options,
      baseURL: this.url,
    })
    return context.pages()[0] ?? context.newPage()
  }
}

/** A server behind a real Caddy, with the Caddyfile that `npm run host -- NAME --venue` writes. */
export const test = base.extend<{ caddy: Caddy; server: TestServer }>({
  server: async ({ caddy }, use) => {
    const env = { PUBLIC_URL: caddy.url, TRUST_PROXY: '1', ALLOW_DEMO_ON_NETWORK: '1', SKIP_ADDRESS_CHECK: '1' }
    const server = await TestServer.create({ env })
    await caddy.start(Number(new URL(server.url).port))
    await use(server)
    await server.dispose()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  caddy: async ({}, use) => {
    const caddy = new Caddy(await freePort())
    await use(caddy)
    await caddy.dispose()
  },
})

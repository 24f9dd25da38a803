import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBelowScanner } from '@garba/shared/contracts/site/pages'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { IDBFactory } from 'fake-indexeddb'
import { CookieJar, JSDOM, VirtualConsole } from 'jsdom'
import { CLIENT_DIST } from '../../../scripts/lib/client.ts'
import { PageClock } from './clock.ts'
import { Locator, type RoleOptions, type TextOptions, waitForValue } from './locator.ts'
import { Modules } from './modules.ts'
import { type Handler, Network } from './network.ts'
import { makeStorage } from './storage.ts'
import { type Device, furnish, type PageWindow } from './window.ts'

export interface BrowserOptions {
  reducedMotion?: boolean
  installed?: boolean
}

/** A browser with nothing in it yet, and its tabs. What it stores outlives a reload, and ends with the test. */
export class Browser {
  indexedDB = new IDBFactory()
  readonly localStorage = makeStorage()
  readonly cookies = new CookieJar()
  readonly baseURL: string
  private readonly device: Device
  private readonly pages: Page[] = []

  constructor(baseURL: string, { reducedMotion = true, installed = false }: BrowserOptions = {}) {
    this.baseURL = baseURL
    const { indexedDB, localStorage } = this
    this.device = { indexedDB, localStorage, name: crypto.randomUUID(), reducedMotion, installed }
  }

  newPage(): Page {
    const page = new Page(this, this.device)
    this.pages.push(page)
    return page
  }

  /** Takes the network from every page, or gives it back. */
  setOffline(isOffline: boolean): void {
    for (const page of this.pages) page.setOffline(isOffline)
  }

  close(): void {
    for (const page of this.pages) page.end()
    // Open connections hold the windows that opened them.
    this.device.indexedDB = this.indexedDB = new IDBFactory()
  }
}

/** What an address shows without a worker's help: the server's page, or with no network the shell that a worker keeps. */
async function documentOf(
  url: string,
  { network, context: { cookies } }: Page,
): Promise<{ url: string; html: string; status: number }> {
  const request = new Request(url, { headers: { accept: 'text/html', cookie: cookies.getCookieStringSync(url) } })
  try {
    const answer = await network.ask(request)
    const isPage = (answer.headers.get('content-type') ?? '').includes('html')
    // Critical styles: parsing them takes longer than all the rest.
    const html = isPage ? (await answer.text()).replaceAll(/<style[^>]*>[\s\S]*?<\/style>/g, '') : ''
    // Where a redirect led; an answer's address has no fragment.
    return { url: answer.url === '' ? url : answer.url + new URL(url).hash, html, status: answer.status }
  } catch {
    const shell = isBelowScanner(new URL(url).pathname) ? 'scanner.html' : 'index.html'
    return { url, html: readFileSync(join(CLIENT_DIST, shell), 'utf8'), status: 200 }
  }
}

/** One tab. Each load of an address has a document, modules and timers of its own; nothing of the last one lives on. */
export class Page {
  readonly context: Browser
  readonly network = new Network()
  /** What pages wrote to the console, uncaught errors too. */
  readonly said: string[] = []
  readonly clock = new PageClock()
  private readonly device: Device
  private readonly sessionStorage = makeStorage()
  private readonly beginnings: string[] = []
  private addresses: string[] = []
  private life = new AbortController()
  private inner: InnerWindow | null = null
  private shown: { window: PageWindow; user: UserEvent } | null = null

  constructor(context: Browser, device: Device) {
    this.context = context
    this.device = device
  }

  get window(): PageWindow {
    if (this.shown === null) throw new Error('This page has no address yet')
    return this.shown.window
  }

  get document(): Document {
    return this.window.document
  }

  get user(): UserEvent {
    if (this.shown === null) throw new Error('This page has no address yet')
    return this.shown.user
  }

  toString = (): string => 'page'
  url = (): string => this.window.location.href

  /** Resolves to the answer's status when the page's first modules have run. */
  async goto(address: string): Promise<{ status: number }> {
    const url = new URL(address, this.context.baseURL).href
    if (this.shown !== null) this.addresses.push(this.url())
    return this.load(url)
  }

  async reload(): Promise<void> {
    await this.load(this.url())
  }

  /** Back in the app, or else to what was opened before this page was loaded. */
  async goBack(): Promise<void> {
    if ((this.inner?._sessionHistory._currentIndex ?? 0) > 0) return this.window.history.back()
    const before = this.addresses.pop()
    if (before === undefined) throw new Error('Nothing was opened before this page')
    await this.load(before)
  }

  private async load(address: string): Promise<{ status: number }> {
    if (this.shown !== null) this.window.dispatchEvent(new this.window.Event('pagehide'))
    this.close()
    const life = new AbortController()
    this.life = life
    const { url, html, status } = await documentOf(address, this)
    const virtualConsole = new VirtualConsole()
    for (const kind of ['info', 'warn', 'error', 'log'] as const)
      virtualConsole.on(kind, (...what: unknown[]) => this.said.push(`${kind}: ${what.map(textOf).join(' ')}`))
    virtualConsole.on('jsdomError', (error) => this.said.push(`page: ${textOf(error.cause ?? error)}`))
    const dom = new JSDOM(html, {
      url,
      runScripts: 'outside-only',
      pretendToBeVisual: true,
      cookieJar: this.context.cookies,
      virtualConsole,
    })
    const window = dom.window as unknown as PageWindow
    const follow = (to: string) => void setImmediate(() => life.signal.aborted || void this.load(to))
    const { device, network, sessionStorage } = this
    furnish(window, { device, network, sessionStorage, life: life.signal, follow })
    this.inner = dom.getInternalVMContext() as unknown as InnerWindow
    takeNavigations(this.inner, follow)
    this.clock.enter(window)
    this.shown = { window, user: userEvent.setup({ document: window.document, delay: null, pointerEventsCheck: 0 }) }
    for (const beginning of this.beginnings) window.eval(beginning)
    const entry = window.document.querySelector<HTMLScriptElement>('script[type=module]')
    const modules = new Modules({ context: dom.getInternalVMContext(), network })
    // Boot would wait for a paint, and jsdom paints nothing: the files that boot fetches run at once.
    const files = entry?.dataset.app?.split(' ') ?? (entry ? [entry.src] : [])
    for (const file of files) await modules.run(new URL(file, url).href)
    await takenOver(window.document)
    return { status }
  }

  /** Ends what runs in the page: streams, timers, channels. */
  close(): void {
    this.life.abort(new Error('The page was closed'))
    this.clock.leave()
    this.shown?.window.close()
  }

  /** Vitest keeps what it gave to a test for as long as the file runs: without this, every window would stay. */
  end(): void {
    this.close()
    this.life = new AbortController()
    this.shown = null
    this.inner = null
  }

  setOffline(isOffline: boolean): void {
    this.network.isOffline = isOffline
    if (this.shown !== null) this.window.dispatchEvent(new this.window.Event(isOffline ? 'offline' : 'online'))
  }

  /** Runs a function in the page; it must be whole in itself. */
  async evaluate<A, R>(run: (argument: A) => R, argument?: A): Promise<Awaited<R>> {
    return await (this.window.eval(`(${run})`) as (argument: A | undefined) => R)(argument)
  }

  /** Runs at the beginning of each load from now on. */
  addInitScript<A>(run: (argument: A) => void, argument?: A): void {
    this.beginnings.push(`(${run})(${JSON.stringify(argument)})`)
  }

  route = (where: string | RegExp, handler: Handler): void => this.network.route(where, handler)
  unroute = (where: string | RegExp, handler?: Handler): void => this.network.unroute(where, handler)
  unrouteAll = (): void => this.network.unrouteAll()

  readonly keyboard = {
    press: (key: string): Promise<void> => this.user.keyboard(keysOf(key)),
    type: (text: string): Promise<void> => this.user.keyboard(text.replace(/[[{]/g, '$&$&')),
  }

  private get root(): Locator {
    return new Locator({ page: this, say: 'page', find: () => [this.document as unknown as Element] })
  }

  locator = (css: string, options?: { hasText?: string | RegExp }): Locator => this.root.locator(css, options)
  getByRole = (role: string, options?: RoleOptions): Locator => this.root.getByRole(role, options)
  getByText = (text: string | RegExp, options?: TextOptions): Locator => this.root.getByText(text, options)
  getByLabel = (text: string | RegExp, options?: TextOptions): Locator => this.root.getByLabel(text, options)
}

/** Playwright's names of keys in user-event's notation: `Shift+Tab` becomes `{Shift>}{Tab}{/Shift}`. */
export function keysOf(key: string): string {
  const keys = key.split('+')
  const last = keys.pop() ?? ''
  const held = keys.map((one) => one.replace('ControlOrMeta', 'Control'))
  const one = last === 'Space' ? '[Space]' : last.length === 1 ? last : `{${last}}`
  return [
    ...held.map((modifier) => `{${modifier}>}`),
    one,
    ...held.toReversed().map((modifier) => `{/${modifier}}`),
  ].join('')
}

/** Until React has taken over what the server rendered, nothing on the page answers a click. */
async function takenOver(document: Document): Promise<void> {
  const root = document.getElementById('root')
  if (root?.firstElementChild) await waitForValue(() => isDehydrated(root) === false || null, 'the app to start')
}

/** React's own note, on its container. */
function isDehydrated(root: HTMLElement): unknown {
  const [, fiber] = Object.entries(root).find(([key]) => key.startsWith('__reactContainer')) ?? []
  return (fiber as Fiber | null | undefined)?.stateNode.current.memoizedState.isDehydrated
}
interface Fiber {
  stateNode: { current: { memoizedState: { isDehydrated?: boolean } } }
}

/** What jsdom tells nobody. */
interface InnerWindow {
  _sessionHistory: { _currentIndex: number }
  _document: {
    _URL: unknown
    _location: { _locationObjectNavigate(url: unknown): void; reload(): void; href: string }
  }
}

/** jsdom opens no second document; what the app asks of `location` is done here. */
function takeNavigations({ _document: { _location } }: InnerWindow, follow: (url: string) => void): void {
  const within = _location._locationObjectNavigate
  _location.reload = () => follow(_location.href)
  _location._locationObjectNavigate = (url) => {
    const before = _location.href
    const parts = url as { fragment: string | null; scheme: string }
    const to = Object.assign(Object.create(Object.getPrototypeOf(_location)), {
      _relevantDocument: { _URL: url },
    }) as typeof _location
    if (parts.fragment !== null && to.href.split('#')[0] === before.split('#')[0]) return within.call(_location, url)
    follow(to.href)
  }
}

const textOf = (what: unknown): string =>
  what instanceof Object && 'stack' in what ? String(what.stack) : String(what)

import type { Language } from '@garba/shared/messages/language'
import type { Browser, BrowserContext } from '@playwright/test'
import { DEMO_ACCOUNTS, type DemoRole, type Page, TestServer } from '../support/fixtures.ts'
import { restoreSession } from '../support/session.ts'

export interface Scene {
  page: Page
  server: TestServer
  context: BrowserContext
}

export interface Shot {
  /** Brings the page to the screen. */
  open: (scene: Scene) => Promise<unknown>
  data?: 'demo' | 'empty' | 'big'
  /** Tickets are paid for, through the provider's double. */
  paid?: boolean
  /** Settings of the server. */
  env?: Readonly<Record<string, string>>
  /** The whole page too, not only what fits; not for screens that fill the window. */
  whole?: boolean
  /** How large the reader's text is, in percent. */
  text?: number
  /** What the page is switched to once it is there; only on pages with the header. */
  language?: Exclude<Language, 'en'>
  /** The widths it is pictured at; every one if absent. */
  widths?: readonly number[]
  /** A PDF of what the browser prints, instead of pictures. */
  print?: boolean
}

export const LONG = {
  uid: 'long',
  email: 'dharmeshkumar.navinchandra.brahmbhatt@mahila-vikas-mandal.example',
  name: '',
}
export const NAMES = ['ધ્રુવીબેન રમેશચંદ્ર ત્રિવેદી', 'Dharmeshkumar Navinchandra Brahmbhatt-Prajapati of Ahmedabad']

/** What somebody writes about a drawer that does not agree. */
export const LONG_NOTE =
  'દસની એક નોટ ફાટેલી હતી અને કોઈએ લીધી નહીં, એક ગ્રાહકને છૂટા ઓછા અપાયા, અને વીસ રૂપિયા પાર્કિંગવાળાને આપ્યા'

export const stalled = (page: Page) => page.route('**/api/**', () => undefined)
export const failing = (page: Page) =>
  page.route(/\/api\/(tickets|admin|event)\b/, (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Something went wrong.' } }),
  )

/** The page is in another browser from its next load on. */
export const inBrowser = (page: Page, userAgent: string) =>
  page.addInitScript((value) => Object.defineProperty(navigator, 'userAgent', { value }), userAgent)

export async function goTo({ page }: Scene, path: string, as?: DemoRole) {
  if (as !== undefined) await restoreSession(page, as)
  await page.goto(path)
  await page.getByRole('heading').first().waitFor()
}

export const visit =
  (path: string, as?: DemoRole): Shot['open'] =>
  (scene) =>
    goTo(scene, path, as)

/** One ticket used, one cancelled. */
export async function eachState(server: TestServer, tickets: readonly { id: string }[]) {
  const admin = await server.api('admin')
  for (const [i, status] of (['used', 'cancelled'] as const).entries())
    await admin.call('setTicketStatus', { params: { id: tickets[i]?.id ?? '' }, body: { status } })
}

/** Things that disappear after some seconds stay if the page's clock is installed. */
export async function holdClock(page: Page, tries = 5): Promise<void> {
  const soon = (await page.evaluate(() => Date.now())) + 300
  // On a busy machine that moment may be over before the page gets to it.
  await page.clock.pauseAt(soon).catch((error) => (tries > 1 ? holdClock(page, tries - 1) : Promise.reject(error)))
}

/** Switches the language by the header's list, which stays in the page while a dialog covers it. */
async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate((to) => {
    const list = document.querySelector<HTMLSelectElement>('header select')
    if (list) list.value = to
    list?.dispatchEvent(new Event('change', { bubbles: true }))
  }, language)
  await page.locator(`html[lang=${language}]`).waitFor()
}

/** Brings a browser of its own to the shot's screen, on a server of its own. */
export async function inShot(browser: Browser, shot: Shot, act: (scene: Scene) => Promise<unknown>): Promise<void> {
  const { data = 'demo', paid = false, env = {} } = shot
  const server = await TestServer.create({
    data,
    paid,
    env: { ADMIN_EMAILS: data === 'empty' ? DEMO_ACCOUNTS.admin.email : '', ...env },
  })
  const context = await browser.newContext({
    baseURL: server.url,
    serviceWorkers: 'block',
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    reducedMotion: 'reduce',
  })
  try {
    const scene = { page: await context.newPage(), server, context }
    await shot.open(scene)
    if (shot.language) await speak(scene.page, shot.language)
    await scene.page.evaluate(() => document.fonts.ready)
    await act(scene)
  } finally {
    await context.close()
    await server.dispose()
  }
}

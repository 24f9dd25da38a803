import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { changeEvent, dayAhead } from './support/event.ts'
import { DEMO_ACCOUNTS, type DemoRole, type Page, TestServer, test } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'
import { GUEST, openDashboard, order } from './support/guest.ts'
import { restoreSession, signInButton } from './support/session.ts'

const FOLDER = process.env.SCREENS ?? ''
const SIZES = [
  [360, 640],
  [390, 844],
  [768, 1024],
  [1280, 800],
] as const

test.use({ serviceWorkers: 'block' })

interface Scene {
  page: Page
  server: TestServer
  context: BrowserContext
}

interface Shot {
  /** Brings the page to the screen. */
  open: (scene: Scene) => Promise<unknown>
  data?: 'demo' | 'empty' | 'big'
  /** The whole page, not only what fits; not for screens that fill the window. */
  whole?: boolean
}

const LONG = { uid: 'long', email: 'dharmeshkumar.navinchandra.brahmbhatt@mahila-vikas-mandal.example', name: '' }
const NAMES = ['ધ્રુવીબેન રમેશચંદ્ર ત્રિવેદી', 'Dharmeshkumar Navinchandra Brahmbhatt-Prajapati of Ahmedabad']

const stalled = (page: Page) => page.route('**/api/**', () => undefined)
const failing = (page: Page) =>
  page.route(/\/api\/(tickets|admin|event)\b/, (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Something went wrong.' } }),
  )

async function goTo({ page }: Scene, path: string, as?: DemoRole) {
  if (as !== undefined) await restoreSession(page, as)
  await page.goto(path)
  await page.getByRole('heading').first().waitFor()
}

const visit =
  (path: string, as?: DemoRole): Shot['open'] =>
  (scene) =>
    goTo(scene, path, as)

async function guestWith(scene: Scene, quantity: number) {
  await (await scene.server.api('guest')).buy(quantity)
  await openDashboard(scene.page)
}

/** One ticket of each state, for two people with long names. */
async function mixedTickets({ server }: Scene) {
  const admin = await server.api('admin')
  for (const [i, name] of NAMES.entries()) {
    const tickets = await (await server.apiAs({ ...LONG, uid: `long-${i}`, email: `${i}${LONG.email}`, name })).buy(3)
    for (const [j, status] of (['used', 'cancelled'] as const).entries())
      await admin.call('setTicketStatus', { params: { id: tickets[j]?.id ?? '' }, body: { status } })
  }
}

async function soldOut({ server }: Scene) {
  await (await server.api('guest')).buy(4)
  await changeEvent(await server.api('admin'), { totalTickets: 4 })
}

const DESK = ['', '/tickets', '/users', '/analytics', '/event', '/audit', '/gate'] as const
const nameOf = (view: string) => view.slice(1) || 'home'

const SHOTS: Record<string, Shot> = {
  'site landing': { open: visit('/'), whole: true },
  'site landing in Gujarati': {
    whole: true,
    open: async ({ page }) => {
      await page.goto('/')
      await page.getByLabel('Language').selectOption('gu')
      await page.locator('html[lang=gu]').waitFor()
    },
  },
  'site landing without an event': { open: visit('/'), data: 'empty', whole: true },
  'site landing sold out': {
    whole: true,
    open: async (scene) => {
      await soldOut(scene)
      await goTo(scene, '/')
    },
  },
  'site account chooser': {
    open: async ({ page }) => {
      await page.goto('/')
      await signInButton(page).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'site policy': { open: visit('/refund-policy'), whole: true },
  'site not found': { open: visit('/nothing-here') },

  'guest without tickets': { open: ({ page }) => openDashboard(page), whole: true },
  'guest with one ticket': { open: (scene) => guestWith(scene, 1), whole: true },
  'guest with twelve tickets': { open: (scene) => guestWith(scene, 12), whole: true },
  'guest with used and cancelled tickets': {
    whole: true,
    open: async (scene) => {
      const tickets = await (await scene.server.api('guest')).buy(4)
      const admin = await scene.server.api('admin')
      for (const [i, status] of (['used', 'cancelled'] as const).entries())
        await admin.call('setTicketStatus', { params: { id: tickets[i]?.id ?? '' }, body: { status } })
      await openDashboard(scene.page)
    },
  },
  'guest loading': {
    whole: true,
    open: async ({ page }) => {
      await restoreSession(page, 'guest')
      await stalled(page)
      await page.goto(GUEST)
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  },
  'guest failed': {
    whole: true,
    open: async ({ page }) => {
      await restoreSession(page, 'guest')
      await failing(page)
      await page.goto(GUEST)
      await page.getByText('Error Loading Tickets').first().waitFor()
    },
  },
  'guest offline': {
    whole: true,
    open: async (scene) => {
      await guestWith(scene, 2)
      await scene.context.setOffline(true)
      await scene.page.getByText('You are offline').waitFor()
    },
  },
  'guest buying': {
    open: async ({ page }) => {
      await openDashboard(page)
      await page.getByRole('button', { name: 'Buy Tickets' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'guest confirming': {
    open: async ({ page }) => {
      await openDashboard(page)
      await order(page, 4)
    },
  },
  'guest has bought': {
    open: async ({ page }) => {
      await openDashboard(page)
      const dialog = await order(page, 4)
      await dialog.getByRole('button', { name: 'Confirm Purchase' }).click()
      await page.getByText("You're all going!").waitFor()
    },
  },
  'guest on the evening': {
    open: async (scene) => {
      await changeEvent(await scene.server.api('admin'), { date: dayAhead(0), startTime: '18:30', endTime: '23:59' })
      await guestWith(scene, 2)
    },
  },
  'guest entry pass': {
    open: async (scene) => {
      await guestWith(scene, 2)
      await scene.page.goto(`${GUEST}/gate`)
      await scene.page.getByRole('dialog').locator('svg[role=img]').first().waitFor()
    },
  },

  'scanner ready': { open: ({ page }) => Gate.open(page) },
  'scanner running': {
    open: async ({ page }) => {
      const gate = await Gate.open(page)
      await gate.start()
    },
  },
  'scanner offline': {
    open: async ({ page, server }) => {
      const gate = await Gate.open(page)
      await gate.start()
      await server.stop()
      await page.clock.runFor(40_000)
    },
  },
  'scanner lets in': {
    open: async ({ page, server }) => {
      const [ticket] = await (await server.apiAs({ ...LONG, name: NAMES[0] ?? '' })).buy(1)
      const gate = await Gate.open(page)
      await gate.start()
      await gate.camera.showCode(ticket?.qrCode ?? '')
      await gate.verdict.waitFor()
    },
  },
  'scanner refuses': {
    open: async ({ page }) => {
      const gate = await Gate.open(page)
      await gate.start()
      await gate.camera.showCode('https://example.org/')
      await gate.verdict.waitFor()
    },
  },
  'scanner readiness': { open: visit('/dashboard/qrchecker/readiness', 'checker') },

  ...Object.fromEntries(
    DESK.map((view) => [
      `desk ${nameOf(view)}`,
      {
        data: 'big',
        open: async (scene: Scene) => {
          await goTo(scene, `/dashboard/admin${view}`, 'admin')
        },
      } as const,
    ]),
  ),
  ...Object.fromEntries(
    DESK.map((view) => [
      `desk ${nameOf(view)} empty`,
      { data: 'empty', open: visit(`/dashboard/admin${view}`, 'admin') },
    ]),
  ),
  ...Object.fromEntries(
    DESK.map((view) => [
      `desk ${nameOf(view)} failed`,
      {
        open: async ({ page }: Scene) => {
          await restoreSession(page, 'admin')
          await failing(page)
          await page.goto(`/dashboard/admin${view}`)
          await page.getByRole('heading').first().waitFor()
        },
      },
    ]),
  ),
  'desk tickets loading': {
    open: async ({ page }) => {
      await restoreSession(page, 'admin')
      await stalled(page)
      await page.goto('/dashboard/admin/tickets')
      await page.getByRole('heading').first().waitFor()
    },
  },
  'desk tickets with long names': {
    open: async (scene) => {
      await mixedTickets(scene)
      await goTo(scene, '/dashboard/admin/tickets', 'admin')
      await scene.page.getByText(DEMO_ACCOUNTS.admin.name).first().waitFor()
    },
  },
  'desk manager': { data: 'big', open: visit('/dashboard/manager', 'manager') },
}

for (const [name, { open, data = 'demo', whole = false }] of Object.entries(SHOTS))
  test(name, async ({ browser }) => {
    const env = { ADMIN_EMAILS: data === 'empty' ? DEMO_ACCOUNTS.admin.email : '' }
    const server = await TestServer.create({ data, env })
    const context = await browser.newContext({
      baseURL: server.url,
      serviceWorkers: 'block',
      locale: 'en-IN',
      timezoneId: 'Asia/Kolkata',
      reducedMotion: 'reduce',
    })
    try {
      const page = await context.newPage()
      await open({ page, server, context })
      await page.evaluate(() => document.fonts.ready)
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height })
        // What loads when it comes into view, and what fades in.
        await page.waitForTimeout(700)
        const path = join(FOLDER, `${name.replaceAll(' ', '-')}-${width}.png`)
        await page.screenshot({ path, fullPage: whole, animations: 'disabled' })
      }
    } finally {
      await context.close()
      await server.dispose()
    }
  })

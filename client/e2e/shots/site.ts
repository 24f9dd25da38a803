import type { GarbaEvent } from '@garba/shared/contracts/event'
import { changeEvent, dayAhead, endEvent, runningNow, setEventState } from '../support/event.ts'
import { brokenDesk, cutBefore } from '../support/faults.ts'
import { Gate } from '../support/gate.ts'
import { enterAs, restoreSession, signInButton, signOutByMenu } from '../support/session.ts'
import { signIn } from '../support/signIn.ts'
import { goTo, holdClock, inBrowser, type Scene, type Shot, visit } from './scene.ts'

const landingOf =
  (changes: Partial<GarbaEvent>): Shot['open'] =>
  async (scene) => {
    await changeEvent(await scene.server.api('admin'), changes)
    await goTo(scene, '/')
  }

const inLanguage =
  (language: string, path = '/'): Shot['open'] =>
  async ({ page }) => {
    await page.goto(path)
    await page.getByLabel('Language').selectOption(language)
    await page.locator(`html[lang=${language}]`).waitFor()
  }

async function withTicketsLeft(scene: Scene, bought: number, left: number) {
  await (await scene.server.api('guest')).buy<number>(bought)
  await landingOf({ totalTickets: bought + left })(scene)
}

export const SITE: Record<string, Shot> = {
  'site landing': { open: visit('/'), whole: true },
  'site landing in Gujarati': { open: inLanguage('gu'), whole: true },
  'site landing in Hindi': { open: inLanguage('hi'), whole: true },
  'site landing in large text': { open: visit('/'), whole: true, text: 200 },
  'site landing without an event': { open: visit('/'), data: 'empty', whole: true },
  'site landing almost gone': { open: (scene) => withTicketsLeft(scene, 95, 5) },
  'site landing sold out': { open: (scene) => withTicketsLeft(scene, 4, 0), whole: true },
  'site landing tonight': { open: landingOf(runningNow()) },
  'site landing with tickets': {
    open: async (scene) => {
      await (await scene.server.api('guest')).buy(4)
      await restoreSession(scene.page, 'guest')
      await goTo(scene, '/')
      await scene.page.getByRole('button', { name: 'Show my 4 tickets' }).waitFor()
    },
  },
  'site landing called off': {
    open: async (scene) => {
      await setEventState(await scene.server.api('admin'), { state: 'calledOff' })
      await goTo(scene, '/')
    },
  },
  'site landing delayed': {
    open: async (scene) => {
      const admin = await scene.server.api('admin')
      await changeEvent(admin, { ...runningNow(), startTime: '18:30' })
      await setEventState(admin, { state: 'delayed', startTime: '20:00' })
      await goTo(scene, '/')
    },
  },
  'site landing moved': {
    open: async (scene) => {
      const times = { date: dayAhead(60), freeCancelUntil: dayAhead(50) }
      await setEventState(await scene.server.api('admin'), { state: 'moved', ...times })
      await inLanguage('gu')(scene)
    },
  },
  'site landing over': {
    open: async (scene) => {
      endEvent(scene.server)
      await goTo(scene, '/')
    },
    whole: true,
  },
  'site account chooser': {
    open: async ({ page }) => {
      await page.goto('/')
      await signInButton(page).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'site account chooser closed': {
    open: async ({ page }) => {
      await page.clock.install()
      await page.goto('/')
      await signInButton(page).click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Sign-in cancelled').first().waitFor()
      await holdClock(page)
    },
  },
  'site account menu': {
    open: async ({ page }) => {
      await enterAs(page, 'guest')
      await page.getByRole('button', { name: /account menu/i }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  'site sign-in failed': {
    open: async ({ page }) => {
      await page.clock.install()
      await page.route(/\/api\/auth\/google-signin/, (route) => route.abort())
      await page.goto('/')
      await signIn(page, 'guest')
      await page.getByText('Authentication Error').waitFor({ timeout: 60_000 })
      await holdClock(page)
    },
  },
  'site in Instagram': {
    open: async ({ page }) => {
      await inBrowser(page, 'Android; wv) Instagram')
      await page.goto('/')
      await signInButton(page).click()
      await page.getByRole('textbox', { name: 'Email' }).waitFor()
    },
  },
  'site sign-in by email': {
    open: async ({ page }) => {
      await page.goto('/')
      await page.getByRole('main').getByRole('button', { name: 'Sign in by email' }).click()
      await page.getByRole('textbox', { name: 'Email' }).fill('meera@example.test')
      await page.keyboard.press('Enter')
      await page.getByText('We have sent a link').waitFor()
    },
  },
  'site sign-in link': { open: visit('/dashboard/guest/sign-in?oobCode=used&mode=signIn&apiKey=demo') },
  'site sign-in link used': {
    open: async ({ page }) => {
      await page.goto('/dashboard/guest/sign-in?oobCode=used&mode=signIn&apiKey=demo')
      await page.getByRole('textbox', { name: 'Email' }).fill('meera@example.test')
      await page.keyboard.press('Enter')
      await page.getByText('This link no longer works').waitFor()
    },
  },
  'site language switch': {
    open: async ({ page }) => {
      await page.goto('/')
      // The list itself is the browser's own window, and in no picture.
      await page.getByLabel('Language').focus()
      await page.keyboard.press('Shift')
    },
  },
  'site unsent scans': {
    open: async ({ page, server }) => {
      const tickets = await (await server.api('guest')).buy<number>(2)
      const gate = await Gate.open(page)
      await gate.start()
      await cutBefore(page, /\/api\/(tickets|scanner)/)
      for (const { qrCode } of tickets) await gate.scan(qrCode)
      await page.goto('/')
      await signOutByMenu(page)
    },
  },
  'site invalid role': {
    open: async ({ page }) => {
      await restoreSession(page, 'guest')
      await page.route('**/api/auth/profile', async (route) => {
        const response = await route.fetch()
        const { user } = (await response.json()) as { user: object }
        await route.fulfill({ response, json: { success: true, user: { ...user, role: 'ringmaster' } } })
      })
      await page.goto('/dashboard')
      await page.getByRole('heading', { name: 'Invalid Role' }).waitFor()
    },
  },
  'site crash': {
    open: async ({ page }) => {
      await restoreSession(page, 'admin')
      await brokenDesk(page)
      await page.goto('/dashboard/admin')
      await page.getByRole('heading', { name: 'Oops! Something went wrong' }).waitFor()
    },
  },
  'site crash in Gujarati': {
    open: async (scene) => {
      await inLanguage('gu')(scene)
      await restoreSession(scene.page, 'admin')
      await brokenDesk(scene.page)
      await scene.page.goto('/dashboard/admin')
      await scene.page.getByRole('alert').waitFor()
    },
  },
  'site policy': { open: visit('/refund-policy'), whole: true },
  'site policy in Gujarati': { open: inLanguage('gu', '/cancellation-policy'), whole: true },
  'site not found': { open: visit('/nothing-here') },
}

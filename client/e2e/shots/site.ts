import type { GarbaEvent } from '@garba/shared/contracts/event'
import { changeEvent, dayAhead } from '../support/event.ts'
import { enterAs, signInButton } from '../support/session.ts'
import { goTo, holdClock, type Scene, type Shot, visit } from './scene.ts'

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
  'site landing tonight': { open: landingOf({ date: dayAhead(0), startTime: '00:01', endTime: '23:59' }) },
  'site landing over': { open: landingOf({ date: dayAhead(0), startTime: '00:00', endTime: '00:01' }), whole: true },
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
  'site policy': { open: visit('/refund-policy'), whole: true },
  'site policy in Gujarati': { open: inLanguage('gu', '/cancellation-policy'), whole: true },
  'site not found': { open: visit('/nothing-here') },
}

import type { Page } from '@playwright/test'
import { changeEvent, closeEvent, dayAhead, setEventState } from '../support/event.ts'
import { expect } from '../support/fixtures.ts'
import { buyButton, GUEST, inMenu, openDashboard, openLine, order, ticketCards } from '../support/guest.ts'
import { linkOf, placed } from '../support/paying.ts'
import { restoreSession } from '../support/session.ts'
import { eachState, failing, holdClock, inBrowser, NAMES, type Scene, type Shot, stalled } from './scene.ts'

async function guestWith(scene: Scene, quantity: number) {
  await (await scene.server.api('guest')).buy(quantity)
  await openDashboard(scene.page)
}

async function bought(scene: Scene, quantity: number) {
  await openDashboard(scene.page)
  const dialog = await order(scene.page, quantity)
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await scene.page.getByText(/You’re (all )?going!/).waitFor()
}

async function cancelling(scene: Scene, days: number) {
  await changeEvent(await scene.server.api('admin'), { date: dayAhead(days) })
  await guestWith(scene, 1)
  await (await inMenu(scene.page, ticketCards(scene.page), 'Cancel')).click()
  return scene.page.getByRole('dialog')
}

/** One ticket of each state, in another language than English. */
async function inLanguage(scene: Scene, language: 'gu' | 'hi') {
  await eachState(scene.server, await (await scene.server.api('guest')).buy(3))
  await openDashboard(scene.page)
  await scene.page.getByRole('banner').getByRole('combobox').selectOption(language)
  await scene.page.locator(`html[lang=${language}]`).waitFor()
}

/** A purchase that fails, while the toast says why. */
async function refused({ page }: Scene, { status, code }: { status: number; code: string }) {
  await openDashboard(page)
  const dialog = await order(page, 2)
  await page.route('**/api/tickets', (route) =>
    route.fulfill({ status, json: { success: false, code, message: 'No' } }),
  )
  await dialog.getByRole('button', { name: /^Get/ }).click()
  await dialog.getByRole('alert').waitFor()
  await page.locator('[data-sonner-toast]').waitFor()
  await holdClock(page)
}

type NotificationState = 'on' | 'off' | 'blocked'

/** What a whole browser with its worker answers; these pictures have neither. */
const inNotificationState = (page: Page, state: NotificationState) =>
  page.addInitScript((answers) => {
    const permission = answers === 'blocked' ? 'denied' : 'granted'
    const subscription = {
      toJSON: () => ({ endpoint: 'https://push.example.org/x', keys: { p256dh: 'p', auth: 'a' } }),
    }
    const pushManager = { getSubscription: async () => (answers === 'on' ? subscription : null) }
    Object.defineProperty(Notification, 'permission', { get: () => permission })
    Object.defineProperty(navigator.serviceWorker, 'ready', { value: Promise.resolve({ pushManager }) })
  }, state)

const withNotifications = (state: NotificationState): Shot => ({
  whole: true,
  widths: [360, 390, 1280],
  open: async (scene) => {
    await inNotificationState(scene.page, state)
    await scene.page.route('**/api/push/subscriptions', (route) =>
      route.fulfill({ status: 201, json: { success: true } }),
    )
    await guestWith(scene, 1)
    await scene.page.getByText(/Tell me on this|Notifications are/).waitFor()
  },
})

const NOTIFICATIONS: Record<string, Shot> = Object.fromEntries(
  (['off', 'on', 'blocked'] as const).flatMap((state) => [
    [`guest notifications ${state}`, withNotifications(state)],
    [`guest notifications ${state} in Gujarati`, { ...withNotifications(state), language: 'gu' }],
    [`guest notifications ${state} in Hindi`, { ...withNotifications(state), language: 'hi' }],
  ]),
)

export const GUESTS: Record<string, Shot> = {
  ...NOTIFICATIONS,
  'guest has bought, with notifications': {
    widths: [360, 1280],
    whole: true,
    open: async (scene) => {
      await inNotificationState(scene.page, 'off')
      await bought(scene, 2)
      await scene.page.getByText(/Tell me on this/).waitFor()
    },
  },
  'guest home moved': {
    language: 'gu',
    open: async (scene) => {
      const admin = await scene.server.api('admin')
      await setEventState(admin, { state: 'moved', date: dayAhead(60), freeCancelUntil: dayAhead(50) })
      await guestWith(scene, 2)
    },
  },
  'guest home called off': {
    open: async (scene) => {
      await (await scene.server.api('guest')).buy(2)
      await setEventState(await scene.server.api('admin'), { state: 'calledOff', now: true })
      await openDashboard(scene.page)
    },
  },
  'guest without tickets': { open: ({ page }) => openDashboard(page), whole: true },
  'guest with one ticket': { open: (scene) => guestWith(scene, 1), whole: true },
  'guest with one ticket in large text': { open: (scene) => guestWith(scene, 1), whole: true, text: 200 },
  'guest with open lines': {
    whole: true,
    open: async (scene) => {
      await guestWith(scene, 2)
      for (const line of ['Event and map', 'Prices', 'Your details'] as const) await openLine(scene.page, line)
    },
  },
  'guest with twelve tickets': { open: (scene) => guestWith(scene, 12), whole: true },
  'guest with used and cancelled tickets': {
    whole: true,
    open: async (scene) => {
      await eachState(scene.server, await (await scene.server.api('guest')).buy(4))
      await openDashboard(scene.page)
    },
  },
  'guest with long names': {
    whole: true,
    open: async (scene) => {
      const guest = await scene.server.api('guest')
      const tickets = await guest.buy(2)
      for (const [i, name] of NAMES.entries())
        await guest.call('nameTicket', { params: { id: tickets[i]?.id ?? '' }, body: { name } })
      await changeEvent(await scene.server.api('admin'), {
        name: 'Shree Navratri Sarvajanik Garba Mahotsav 2025 of Ahmedabad',
        venue: 'Gujarat University Convention and Exhibition Centre, Helmet Cross Roads, Drive-in Road, Ahmedabad',
      })
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
  'guest sold out': {
    whole: true,
    open: async (scene) => {
      await (await scene.server.api('checker')).buy(4)
      await changeEvent(await scene.server.api('admin'), { totalTickets: 4 })
      await openDashboard(scene.page)
    },
  },
  'guest buying': {
    open: async ({ page }) => {
      await openDashboard(page)
      await buyButton(page).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'guest confirming': {
    open: async ({ page }) => {
      await openDashboard(page)
      await order(page, 4)
    },
  },
  'guest purchase refused': { open: (scene) => refused(scene, { status: 503, code: 'READ_ONLY' }) },
  'guest purchase without an answer': { open: (scene) => refused(scene, { status: 500, code: 'INTERNAL' }) },
  'guest has bought': { open: (scene) => bought(scene, 4) },
  'guest has bought and names the others': {
    open: async (scene) => {
      await bought(scene, 4)
      await scene.page.getByText('Who is coming with you?').click()
    },
  },
  'guest sends a ticket after buying': {
    open: async (scene) => {
      await bought(scene, 3)
      await scene.page.getByText('Who is coming with you?').click()
      const fields = scene.page.getByRole('form', { name: 'Who is coming with you?' }).getByRole('textbox')
      for (const [at, name] of NAMES.entries()) await fields.nth(at).fill(name)
      await scene.page.getByRole('button', { name: 'Save names' }).click()
      await scene.page.getByRole('textbox', { name: 'Your first name, on the envelope' }).waitFor()
    },
  },
  'guest waits for returned tickets': {
    language: 'gu',
    open: async (scene) => {
      await (await scene.server.api('checker')).buy(2)
      await changeEvent(await scene.server.api('admin'), { totalTickets: 2 })
      await openDashboard(scene.page)
      await scene.page.getByRole('button', { name: 'Wait for Tickets' }).click()
      await scene.page.getByText('You are first in line.').waitFor()
    },
  },
  'guest is offered returned tickets': {
    open: async (scene) => {
      const checker = await scene.server.api('checker')
      const [{ _id: id }] = await checker.buy(2)
      await changeEvent(await scene.server.api('admin'), { totalTickets: 2 })
      await (await scene.server.api('guest')).call('joinWaiting', { body: { quantity: 1 } })
      await checker.call('cancelTicket', { params: { id }, body: { reason: 'Away' } })
      await openDashboard(scene.page)
      await scene.page.getByText(/held for you until/).waitFor()
    },
  },
  'guest is offered tickets to pay for': {
    paid: true,
    open: async (scene) => {
      const { server, page } = scene
      const checker = await server.api('checker')
      server.double.pay(linkOf(server, await placed(checker, 2)).id)
      const tickets = () => server.rows<{ id: string }>('select id from tickets')
      await expect.poll(tickets).toHaveLength(2)
      await changeEvent(await server.api('admin'), { totalTickets: 2 })
      await (await server.api('guest')).call('joinWaiting', { body: { quantity: 1 } })
      await checker.call('cancelTicket', { params: { id: tickets()[0]?.id ?? '' }, body: { reason: 'Away' } })
      await openDashboard(page)
      await page.getByText(/held for you until/).waitFor()
    },
  },
  'guest with an open row': {
    whole: true,
    open: async (scene) => {
      await guestWith(scene, 3)
      await (await inMenu(scene.page, ticketCards(scene.page).nth(1), 'Details')).click()
    },
  },
  'guest with an open menu': {
    open: async (scene) => {
      await guestWith(scene, 3)
      await inMenu(scene.page, ticketCards(scene.page).first(), 'Cancel')
    },
  },
  'guest has bought one': { open: (scene) => bought(scene, 1) },
  'guest cancelling': {
    open: async (scene) => (await cancelling(scene, 30)).getByRole('textbox').fill('Somebody in the family is ill.'),
  },
  'guest cancelling, second step': {
    open: async (scene) => {
      const dialog = await cancelling(scene, 30)
      await dialog.getByRole('textbox').fill('Somebody in the family is ill.')
      await dialog.getByRole('checkbox').check()
      await dialog.getByRole('button', { name: 'Continue Cancellation' }).click()
    },
  },
  'guest cancelling too late': { open: (scene) => cancelling(scene, 5) },
  'guest naming a ticket': {
    open: async (scene) => {
      await guestWith(scene, 1)
      await (await inMenu(scene.page, ticketCards(scene.page), 'Name on ticket')).click()
      await scene.page.getByRole('dialog').waitFor()
    },
  },
  'guest changing the name': {
    open: async ({ page }) => {
      await openDashboard(page)
      await openLine(page, 'Your details')
      await page.getByRole('button', { name: 'Change name' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'guest ticket details': {
    open: async (scene) => {
      await guestWith(scene, 1)
      await (await inMenu(scene.page, ticketCards(scene.page), 'Details')).click()
      await scene.page.getByRole('article').scrollIntoViewIfNeeded()
    },
    whole: true,
  },
  'guest confirming offline': {
    open: async ({ page, context }) => {
      await openDashboard(page)
      await order(page, 2)
      await context.setOffline(true)
      await page.getByRole('dialog').getByText('offline').waitFor()
    },
  },
  'guest in Gujarati': { open: (scene) => inLanguage(scene, 'gu'), whole: true },
  'guest in Hindi': { open: (scene) => inLanguage(scene, 'hi'), whole: true },
  'guest buying in Gujarati': {
    open: async (scene) => {
      await inLanguage(scene, 'gu')
      await scene.page.getByRole('button', { name: 'વધુ ટિકિટ ખરીદો' }).click()
      await scene.page.getByRole('dialog').waitFor()
    },
  },
  'guest cancelling in Hindi': {
    open: async (scene) => {
      await inLanguage(scene, 'hi')
      await ticketCards(scene.page).first().getByRole('button').last().click()
      await scene.page.getByRole('menuitem', { name: 'रद्द करें', exact: true }).click()
      await scene.page.getByRole('dialog').waitFor()
    },
  },
  'guest with past tickets': {
    whole: true,
    open: async (scene) => {
      await (await scene.server.api('guest')).buy(2)
      await closeEvent(scene.server)
      await restoreSession(scene.page, 'guest')
      await scene.page.goto(GUEST)
      await scene.page.getByRole('heading', { name: 'Past (2)' }).waitFor()
    },
  },
  'guest on the evening': {
    open: async (scene) => {
      await changeEvent(await scene.server.api('admin'), {
        date: dayAhead(0),
        startTime: '18:30',
        endTime: '03:00',
        endsNextDay: true,
      })
      await guestWith(scene, 2)
    },
  },
  'guest entry pass of a group': {
    open: async (scene) => {
      const guest = await scene.server.api('guest')
      for (const [index, { id }] of (await guest.buy<number>(8)).entries())
        await guest.call('nameTicket', { params: { id }, body: { name: `${NAMES[index % NAMES.length]} ${index}` } })
      await openDashboard(scene.page)
      await scene.page.goto(`${GUEST}/gate/all`)
      await scene.page.getByRole('img', { name: 'QR code of 8 tickets' }).waitFor()
    },
  },
  'guest entry pass stamped': {
    open: async (scene) => {
      const [ticket] = await (await scene.server.api('guest')).buy(1)
      await openDashboard(scene.page)
      await scene.page.goto(`${GUEST}/gate`)
      await scene.page
        .getByRole('dialog')
        .getByRole('img', { name: /QR code of ticket/ })
        .waitFor()
      await (await scene.server.api('checker')).call('markUsed', { body: { qrCode: ticket.qrCode } })
      await scene.page.getByRole('dialog').getByText('Entry Completed').waitFor()
    },
  },
  'guest on an iPhone has bought one in Hindi': {
    whole: true,
    language: 'hi',
    open: async (scene) => {
      await inBrowser(scene.page, 'iPhone AppleWebKit Version/17.6 Mobile Safari/604.1')
      await bought(scene, 1)
    },
  },
  'guest entry pass without an answer': {
    open: async ({ page }) => {
      await restoreSession(page, 'guest')
      await failing(page)
      await page.goto(`${GUEST}/gate`)
      await page.getByRole('dialog').getByText('Error Loading Tickets').waitFor()
    },
  },
  'guest entry pass': {
    open: async (scene) => {
      await guestWith(scene, 2)
      await scene.page.goto(`${GUEST}/gate`)
      await scene.page.getByRole('dialog').locator('svg[role=img]').first().waitFor()
    },
  },
}

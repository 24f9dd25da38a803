import { changeEvent } from '../support/event.ts'
import { GUEST, openDashboard, order } from '../support/guest.ts'
import { linkOf, placed } from '../support/paying.ts'
import { restoreSession } from '../support/session.ts'
import type { Scene, Shot } from './scene.ts'

const UPI = { UPI_ID: 'navratri.mahotsav.samiti@oksbi', UPI_NAME: 'Navratri Mahotsav Samiti' }
const LONG_NAME = 'Shree Navratri Sarvajanik Garba Mahotsav 2025 of Ahmedabad'

interface Placing {
  quantity?: number
  provider?: 'demo' | 'upi'
  language?: 'gu'
}

/** The guest's order, opened on its page. */
async function opened(scene: Scene, { quantity = 2, provider = 'demo', language }: Placing = {}): Promise<string> {
  await changeEvent(await scene.server.api('admin'), { name: LONG_NAME })
  const code = await placed(await scene.server.api('guest'), quantity, provider)
  await restoreSession(scene.page, 'guest')
  await scene.page.goto(`/orders/${code}`)
  if (language) await scene.page.getByRole('banner').getByRole('combobox').selectOption(language)
  await scene.page.getByRole('heading', { level: 1, name: code }).waitFor()
  return code
}

async function paid(scene: Scene, placing?: Placing): Promise<string> {
  const code = await opened(scene, placing)
  scene.server.double.pay(linkOf(scene.server, code).id)
  await scene.page.getByRole('article').first().waitFor()
  return code
}

async function chosen(scene: Scene, provider: string) {
  await openDashboard(scene.page)
  const dialog = await order(scene.page, 4)
  await dialog.getByRole('radio', { name: provider }).check()
}

export const ORDERS: Record<string, Shot> = {
  'order payment choice': {
    paid: true,
    env: { ...UPI, PAYMENTS: 'demo,upi' },
    open: (scene) => chosen(scene, 'Pay by UPI yourself: tickets after the organiser has checked'),
  },
  'order held': { paid: true, whole: true, open: (scene) => opened(scene) },
  'order held in Gujarati': { paid: true, whole: true, open: (scene) => opened(scene, { language: 'gu' }) },
  'order by upi': {
    paid: true,
    whole: true,
    env: { ...UPI, PAYMENTS: 'demo,upi' },
    open: (scene) => opened(scene, { provider: 'upi' }),
  },
  'order by upi given in Gujarati': {
    paid: true,
    whole: true,
    env: { ...UPI, PAYMENTS: 'demo,upi' },
    open: async (scene) => {
      const code = await opened(scene, { provider: 'upi', language: 'gu' })
      await (await scene.server.api('guest')).call('giveUtr', { params: { code }, body: { utr: '123456789012' } })
      await scene.page.getByText('123456789012').waitFor()
    },
  },
  'order paid': { paid: true, whole: true, open: (scene) => paid(scene) },
  'order paid in Gujarati': { paid: true, whole: true, open: (scene) => paid(scene, { language: 'gu', quantity: 1 }) },
  'order with a refund': {
    paid: true,
    whole: true,
    open: async (scene) => {
      await paid(scene, { quantity: 1 })
      const guest = await scene.server.api('guest')
      const { body } = await guest.call('myTickets')
      const [ticket] = (body as { tickets: { id: string }[] }).tickets
      await guest.call('cancelTicket', { params: { id: ticket?.id ?? '' }, body: { reason: 'Away that night' } })
      await scene.page.reload()
      await scene.page.getByRole('heading', { name: 'Refunds' }).waitFor()
    },
  },
  'order cancelled': {
    paid: true,
    whole: true,
    open: async (scene) => {
      const code = await opened(scene)
      await (await scene.server.api('guest')).call('cancelOrder', { params: { code } })
      await scene.page.getByText('This order was cancelled.').waitFor()
    },
  },
  'order waiting at home': {
    paid: true,
    whole: true,
    open: async (scene) => {
      await opened(scene)
      await scene.page.goto(GUEST)
      await scene.page.getByText('You have an order waiting').waitFor()
    },
  },
  'order waiting in the dialog in Gujarati': {
    paid: true,
    open: async (scene) => {
      await opened(scene, { language: 'gu' })
      await scene.page.goto(GUEST)
      await scene.page.getByRole('button', { name: 'ટિકિટ ખરીદો' }).first().click()
      await scene.page.getByRole('dialog').waitFor()
    },
  },
  'orders of a guest': {
    paid: true,
    whole: true,
    open: async (scene) => {
      const code = await paid(scene)
      await placed(await scene.server.api('guest'), 12)
      await scene.page.goto(`${GUEST}/orders`)
      await scene.page.getByText(code).waitFor()
    },
  },
  'orders none': {
    paid: true,
    open: async (scene) => {
      await restoreSession(scene.page, 'guest')
      await scene.page.goto(`${GUEST}/orders`)
      await scene.page.getByText('No orders yet').waitFor()
    },
  },
  'home at the counter': { env: { PAYMENTS: 'desk' }, whole: true, open: ({ page }) => openDashboard(page) },
}

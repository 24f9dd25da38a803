import { orderPage } from '@garba/shared/contracts/site/pages'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { changeEvent } from '../support/event.ts'
import { buyButton, openDashboard } from '../support/guest.ts'
import { goTo, type Scene, type Shot } from './scene.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const one = (price: number, groupPrice = price) => ({ price, groupPrice })

/** Each state, and names as long as an organiser writes them. */
const TYPES = [
  {
    name: { en: 'General', gu: 'સામાન્ય' },
    phases: [{ ...one(349, 299), until: inDays(3), sold: 38 }, one(499, 449)],
  },
  {
    name: {
      en: 'Couple with dinner at the riverside hall',
      gu: 'રિવરફ્રન્ટ હૉલમાં ભોજન સાથે યુગલ પાસ',
    },
    note: 'Dinner from 7:30 PM, one thali for each person',
    admits: 2,
    seats: 12,
    phases: [one(1_999)],
  },
  { name: { en: 'VIP', gu: 'વીઆઈપી' }, note: 'Front rows', from: inDays(2), phases: [one(2_500)] },
  { name: { en: 'Season pass', gu: 'સીઝન પાસ' }, paused: true, phases: [one(3_000)] },
  { name: { en: 'Student', gu: 'વિદ્યાર્થી' }, note: 'Bring the id card', hidden: true, phases: [one(199)] },
]

async function withTypes({ server }: Scene): Promise<void> {
  const admin = await server.api('admin')
  await changeEvent(admin, { types: TYPES })
  await admin.call('makePromoCode', { body: { code: 'CAMPUS', kind: 'access' } })
}

/** Sells the guest so many of each type that is on sale, the hidden one by its code. */
async function sold(scene: Scene, counts: readonly number[]): Promise<string[]> {
  await withTypes(scene)
  const guest = await scene.server.api('guest')
  const { body } = await guest.call('event', { query: { code: 'campus' } })
  const offers = (body.data as { types: TicketTypeOffer[] }).types.filter(({ state }) => state === 'onSale')
  const lines = offers.flatMap(({ id }, at) => (counts[at] ? [{ type: id, quantity: counts[at] }] : []))
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const { body: bought } = await guest.call('buyTickets', { body: { lines, code: 'campus' }, headers })
  return (bought.tickets as { _id: string }[]).map(({ _id }) => _id)
}

async function home(scene: Scene, counts: readonly number[]) {
  await sold(scene, counts)
  await openDashboard(scene.page)
}

const both = (name: string, shot: Shot): Record<string, Shot> => ({
  [name]: shot,
  [`${name} in Gujarati`]: { ...shot, language: 'gu' },
})

export const HELD_TYPE_SHOTS: Record<string, Shot> = {
  ...both('types landing', {
    whole: true,
    open: async (scene) => {
      await withTypes(scene)
      await goTo(scene, '/')
    },
  }),
  ...both('types buying', {
    open: async (scene) => {
      await withTypes(scene)
      await openDashboard(scene.page)
      await buyButton(scene.page).click()
      await scene.page.getByRole('dialog').waitFor()
    },
  }),
  ...both('types at home without tickets', {
    whole: true,
    open: async (scene) => {
      await withTypes(scene)
      await openDashboard(scene.page)
    },
  }),
  'types code for the only type': {
    open: async ({ page, server }) => {
      await (await server.api('admin')).call('makePromoCode', { body: { code: 'GARBA20', kind: 'percent', value: 20 } })
      await openDashboard(page)
      await buyButton(page).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  ...both('types home', { whole: true, open: (scene) => home(scene, [2, 1, 1]) }),
  ...both('types one ticket', { whole: true, open: (scene) => home(scene, [0, 0, 1]) }),
  ...both('types one couple', { whole: true, open: (scene) => home(scene, [0, 1, 0]) }),
  ...both('types pass', {
    open: async (scene) => {
      await home(scene, [0, 1, 0])
      await scene.page
        .getByRole('link', { name: /^Show at gate,/ })
        .first()
        .click()
      await scene.page.getByRole('dialog').waitFor()
    },
  }),
  'types pass of a group': {
    open: async (scene) => {
      await home(scene, [2, 2, 1])
      await scene.page.getByRole('link', { name: 'Show at gate' }).first().click()
      await scene.page.getByRole('dialog').waitFor()
    },
  },
  ...both('types order', {
    whole: true,
    open: async (scene) => {
      await home(scene, [2, 1, 1])
      const [order] = scene.server.rows('select code from orders') as { code: string }[]
      await goTo(scene, orderPage(order?.code ?? ''))
      await scene.page.getByRole('region', { name: 'Receipt' }).waitFor()
    },
  }),
  ...both('types wallet', {
    whole: true,
    open: async (scene) => {
      const ticketIds = await sold(scene, [1, 1, 1])
      const guest = await scene.server.api('guest')
      const made = await guest.call('makeLink', { body: { ticketIds, purpose: 'share' } })
      const { url } = made.body.link as { url: string }
      await scene.page.goto(url.slice(url.indexOf('/dashboard')))
      await scene.page
        .getByRole('button', { name: /Show the code$/ })
        .first()
        .waitFor()
    },
  }),
}

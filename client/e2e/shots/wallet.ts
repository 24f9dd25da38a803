import type { TicketLink } from '@garba/shared/contracts/link'
import { inMenu, openDashboard, ticketCards } from '../support/guest.ts'
import { eachState, inBrowser, NAMES, type Scene, type Shot } from './scene.ts'

/** Opens a link to new tickets of a guest, as on a phone that never signs in. */
async function opened({ page, server }: Scene, quantity: number, { states = false, ended = false } = {}) {
  const guest = await server.api('guest')
  const tickets = await guest.buy(quantity)
  for (const [i, name] of NAMES.entries())
    if (tickets[i]) await guest.call('nameTicket', { params: { id: tickets[i].id }, body: { name } })
  const made = await guest.call('makeLink', { body: { ticketIds: tickets.map(({ _id }) => _id), purpose: 'share' } })
  const link = made.body.link as TicketLink & { url: string }
  if (states) await eachState(server, tickets)
  if (ended) await guest.call('endLink', { params: { id: link.id } })
  await page.goto(link.url.slice(link.url.indexOf('/dashboard')))
}

async function ownersMenu({ page, server }: Scene, entry: 'Send to a friend' | 'New code') {
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await (await inMenu(page, ticketCards(page), entry)).click()
  await page.getByRole('dialog').waitFor()
}

/** Opens a seller's offer of two tickets whose buyer has no account. */
async function offered({ page, server }: Scene) {
  const admin = await server.api('admin')
  const { body } = await admin.call('sellAtDesk', {
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: { quantity: 2, method: 'complimentary', name: NAMES[1], reason: 'Guests of the committee' },
  })
  const ticketIds = (body.tickets as { _id: string }[]).map(({ _id }) => _id)
  const made = await admin.call('makeLink', { body: { ticketIds, purpose: 'offer' } })
  const { url } = made.body.link as { url: string }
  await page.goto(url.slice(url.indexOf('/dashboard')))
  await page.getByRole('button', { name: 'Sign in and keep' }).waitFor()
}

const shown = (page: Scene['page']) =>
  page
    .getByRole('button', { name: /Show the code$/ })
    .first()
    .waitFor()

export const WALLET: Record<string, Shot> = {
  'wallet with one ticket': {
    whole: true,
    open: async (scene) => {
      await opened(scene, 1)
      await shown(scene.page)
    },
  },
  'wallet with several tickets': {
    whole: true,
    open: async (scene) => {
      await opened(scene, 4, { states: true })
      await shown(scene.page)
    },
  },
  'wallet in large text': {
    whole: true,
    text: 200,
    open: async (scene) => {
      await opened(scene, 2)
      await shown(scene.page)
    },
  },
  'wallet with a link that ended': {
    open: async (scene) => {
      await opened(scene, 1, { ended: true })
      await scene.page.getByText(/link/i).first().waitFor()
    },
  },
  'wallet in Instagram in Gujarati': {
    whole: true,
    language: 'gu',
    open: async (scene) => {
      await inBrowser(scene.page, 'Android; wv) Instagram')
      await opened(scene, 1)
      await shown(scene.page)
    },
  },
  'wallet asking before it removes': {
    open: async (scene) => {
      await opened(scene, 1)
      await scene.page.getByRole('button', { name: /^Remove from this device/ }).click()
      await scene.page.getByRole('alertdialog').waitFor()
    },
  },
  'wallet with an offer': { whole: true, open: offered },
  'wallet without tickets': {
    open: async ({ page }) => {
      await page.goto('/dashboard/guest/wallet')
      await page.getByText('No tickets from a link').waitFor()
    },
  },
  'wallet code of a ticket': {
    open: async (scene) => {
      await opened(scene, 1)
      await scene.page.getByRole('button', { name: /Show the code$/ }).click()
      await scene.page.getByRole('img', { name: /^QR code of ticket/ }).waitFor()
    },
  },
  'wallet owner sends to a friend': { open: (scene) => ownersMenu(scene, 'Send to a friend') },
  'wallet owner asks for a new code': { open: (scene) => ownersMenu(scene, 'New code') },
}

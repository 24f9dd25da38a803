import { spoil } from '../support/deskMoney.ts'
import { cutBefore, EVERYTHING, makeReadOnly } from '../support/faults.ts'
import { Gate } from '../support/gate.ts'
import { openDashboard, order, ticketCards } from '../support/guest.ts'
import { goBack, keepCopy } from '../support/restore.ts'
import { putRows, queued } from '../support/scannerStore.ts'
import { goTo, holdClock, LONG, NAMES, type Scene, type Shot, visit } from './scene.ts'

const LOST = '/dashboard/admin/tickets/lost'
const UPI = { PAYMENTS: 'upi,desk', UPI_ID: 'navratri.mahotsav.samiti@oksbi', UPI_NAME: 'Navratri Mahotsav Samiti' }

interface Ticket {
  _id: string
  qrCode: string
}

/** The server has lost these people's tickets, and their phones have offered them. */
async function lost(scene: Scene, { people, each = 1 }: { people: number; each?: number }) {
  const { server } = scene
  const owners = []
  for (let at = 0; at < people; at++) {
    const name = NAMES[at % 2] ?? ''
    const guest = await server.apiAs({ uid: `${at}`, email: `${at}.${LONG.email}`, name })
    owners.push({ guest, codes: (await bought(scene, guest, { name, quantity: each })).map(({ qrCode }) => qrCode) })
  }
  for (const table of ['jobs', 'tickets', 'payments', 'orders']) spoil(server, `delete from ${table}`)
  spoil(server, 'update events set taken_seats = 0')
  for (const { guest, codes } of owners) await guest.call('offerLost', { body: { codes } })
}

type Api = Awaited<ReturnType<Scene['server']['apiAs']>>

/** Where tickets are paid for, the desk sells them. */
async function bought({ server }: Scene, guest: Api, { name, quantity }: { name: string; quantity: number }) {
  const { body: event } = await guest.call('config')
  if (!JSON.stringify(event).includes('"desk":true')) return guest.buy<number>(quantity)
  const admin = await server.api('admin')
  await admin.call('openCashSession', { body: { float: 0 } })
  const { body } = await admin.call('sellAtDesk', {
    body: { quantity, method: 'cash', name },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  return body.tickets as Ticket[]
}

/** The list of lost tickets; some are decided. */
async function listed(scene: Scene, count: Parameters<typeof lost>[1]) {
  await lost(scene, count)
  await goTo(scene, LOST, 'admin')
  await scene.page
    .getByRole('button', { name: /^Confirm ticket/ })
    .first()
    .waitFor()
}

async function asked(scene: Scene, what: 'Confirm' | 'Refuse') {
  await listed(scene, { people: 2, each: 2 })
  await scene.page
    .getByRole('button', { name: new RegExp(`^${what} ticket`) })
    .nth(2)
    .click()
  await scene.page.getByRole('dialog').waitFor()
}

/** A guest's wallet with a ticket that the server has, and some that it lost: one is refused, one of them with a note. */
async function wallet(scene: Scene, language?: 'gu' | 'hi') {
  const { page, server } = scene
  const guest = await server.api('guest')
  await guest.buy(1)
  keepCopy(server)
  const tickets = await guest.buy<number>(3)
  for (const [at, ticket] of tickets.entries())
    await guest.call('nameTicket', { params: { id: ticket.id }, body: { name: NAMES[at % 2] } })
  await openDashboard(page)
  await ticketCards(page).nth(3).waitFor()
  await goBack(server)
  await page.reload()
  await page.getByText('Being checked', { exact: true }).first().waitFor()
  const desk = await server.api('admin')
  const { body } = await desk.call('lostTickets')
  const [first] = body.lost as { id: string }[]
  const note = 'This ticket went back on Friday, and the money was returned to your bank the same day.'
  await desk.call('refuseLost', { params: { id: first?.id ?? '' }, body: { note } })
  await page.reload()
  await page.getByText('Not accepted', { exact: true }).waitFor()
  if (language) await page.getByRole('banner').getByRole('combobox').selectOption(language)
  await page.locator('#tickets-lost').scrollIntoViewIfNeeded()
}

async function sendsAgain(scene: Scene): Promise<Gate> {
  const { page, server } = scene
  const tickets = await (await server.api('guest')).buy(3)
  const gate = await Gate.open(page)
  await cutBefore(page, EVERYTHING)
  await putRows(
    page,
    'outbox',
    tickets.map((ticket) => queued(ticket, { again: 1 })),
  )
  await putRows(page, 'meta', [{ key: 'resend', epoch: 0, total: 1_240 }])
  await page.reload()
  await gate.says('Sending this evening')
  return gate
}

export const RESTORED: Record<string, Shot> = {
  'lost tickets none': { open: visit(LOST, 'admin') },
  'lost tickets one': { open: (scene) => listed(scene, { people: 1 }) },
  'lost tickets many': {
    whole: true,
    open: async (scene) => {
      await lost(scene, { people: 7, each: 3 })
      const desk = await scene.server.api('admin')
      const { body } = await desk.call('lostTickets')
      const [one, other] = body.lost as { id: string }[]
      await desk.call('confirmLost', { params: { id: one?.id ?? '' }, body: {} })
      const note = 'It went back on Friday; the money was returned the same day.'
      await desk.call('refuseLost', { params: { id: other?.id ?? '' }, body: { note } })
      await goTo(scene, LOST, 'admin')
      await scene.page
        .getByRole('button', { name: /^Confirm ticket/ })
        .first()
        .waitFor()
    },
  },
  'lost tickets noticed': {
    open: async (scene) => {
      await lost(scene, { people: 2 })
      await goTo(scene, '/dashboard/admin/tickets', 'admin')
      await scene.page.getByText(/lost tickets? needs?/).waitFor()
    },
  },
  'lost ticket, confirm?': { open: (scene) => asked(scene, 'Confirm') },
  'lost ticket, confirm with payment?': { env: UPI, open: (scene) => asked(scene, 'Confirm') },
  'lost ticket, refuse?': { open: (scene) => asked(scene, 'Refuse') },
  'lost tickets of a guest': { whole: true, open: (scene) => wallet(scene) },
  'lost tickets of a guest in Gujarati': { whole: true, open: (scene) => wallet(scene, 'gu') },
  'lost tickets of a guest in Hindi': { whole: true, open: (scene) => wallet(scene, 'hi') },
  'scanner sends the evening again': { open: sendsAgain },
  'read-only desk': {
    whole: true,
    open: async (scene) => {
      await goTo(scene, '/dashboard/admin', 'admin')
      await makeReadOnly(scene.page)
      await scene.page.reload()
      await scene.page.getByText('Nothing can be done here while this server is read-only.').waitFor()
    },
  },
  'read-only desk, selling': {
    env: { PAYMENTS: 'desk' },
    open: async (scene) => {
      await scene.page.clock.install()
      await goTo(scene, '/dashboard/admin/orders/sell', 'admin')
      await scene.page.getByLabel('Cash you start with (₹)').waitFor()
      await makeReadOnly(scene.page)
      await scene.page.getByLabel('Cash you start with (₹)').fill('500')
      await scene.page.getByRole('button', { name: 'Open cash session' }).click()
      await scene.page.locator('[data-sonner-toast]').waitFor()
      await holdClock(scene.page)
    },
  },
  'read-only guest': {
    open: async (scene) => {
      await openDashboard(scene.page)
      const dialog = await order(scene.page, 2)
      await makeReadOnly(scene.page)
      await dialog.getByRole('button', { name: /^Get|^Buy|^Pay|^Confirm/ }).click()
      await dialog.getByRole('alert').first().waitFor()
    },
  },
  'read-only scanner': {
    open: async (scene) => {
      const [ticket] = await (await scene.server.api('guest')).buy(1)
      const gate = await Gate.open(scene.page)
      await gate.start()
      await makeReadOnly(scene.page)
      await gate.scan(ticket.qrCode)
    },
  },
}

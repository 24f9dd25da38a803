import { confirmUpi, leaveShort, must, orderByUpi, spoil, UPI_AND_DESK } from '../support/deskMoney.ts'
import { goTo, LONG, NAMES, type Scene, type Shot } from './scene.ts'

/** Paid, refunded in part, cancelled and waiting orders of people with long names. Resolves with the code of each. */
async function someOrders({ server }: Scene) {
  const order = (at: number, quantity: number, utr?: string) =>
    orderByUpi(server, {
      name: NAMES[at % 2] ?? '',
      email: `${at}.${LONG.email}`,
      quantity,
      ...(utr === undefined ? {} : { utr }),
    })
  const admin = await server.api('admin')
  const { code: refunded } = await order(0, 4)
  await confirmUpi(server, refunded, '412345678901')
  const { body } = await admin.call('deskOrder', { params: { code: refunded } })
  const [ticket] = (body.order as { tickets: { id: string }[] }).tickets
  await must(
    admin.call('refundOrder', {
      params: { code: refunded },
      body: { ticketIds: [ticket?.id], reason: 'They come with one person fewer than they had planned' },
      headers: { 'idempotency-key': crypto.randomUUID() },
    }),
  )
  const { code: paid } = await order(1, 2)
  await confirmUpi(server, paid, '412345678902')
  const { code: cancelled } = await order(2, 1)
  await must(admin.call('cancelDeskOrder', { params: { code: cancelled } }))
  const { code: held } = await order(3, 12, '412345678903')
  return { refunded, paid, cancelled, held }
}

/** A cash session that is closed with some money missing, and one that is open. */
async function someCash({ server }: Scene) {
  const admin = await server.api('admin')
  const { body } = await admin.call('openCashSession', { body: { float: 500 } })
  const { id } = body.session as { id: string }
  const note = 'A note of ten was torn, and nobody wanted it'
  await must(admin.call('closeCashSession', { params: { id }, body: { counted: 490, note } }))
  await must(admin.call('openCashSession', { body: { float: 2_000 } }))
}

const paying = (open: Shot['open'], more: Partial<Shot> = {}): Shot => ({ env: UPI_AND_DESK, open, ...more })

const orderThen = (which: 'refunded' | 'paid' | 'cancelled' | 'held', button?: string): Shot =>
  paying(
    async (scene) => {
      const codes = await someOrders(scene)
      await goTo(scene, `/dashboard/admin/orders/${codes[which]}`, 'admin')
      await scene.page.getByRole('heading', { name: 'History' }).waitFor()
      if (button === undefined) return
      await scene.page.getByRole('button', { name: button }).click()
      await scene.page.getByRole('dialog').or(scene.page.getByRole('alertdialog')).waitFor()
    },
    { whole: button === undefined },
  )

export const DESK_MONEY: Record<string, Shot> = {
  'desk orders with money': paying(async (scene) => {
    await someOrders(scene)
    await goTo(scene, '/dashboard/admin/orders', 'admin')
    await scene.page.getByText('1-4 of 4').waitFor()
  }),
  'desk order refunded in part': orderThen('refunded'),
  'desk order that waits': orderThen('held'),
  'desk order, refund': orderThen('paid', 'Refund'),
  'desk order, confirm payment': orderThen('held', 'Confirm payment'),
  'desk order, cancel?': orderThen('held', 'Cancel order'),
  'desk sell': paying(
    async (scene) => {
      await must((await scene.server.api('admin')).call('openCashSession', { body: { float: 500 } }))
      await goTo(scene, '/dashboard/admin/orders/sell', 'admin')
      await scene.page.getByText('Expected in the drawer').waitFor()
    },
    { whole: true },
  ),
  'desk sell, complimentary without a cash session': paying(async (scene) => {
    await goTo(scene, '/dashboard/admin/orders/sell', 'admin')
    await scene.page.getByRole('button', { name: 'Free' }).click()
    await scene.page.getByRole('textbox', { name: 'Float' }).waitFor()
  }),
  'desk sold': paying(async (scene) => {
    await goTo(scene, '/dashboard/admin/orders/sell', 'admin')
    await scene.page.getByRole('button', { name: 'Card' }).click()
    await scene.page.getByRole('textbox', { name: 'Tickets' }).fill('4')
    await scene.page.getByRole('textbox', { name: "Buyer's name" }).fill(NAMES[1] ?? '')
    await scene.page.getByRole('button', { name: /^Take/ }).click()
    await scene.page.getByRole('heading', { name: 'Ticket 1 of 4' }).waitFor()
  }),
  'desk money': paying(
    async (scene) => {
      const { held } = await someOrders(scene)
      await someCash(scene)
      spoil(scene.server, "update payments set amount_paise = 100 where utr = '412345678902'")
      leaveShort(scene.server, { code: held, detail: 'pay_QxN4bT7w2LkZ9c of plink_QxN4aJ0mB2rV5d, asked for 2,988' })
      await goTo(scene, '/dashboard/admin/money', 'admin')
      await scene.page.getByText('2 problems').or(scene.page.getByText('1 problem')).first().waitFor()
      await scene.page.getByRole('table', { name: 'Cash sessions' }).waitFor()
    },
    { whole: true },
  ),
  'desk money of a manager': paying(async (scene) => {
    await someOrders(scene)
    await goTo(scene, '/dashboard/manager/money', 'manager')
    await scene.page.getByRole('table', { name: 'Totals by day' }).waitFor()
  }),
  'desk money empty': paying(async (scene) => {
    await goTo(scene, '/dashboard/admin/money', 'admin')
    await scene.page.getByText('Nothing waits for you.').waitFor()
  }),
}

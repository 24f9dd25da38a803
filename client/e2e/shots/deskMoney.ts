import { confirmUpi, must, orderByUpi, UPI_AND_DESK } from '../support/deskMoney.ts'
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
}

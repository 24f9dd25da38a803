import { confirmUpi, leaveOpen, must, orderByUpi, spoil, UPI_AND_DESK } from '../support/deskMoney.ts'
import { linkOf, placed } from '../support/paying.ts'
import { goTo, LONG, LONG_NOTE, NAMES, type Scene, type Shot } from './scene.ts'

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

/** Credits that match, that do not, and one that was set aside. */
async function someCredits({ server }: Scene) {
  const admin = await server.api('admin')
  await orderByUpi(server, { name: NAMES[0] ?? '', utr: '412345678901' })
  const { code } = await orderByUpi(server, { name: NAMES[1] ?? '', quantity: 4 })
  const lines = [
    '08/08/2025,UPI/CR/412345678901/DHRUVIBEN RAMESHCHANDRA TRIVEDI/SBIN/garba.samiti,299.00',
    `08/08/2025,UPI/CR/412345678902/${code}/HDFC,996.00`,
    `07/08/2025,UPI/CR/412345678903/${code}/HDFC,99.60`,
    '06/08/2025,NEFT/CR/N215253399/NAVRATRI SARVAJANIK MAHOTSAV SAMITI OF AHMEDABAD/DONATION,"1,00,000.00"',
    '05/08/2025,IMPS/CR/521834006178/BY TRANSFER,"2,500.00"',
  ]
  const body = { csv: ['Date,Narration,Credit', ...lines].join('\n'), mapping: { date: 0, description: 1, amount: 2 } }
  const answer = await admin.call('importStatement', { body })
  const rent = (answer.body.lines as { id: string; amount: number }[]).find(({ amount }) => amount === 100_000)
  const aside = 'A donation for the lights, given by the committee of the neighbouring ground'
  await must(admin.call('setLineAside', { params: { id: rent?.id ?? '' }, body: { aside } }))
}

/** Orders paid through the provider, whose payouts show other sums, and money of nobody. */
async function somePayouts({ server }: Scene): Promise<void> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  for (const at of [0, 1, 2]) {
    const email = `${at}.${LONG.email}`
    const code = await placed(await server.apiAs({ uid: email, email, name: NAMES[at % 2] ?? '' }), 4)
    const { id } = server.double.pay(linkOf(server, code).id)
    // Asks the provider, which captures it here.
    await must((await server.api('admin')).call('deskOrder', { params: { code } }))
    if (at === 0) spoil(server, "update payments set captured_at = captured_at - 864000000 where state = 'captured'")
    else
      addSettlementLine(server, {
        id,
        kind: 'payment',
        settlement: 'setl_QyB3xV8kTn5Wm2',
        paise: 99_600 - at * 100,
        day: day(2),
      })
  }
  addSettlementLine(server, {
    id: 'pay_QzW8kLm2Vn4Xs6',
    kind: 'payment',
    settlement: 'setl_QyB3xV8kTn5Wm2',
    paise: 29_900,
    day: day(2),
  })
  addSettlementLine(server, {
    id: 'rfnd_QzX1pRt7Bq9Yd3',
    kind: 'refund',
    settlement: 'setl_QyA1wS6hRk3Uj9',
    paise: 25_900,
    day: day(3),
  })
}

interface SettlementLine {
  id: string
  kind: 'payment' | 'refund'
  settlement: string
  paise: number
  day: string
}
const addSettlementLine = (server: Scene['server'], { id, kind, settlement, paise, day }: SettlementLine) =>
  spoil(
    server,
    `insert into settlement_lines (id, provider, kind, settlement_id, day, amount_paise, fee_paise, stored_at)
     values (?, 'demo', ?, ?, ?, ?, ?, ?)`,
    id,
    kind,
    settlement,
    day,
    paise,
    kind === 'payment' ? Math.round(paise * 0.0236) : 0,
    Date.now(),
  )

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

async function sellFour(scene: Scene) {
  await goTo(scene, '/dashboard/admin/orders/sell', 'admin')
  await scene.page.getByRole('button', { name: 'Card' }).click()
  await scene.page.getByRole('textbox', { name: 'Tickets' }).fill('4')
  await scene.page.getByRole('textbox', { name: 'Buyer’s name' }).fill(NAMES[1] ?? '')
  await scene.page.getByRole('button', { name: /^Take/ }).click()
  await scene.page.getByRole('heading', { name: 'Ticket 1 of 4' }).waitFor()
}

/** A drawer with a sale and money paid back, and its dialog with a long note. */
async function counting(scene: Scene) {
  const admin = await scene.server.api('admin')
  await must(admin.call('openCashSession', { body: { float: 500 } }))
  const headers = () => ({ 'idempotency-key': crypto.randomUUID() })
  const sale = { quantity: 4, method: 'cash' as const, name: NAMES[1] ?? '' }
  const { body } = await admin.call('sellAtDesk', { body: sale, headers: headers() })
  const { code } = body.order as { code: string }
  const [ticket] = body.tickets as { id: string }[]
  const id = ticket?.id ?? ''
  const refund = { ticketIds: [id], reason: 'Ill' }
  await must(admin.call('refundOrder', { params: { code }, body: refund, headers: headers() }))
  await must(admin.call('refund', { params: { id }, body: { isRefundDone: true } }))
  await goTo(scene, '/dashboard/admin/orders/sell', 'admin')
  await scene.page.getByRole('button', { name: 'Count and close' }).click()
  await scene.page.getByLabel('Counted (₹)').fill('1240')
  await scene.page.getByLabel('Note (optional)').fill(LONG_NOTE)
}

export const DESK_MONEY: Record<string, Shot> = {
  'desk sell, closing cash': paying(counting),
  'desk sell, cash closed': paying(async (scene) => {
    await counting(scene)
    await scene.page.getByRole('button', { name: 'Close session' }).click()
    await scene.page.getByRole('button', { name: 'Done' }).waitFor()
  }),
  'desk orders with money': paying(async (scene) => {
    await someOrders(scene)
    await goTo(scene, '/dashboard/admin/orders', 'admin')
    await scene.page.getByText('4 orders').waitFor()
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
    await scene.page.getByRole('textbox', { name: 'Cash you start with' }).waitFor()
  }),
  'desk sale without an answer': paying(async (scene) => {
    await must((await scene.server.api('admin')).call('openCashSession', { body: { float: 500 } }))
    await goTo(scene, '/dashboard/admin/orders/sell', 'admin')
    await scene.page.getByRole('textbox', { name: 'Buyer’s name' }).fill(NAMES[1] ?? '')
    await scene.page.route('**/api/admin/orders', (route) =>
      route.fulfill({ status: 503, json: { success: false, code: 'UNAVAILABLE', message: 'Try again' } }),
    )
    await scene.page.getByRole('button', { name: /^Take/ }).click()
    await scene.page.getByText('The sale may have gone through').waitFor()
  }),
  'desk sold': paying(sellFour),
  'desk sold, offered to an account': paying(async (scene) => {
    await sellFour(scene)
    await scene.page.getByRole('button', { name: 'Take along' }).click()
    await scene.page.getByRole('button', { name: 'Offer to an account' }).click()
    await scene.page.getByRole('img', { name: 'QR code of an offer of the tickets' }).waitFor()
  }),
  'desk money': paying(
    async (scene) => {
      const { held } = await someOrders(scene)
      await someCash(scene)
      spoil(scene.server, "update payments set amount_paise = 100 where utr = '412345678902'")
      leaveOpen(scene.server, { code: held, detail: 'pay_QxN4bT7w2LkZ9c of plink_QxN4aJ0mB2rV5d, asked for 2,988' })
      await goTo(scene, '/dashboard/admin/money', 'admin')
      await scene.page.getByText('2 problems').or(scene.page.getByText('1 problem')).first().waitFor()
      await scene.page.getByRole('table', { name: 'Cash sessions' }).waitFor()
    },
    { whole: true },
  ),
  'desk statement': paying(
    async (scene) => {
      await someCredits(scene)
      await goTo(scene, '/dashboard/admin/money/statement', 'admin')
      await scene.page.getByText('1 line set aside').waitFor()
    },
    { whole: true },
  ),
  'desk statement, set aside': paying(async (scene) => {
    await someCredits(scene)
    await goTo(scene, '/dashboard/admin/money/statement', 'admin')
    await scene.page.getByRole('button', { name: 'Set aside the credit of ₹2,500' }).click()
    await scene.page.getByRole('dialog').waitFor()
  }),
  'desk payouts with differences': {
    paid: true,
    whole: true,
    open: async (scene) => {
      await somePayouts(scene)
      await goTo(scene, '/dashboard/admin/money/payouts', 'admin')
      await scene.page.getByRole('heading', { name: 'Differences' }).waitFor()
    },
  },
  'desk orders paid at the provider': {
    paid: true,
    open: async (scene) => {
      await somePayouts(scene)
      await goTo(scene, '/dashboard/admin/orders', 'admin')
      await scene.page.getByText('3 orders').waitFor()
    },
  },
  'desk order paid at the provider': {
    paid: true,
    whole: true,
    open: async (scene) => {
      await somePayouts(scene)
      await goTo(scene, '/dashboard/admin/orders', 'admin')
      await scene.page.getByRole('table').getByRole('link').first().click()
      await scene.page.getByRole('heading', { name: 'History' }).waitFor()
    },
  },
  'desk money of a manager': paying(async (scene) => {
    await someOrders(scene)
    await goTo(scene, '/dashboard/manager/money', 'manager')
    await scene.page.getByRole('table', { name: 'Totals by day' }).waitFor()
  }),
  'desk money, choosing days': paying(async (scene) => {
    await someOrders(scene)
    await goTo(scene, '/dashboard/admin/money?from=2025-10-01&to=2025-10-03', 'admin')
    await scene.page.getByRole('combobox', { name: 'Days' }).click()
    await scene.page.getByRole('option', { name: 'Choose days...' }).click()
    await scene.page.getByRole('dialog').waitFor()
  }),
  'desk money empty': paying(async (scene) => {
    await goTo(scene, '/dashboard/admin/money', 'admin')
    await scene.page.getByText('Nothing needs attention.').waitFor()
  }),
}

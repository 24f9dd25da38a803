import { randomUUID } from 'node:crypto'
import type { MoneyTotal } from '@garba/shared/contracts/money/cash'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { linkOf, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import type { Client, World } from '../../src/testing/world.ts'

type Row = Record<string, string>

async function rowsOf(client: Client, path: string): Promise<Row[]> {
  const response = await client.fetch('GET', `/api/admin/${path}`)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const rows = parse(await response.text(), { bom: true, columns: eachOnce, record_delimiter: '\r\n' })
  return rows as Row[]
}

/** Two columns of one name would be one for a program that reads the file by its headings. */
function eachOnce(headings: string[]): string[] {
  expect(headings).toEqual([...new Set(headings)])
  return headings
}

const KOLKATA = { settings: { EVENT_TIMEZONE: 'Asia/Kolkata' } }

/** Two tickets paid on 8 August, shortly before midnight in India; one is cancelled two days later, and its money goes back the day after. */
async function paidAndRefunded(): Promise<{ world: World; code: string }> {
  const world = await payingWorld(KOLKATA)
  world.clock.set('2025-08-08T18:00:00Z')
  const guest = await world.as('guest')
  const { code } = await ordered(guest, 2)
  world.clock.set('2025-08-08T18:10:00Z')
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  world.clock.set('2025-08-10T12:00:00Z')
  const later = await world.as('guest')
  const [ticket] = (await orderOf(later, code)).tickets
  await must(later.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: 'My mother is ill' }))
  return { world, code }
}
const totalsOf = async (world: World) =>
  (await must((await world.as('manager')).request('GET', '/api/admin/orders/totals'))).totals as MoneyTotal[]

testOnSqlite(
  'a payment counts on the day it came in, a refund on the day it went out, and until then it is not refunded',
  async () => {
    const { world } = await paidAndRefunded()
    const web = { channel: 'web', provider: 'razorpay' }
    const none = { orders: 0, captured: 0, refunded: 0, fees: 0, requested: 0 }
    const paid = { ...none, ...web, day: '2025-08-08', orders: 1, captured: 598, fees: expect.any(Number) }
    expect(await totalsOf(world)).toEqual([{ ...none, ...web, day: '2025-08-10', requested: 259 }, paid])
    world.clock.set('2025-08-11T12:00:00Z')
    await settleMoney(world)
    expect(await totalsOf(world)).toEqual([{ ...none, ...web, day: '2025-08-11', refunded: 259 }, paid])
    expect(await rowsOf(await world.as('manager'), 'orders/totals/export')).toMatchObject([
      { 'Day (Asia/Kolkata)': '2025-08-11', Received: '0', Refunded: '259', Remaining: '-259', 'Still to refund': '0' },
      { 'Day (Asia/Kolkata)': '2025-08-08', Orders: '1', Received: '598', Refunded: '0', Remaining: '598' },
    ])
  },
)

testOnSqlite(
  'orders.csv has its times in the event’s zone, when it was paid and refunded, fee, payment, drawer and reason',
  async () => {
    const { world, code } = await paidAndRefunded()
    const admin = await world.as('admin')
    await must(admin.request('POST', '/api/admin/cash-sessions', { float: 500 }))
    const sell = (sale: object) =>
      must(admin.request('POST', '/api/admin/orders', { quantity: 1, ...sale }, { 'Idempotency-Key': randomUUID() }))
    await sell({ method: 'cash', name: 'હેતલ વ્યાસ' })
    await sell({ method: 'complimentary', name: 'Zoë;=1+1', reason: 'For the band' })
    const before = (await rowsOf(admin, 'orders/export')).find((row) => row.Order === code)
    expect(before).toMatchObject({
      'Placed (Asia/Kolkata)': '2025-08-08 23:30:00',
      Paid: '2025-08-08 23:40:00',
      State: 'Refund due',
      Received: '598',
      Refunded: '0',
      'Still to refund': '259',
      'Refunded on': '',
      Drawer: '',
      Reason: 'My mother is ill',
    })
    expect(before?.['Payment ID']).toMatch(/^pay_/)
    expect(Number(before?.Fee)).toBeGreaterThan(0)
    world.clock.set('2025-08-10T19:00:00Z')
    await settleMoney(world)
    const desk = await world.as('admin')
    const [given, cash, online] = await rowsOf(desk, 'orders/export')
    expect(online).toMatchObject({
      State: 'Partly refunded',
      Refunded: '259',
      'Still to refund': '0',
      'Refunded on': '2025-08-11 00:30:00',
    })
    const [drawer] = await rowsOf(desk, 'cash-sessions/export')
    expect(drawer).toMatchObject({
      Person: 'Asha Admin',
      'Opened (Asia/Kolkata)': '2025-08-10 17:30:00',
      Closed: '',
      'Cash taken': '299',
    })
    expect(cash).toMatchObject({ Name: 'હેતલ વ્યાસ', Drawer: drawer?.Drawer, Paid: '2025-08-10 17:30:00', Fee: '' })
    expect(given).toMatchObject({ State: 'Issued', Name: "Zoë;'=1+1", Reason: 'For the band', Paid: '', Total: '0' })
  },
)

test('payouts and all lines of the bank’s statement are exported, however many there are', async () => {
  const world = await payingWorld(KOLKATA)
  const admin = await world.as('admin')
  const lines = Array.from({ length: 520 }, (_, i) => `08/08/2025,UPI/${412_345_000_000 + i}/મીરાં,${i + 1}`)
  const mapping = { date: 0, description: 1, amount: 2 }
  const csv = ['Date,Narration,Credit', ...lines].join('\n')
  const imported = await must(admin.request('POST', '/api/admin/statements', { csv, mapping }))
  const [first] = imported.lines as { id: string; amount: number }[]
  await must(admin.request('PATCH', `/api/admin/statements/${first?.id}`, { aside: 'Rent' }))
  const credits = await rowsOf(admin, 'statements/export')
  expect(credits).toHaveLength(520)
  expect(credits.find((row) => row.Credit === String(first?.amount))).toMatchObject({
    Day: '2025-08-08',
    Match: 'aside',
    'Set aside': 'Rent',
    'Set aside by': 'Asha Admin',
    Text: expect.stringContaining('મીરાં'),
  })
  for (let i = 0; i < 120; i += 1)
    await world.sql(
      `insert into settlement_lines (id, provider, kind, settlement_id, day, amount_paise, fee_paise, stored_at)
       values (?, 'razorpay', 'payment', ?, '2025-08-09', 29900, 706, 0)`,
      `pay_${i}`,
      `setl_${i}`,
    )
  const payouts = await rowsOf(admin, 'settlements/export')
  expect(payouts).toHaveLength(120)
  expect(payouts[0]).toMatchObject({ Day: '2025-08-09', Payments: '299', Fees: '7.06', 'Paid out': '291.94' })
})

test('every list of money and its export cover the requested days, in the event’s zone', async () => {
  const { world, code } = await paidAndRefunded()
  const admin = await world.as('admin')
  await must(admin.request('POST', '/api/admin/cash-sessions', { float: 500 }))
  const csv = 'Date,Narration,Credit\n09/08/2025,UPI/412345000001,100\n10/08/2025,UPI/412345000002,200'
  const mapping = { date: 0, description: 1, amount: 2 }
  await must(admin.request('POST', '/api/admin/statements', { csv, mapping }))
  await world.sql(
    `insert into settlement_lines (id, provider, kind, settlement_id, day, amount_paise, fee_paise, stored_at)
     values ('pay_x', 'razorpay', 'payment', 'setl_1', '2025-08-09', 29900, 706, 0)`,
  )
  await world.sql(
    `insert into attention (id, kind, dedupe_key, order_id, payment_id, amount_paise, detail, created_at)
     values ('01K00000000000000000000001', 'unknown', 'a', null, null, 12300, '=pay_9', ?)`,
    Date.parse('2025-08-08T18:29:00Z'),
  )
  const listed = async (path: string, key: string): Promise<unknown[]> =>
    (await must(admin.request('GET', `/api/admin/${path}`)))[key] as unknown[]
  // Placed at 23:30 in India, where that day ends 30 minutes later.
  for (const [path, key, file, day] of [
    ['orders', 'orders', 'orders/export', '2025-08-08'],
    ['cash-sessions', 'sessions', 'cash-sessions/export', '2025-08-10'],
    ['statements', 'lines', 'statements/export', '2025-08-09'],
    ['settlements', 'payouts', 'settlements/export', '2025-08-09'],
    ['settlements', 'differences', 'settlements/differences/export', '2025-08-09'],
  ] as const) {
    const next = `2025-08-${String(Number(day.slice(-2)) + 1).padStart(2, '0')}`
    const whole = await rowsOf(admin, file)
    for (const [days, count] of [
      [`from=${day}&to=${day}`, 1],
      [`to=2025-08-07`, 0],
      [`from=2025-08-11`, 0],
      [`from=&to=`, whole.length],
      [`from=0001-01-01&to=9999-12-31`, whole.length],
    ] as const) {
      expect(await listed(`${path}?${days}`, key), `${path} ${days}`).toHaveLength(count)
      expect(await rowsOf(admin, `${file}?${days}`), `${file} ${days}`).toHaveLength(count)
    }
    if (whole.length === 1) expect(await rowsOf(admin, `${file}?from=${next}`), `${file} from ${next}`).toEqual([])
  }
  expect(await rowsOf(admin, 'orders/totals/export?to=2025-08-08')).toMatchObject([
    { 'Day (Asia/Kolkata)': '2025-08-08' },
  ])
  expect(await rowsOf(admin, 'orders/totals/export?from=2025-08-09')).toMatchObject([
    { 'Day (Asia/Kolkata)': '2025-08-10' },
  ])
  expect(await rowsOf(admin, 'attention/export?to=2025-08-08')).toMatchObject([
    {
      What: expect.any(String),
      Amount: '123',
      Detail: "'=pay_9",
      Resolved: '',
      'Since (Asia/Kolkata)': '2025-08-08 23:59:00',
    },
  ])
  expect(await rowsOf(admin, 'attention/export?from=2025-08-09')).toEqual([])
  expect(code).toHaveLength(8)
  for (const bad of ['orders?from=2025-02-30', 'orders/totals?to=soon', 'settlements?from=1'])
    expect(await admin.request('GET', `/api/admin/${bad}`), bad).toMatchObject({ status: 400 })
})

testOnSqlite('totals give the fees of what came in, and what is left after refunds and fees', async () => {
  const { world, code } = await paidAndRefunded()
  world.clock.set('2025-08-11T12:00:00Z')
  await settleMoney(world)
  const admin = await world.as('admin')
  const { order } = await must(admin.request('GET', `/api/admin/orders/${code}`))
  const fee = (order as { payments: { fee: number }[] }).payments[0]?.fee ?? 0
  expect(fee).toBeGreaterThan(0)
  expect((await totalsOf(world)).map(({ fees }) => fees)).toEqual([0, fee])
  expect(await rowsOf(await world.as('manager'), 'orders/totals/export')).toMatchObject([
    { Fees: '0', Net: '-259' },
    { Fees: String(fee), Net: (598 - fee).toFixed(2) },
  ])
})

testOnSqlite('tickets.csv and audit.csv have one evening on one day, in the event’s zone', async () => {
  const { world } = await paidAndRefunded()
  const admin = await world.as('admin')
  const tickets = await rowsOf(admin, 'tickets/export')
  expect(tickets.find(({ Status }) => Status === 'cancelled')).toMatchObject({
    'Bought (Asia/Kolkata)': '2025-08-08 23:40:00',
    Cancelled: '2025-08-10 17:30:00',
    Entry: '',
  })
  const trail = await rowsOf(admin, 'audit/export')
  expect(trail.find((row) => row.Action === 'ticket.cancelled')).toMatchObject({
    'Time (Asia/Kolkata)': '2025-08-10 17:30:00',
  })
})

testOnSqlite('every export with times names the zone once', async () => {
  const world = await payingWorld(KOLKATA)
  const admin = await world.as('admin')
  const paths = ['tickets', 'audit', 'orders', 'orders/totals', 'cash-sessions', 'attention', 'statements']
  for (const path of paths) {
    const text = await (await admin.fetch('GET', `/api/admin/${path}/export`)).text()
    expect([path, text.split('Asia/Kolkata').length - 1]).toEqual([path, 1])
  }
})

/** Forms that LibreOffice 7.4 or Gnumeric 1.12 turned into a number or a day. */
const NUMERALS = ['012345678901', '9825012345', '+919825012345', '12345E67', '1e3', '98250.12345', '12,345', '8MAR2025']

testOnSqlite('nothing typed as text is a number for a spreadsheet, and a UTR keeps its zero', async () => {
  const world = await payingWorld(KOLKATA)
  const admin = await world.as('admin')
  await must(admin.request('POST', '/api/admin/cash-sessions', { float: 500 }))
  for (const name of NUMERALS) {
    const sale = { quantity: 1, method: 'cash', name, phone: '9825012345' }
    await must(admin.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
  }
  const upi = { quantity: 1, method: 'upi', name: 'Mina', reference: '012345678901' }
  await must(admin.request('POST', '/api/admin/orders', upi, { 'Idempotency-Key': randomUUID() }))
  const [sold, ...orders] = await rowsOf(admin, 'orders/export')
  expect(sold?.UTR).toBe('UTR 012345678901')
  expect(orders.map(({ Name }) => Name)).toEqual(NUMERALS.map((name) => `Name ${name}`).toReversed())
  expect(orders[0]).toMatchObject({ Phone: 'Phone 9825012345', Total: expect.stringMatching(/^\d+$/) })
})

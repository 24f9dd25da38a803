import type { StatementLine } from '@garba/shared/contracts/money/statement'
import type { Order } from '@garba/shared/contracts/order'
import { STATEMENT } from '@garba/shared/messages/money'
import { expect, test } from 'vitest'
import { moneyRound } from '../../src/flows/money/upkeep/keepMoney.ts'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { orderOf, payingWorld, place } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, World } from '../../src/testing/world.ts'

const MAPPING = { date: 0, description: 1, amount: 2 }
const csvOf = (...rows: [words: string, credit: string][]) =>
  ['Date,Narration,Credit', ...rows.map(([words, credit]) => `08/08/2025,${words},"${credit}"`)].join('\n')

async function upiOrder(world: World, name: string, { utr, quantity = 1 }: { utr?: string; quantity?: number } = {}) {
  const guest = await world.as('guest', person(name))
  const { code } = (await place(guest, { quantity, provider: 'upi' })).body.order as Order
  if (utr) await must(guest.request('POST', `/api/orders/${code}/utr`, { utr }))
  return { guest, code }
}
const importing = (admin: Client, csv: string) =>
  must(admin.request('POST', '/api/admin/statements', { csv, mapping: MAPPING }))
const linesOf = async (admin: Client) =>
  (await must(admin.request('GET', '/api/admin/statements'))).lines as StatementLine[]
const matchesOf = (lines: unknown) =>
  Object.fromEntries((lines as StatementLine[]).map(({ utr, match, order }) => [utr, [match, order?.code ?? null]]))
const idsOf = (lines: unknown) => (lines as StatementLine[]).map(({ id }) => id)
const confirming = (admin: Client, lines: string[]) =>
  must(admin.request('POST', '/api/admin/statements/confirm', { lines }))

testOnSqlite('credits are matched by UTR, then by code, and what does not match stays visible', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const radha = await upiOrder(world, 'Radha', { utr: '412345678901', quantity: 4 })
  const meera = await upiOrder(world, 'Meera')
  const kiran = await upiOrder(world, 'Kiran', { utr: '412345678903' })
  const csv = csvOf(
    ['UPI/412345678901/RADHA', '996.00'],
    [`UPI/412345678902/${meera.code.toLowerCase()} garba`, '299'],
    ['UPI/412345678903/KIRAN', '29.90'],
    ['UPI/412345678904/RENT', '1,00,000.00'],
  )
  expect(await must(admin.request('POST', '/api/admin/statements/columns', { csv }))).toMatchObject({
    columns: ['Date', 'Narration', 'Credit'],
    mapping: MAPPING,
  })
  const { lines, ...counts } = await importing(admin, csv)
  expect(counts).toEqual({ success: true, added: 4, known: 0, skipped: 0, skippedRows: [] })
  expect(matchesOf(lines)).toEqual({
    '412345678901': ['ready', radha.code],
    '412345678902': ['proposed', meera.code],
    '412345678903': ['differs', kiran.code],
    '412345678904': ['unmatched', null],
  })
  // Nothing is confirmed before the admin says so.
  expect(await orderOf(radha.guest, radha.code)).toMatchObject({ state: 'held', tickets: [] })
  const { confirmed, left, lines: after } = await confirming(admin, idsOf(lines))
  expect(confirmed).toBe(2)
  expect((left as { message: string }[]).map(({ message }) => message)).toEqual([
    STATEMENT.notReady,
    STATEMENT.notReady,
  ])
  expect(matchesOf(after)).toEqual({
    '412345678901': ['done', radha.code],
    '412345678902': ['done', meera.code],
    '412345678903': ['differs', kiran.code],
    '412345678904': ['unmatched', null],
  })
  expect((await orderOf(radha.guest, radha.code)).tickets).toHaveLength(4)
  expect((await orderOf(meera.guest, meera.code)).tickets).toHaveLength(1)
  expect(await must(admin.request('GET', '/api/admin/audit?action=order.confirmed'))).toMatchObject({
    rows: [{ detail: expect.stringContaining(STATEMENT.note) }, { detail: expect.stringContaining(STATEMENT.note) }],
  })
})

test('the same statement again adds nothing, and confirming again applies nothing twice', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await upiOrder(world, 'Radha', { utr: '412345678901' })
  const csv = csvOf(['UPI/412345678901/RADHA', '299'], ['CASH', '299'], ['CASH', '299'])
  expect(await importing(admin, csv)).toMatchObject({ added: 3, known: 0 })
  const ids = idsOf(await linesOf(admin))
  await Promise.all([confirming(admin, ids), confirming(admin, ids)])
  const again = await importing(admin, csv)
  expect(again).toMatchObject({ added: 0, known: 3 })
  // The credit that was confirmed before is no failure, so a lost answer can be asked for again.
  expect(await confirming(admin, idsOf(again.lines))).toMatchObject({ confirmed: 0, left: [{}, {}] })
  expect(await orderOf(guest, code)).toMatchObject({ state: 'paid', payments: [{ amount: 299 }], refunds: [] })
  expect((await orderOf(guest, code)).tickets).toHaveLength(1)
  const { rows } = await must(admin.request('GET', '/api/admin/audit?action=order.confirmed'))
  expect(rows).toHaveLength(1)
})

test('a credit that waits for the desk is listed, however many came since', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { code } = await upiOrder(world, 'Radha', { utr: '412345678901' })
  await importing(admin, csvOf(['UPI/412345678901/RADHA', '299'], ['RENT', '9000']))
  for (let at = 0; at < 500; at += 1)
    await world.sql(
      `insert into statement_lines (id, day, amount_paise, numbers, description, imported_at, imported_by_name)
       values (?, '2025-09-01', 100, '', 'Interest', 1, 'Asha Admin')`,
      `line-${at}`,
    )
  const lines = await linesOf(admin)
  expect(lines).toHaveLength(501)
  expect(lines.at(-1)).toMatchObject({ match: 'ready', order: { code } })
})

testOnSqlite('two transfers with the code of one order: the second is shown as one more', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { code } = await upiOrder(world, 'Radha')
  const { lines } = await importing(
    admin,
    csvOf([`UPI/412345678901/${code}`, '299'], [`UPI/412345678902/${code}`, '299']),
  )
  expect((lines as StatementLine[]).map(({ match }) => match)).toEqual(['proposed', 'proposed'])
  const { confirmed, lines: after } = await confirming(admin, idsOf(lines))
  expect(confirmed).toBe(1)
  expect((after as StatementLine[]).map(({ match }) => match).toSorted()).toEqual(['done', 'paid'])
  const { utr } = (after as StatementLine[]).find(({ match }) => match === 'paid') ?? {}
  for (let n = 0; n < 2; n += 1)
    await must(admin.request('POST', `/api/admin/orders/${code}/confirm`, { amount: 299, utr }))
  expect((await linesOf(admin)).map(({ match }) => match)).toEqual(['done', 'done'])
  expect((await must(admin.request('GET', '/api/admin/attention'))).attention).toMatchObject([
    { kind: 'payBack', order: code, amount: 299, detail: utr },
  ])
})

testOnSqlite('what the desk confirmed by hand is shown as confirmed, and a lapsed hold is still paid', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const radha = await upiOrder(world, 'Radha', { utr: '412345678901' })
  const meera = await upiOrder(world, 'Meera')
  await must(admin.request('POST', `/api/admin/orders/${radha.code}/confirm`, { amount: 299 }))
  world.clock.forward(20 * 60_000)
  await moneyRound(world.deps)
  expect(await orderOf(meera.guest, meera.code)).toMatchObject({ state: 'expired' })
  const { lines } = await importing(
    admin,
    csvOf(['UPI/412345678901', '299'], [`UPI/412345678902/${meera.code}`, '299']),
  )
  expect(matchesOf(lines)).toEqual({
    '412345678901': ['done', radha.code],
    '412345678902': ['proposed', meera.code],
  })
  expect(await confirming(admin, idsOf(lines))).toMatchObject({ confirmed: 1 })
  expect(await orderOf(meera.guest, meera.code)).toMatchObject({ state: 'paid' })
})

testOnSqlite('a file that holds no statement is refused at its field', async () => {
  const admin = await (await payingWorld()).as('admin')
  const refused = (body: unknown) => admin.request('POST', '/api/admin/statements', body)
  expect(await refused({ csv: 'a,b\n1,2', mapping: MAPPING })).toMatchObject({
    status: 400,
    body: { message: STATEMENT.noHeader, errors: [{ field: 'csv' }] },
  })
  expect(await refused({ csv: csvOf(['x', '1']), mapping: { date: 0, amount: 2 } })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'mapping.utr', message: STATEMENT.utrColumn }] },
  })
})

test('a credit that pays no order is set aside with a note and brought back, and comes back by itself for its order', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const radha = await upiOrder(world, 'Radha', { utr: '412345678901' })
  const { guest, code } = await upiOrder(world, 'Meera')
  const { lines } = await importing(
    admin,
    csvOf(['UPI/412345678901', '299'], ['UPI/412345678902', '299'], ['UPI/412345678904/RENT', '1,00,000']),
  )
  const idOf = (number: string) => (lines as StatementLine[]).find(({ utr }) => utr === number)?.id ?? ''
  const aside = async (id: string, note: string | null) =>
    admin.request('PATCH', `/api/admin/statements/${id}`, { aside: note })
  for (const number of ['412345678902', '412345678904', '412345678904'])
    await must(aside(idOf(number), 'Rent of the ground'))
  expect(await aside(idOf('412345678901'), 'Mine')).toMatchObject({ status: 409, body: { code: 'LINE_PAYS_ORDER' } })
  expect(await aside('nowhere', 'Mine')).toMatchObject({ status: 404, body: { code: 'LINE_NOT_FOUND' } })
  expect(await aside(idOf('412345678904'), ' ')).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'aside', message: STATEMENT.aside.noteMissing }] },
  })
  const now = await linesOf(admin)
  expect(matchesOf(now)).toEqual({
    '412345678901': ['ready', radha.code],
    '412345678902': ['aside', null],
    '412345678904': ['aside', null],
  })
  expect(now.find(({ id }) => id === idOf('412345678904'))?.aside).toMatchObject({
    note: 'Rent of the ground',
    by: 'Asha Admin',
  })
  // Lines set aside are not confirmed with the others, and stay aside when they are imported again.
  expect(await confirming(admin, idsOf(lines))).toMatchObject({ confirmed: 1 })
  await importing(admin, csvOf(['UPI/412345678904/RENT', '1,00,000']))
  expect(matchesOf((await must(aside(idOf('412345678904'), null))).lines)).toMatchObject({
    '412345678904': ['unmatched', null],
  })
  await must(guest.request('POST', `/api/orders/${code}/utr`, { utr: '412345678902' }))
  expect(matchesOf(await linesOf(admin))['412345678902']).toEqual(['ready', code])
  const { rows } = await must(admin.request('GET', '/api/admin/audit?search=Credit of'))
  expect((rows as { action: string }[]).map(({ action }) => action)).toEqual([
    'statement.broughtBack',
    'statement.setAside',
    'statement.setAside',
  ])
})

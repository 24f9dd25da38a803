import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { StatementLine } from '@garba/shared/contracts/money/statement'
import type { BooksLine, Order } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { orderOf, payingWorld, place } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, World } from '../../src/testing/world.ts'

type Row = readonly [words: string, credit?: string, day?: string]
const csvOf = (rows: readonly Row[]) =>
  [
    'Date,Narration,Credit',
    ...rows.map(([words, credit = '299', day = '08/08/2025']) => `${day},"${words}",${credit}`),
  ].join('\n')
const importing = (admin: Client, ...rows: Row[]) =>
  must(
    admin.request('POST', '/api/admin/statements', {
      csv: csvOf(rows),
      mapping: { date: 0, description: 1, amount: 2 },
    }),
  )
const linesOf = async (admin: Client) =>
  (await must(admin.request('GET', '/api/admin/statements'))).lines as StatementLine[]
const booksOf = async (admin: Client) => (await must(admin.request('GET', '/api/admin/books'))).books as BooksLine[]
const stored = (world: World) => world.sql('select * from statement_lines order by id')
const confirming = async (admin: Client) =>
  must(admin.request('POST', '/api/admin/statements/confirm', { lines: (await linesOf(admin)).map(({ id }) => id) }))
const claim = (guest: Client, code: string, utr: string) => guest.request('POST', `/api/orders/${code}/utr`, { utr })
async function upiOrder(world: World, name: string, quantity = 1) {
  const guest = await world.as('guest', person(name))
  return { guest, code: ((await place(guest, { quantity, provider: 'upi' })).body.order as Order).code }
}

/** One credit as the forms of several banks and apps print it. */
const FORMS: Readonly<Record<string, (rrn: string, code: string) => string>> = {
  sbiOld: (rrn, code) => `BY TRANSFER-UPI/CR/${rrn}/RADHA PA/HDFC/radha@ok/${code.slice(0, 5)}--`,
  sbiNew: (rrn, code) =>
    `DEP TFR UPI/CR/${rrn}/RADHA PA/HDFC/radha@ok/${code.slice(0, 4)} 0097732162091 AT 01234 SURAT`,
  hdfc: (rrn, code) => `UPI-RADHA PATEL-RADHA@OKHDFC-HDFC0001234-${rrn}-${code}`,
  iciciOld: (rrn, code) => `UPI/${rrn}/${code}/radha@okhdfc/HDFC BANK/HDF7a1`,
  iciciNew: (rrn, code) => `UPI/RADHA PATE/919825012345@wa/${code}/HDFC BANK/${rrn}/HDF7a1b`,
  kotak: (rrn, code) => `UPI/RADHA PATEL/${rrn}/${code}`,
  axis: (rrn, code) => `UPI/P2A/${rrn}/RADHA PAT/HDFC BANK/${code}`,
  canara: (rrn, code) => `UPI/CR/${rrn}/RADHA/HDFC/**adha@okhdfc/${code}/HDF1/08/08/2025 12:01:01`,
  union: (rrn) => `UPIAB/${rrn}/CR/RADHA/HDFC/radha@okhdfc`,
  idfc: (rrn, code) => `UPI/MOB/${rrn}/${code}`,
}
const form = fc.constantFrom(...Object.keys(FORMS))
const rrn = fc.stringMatching(/^6[0-9]{11}$/)

test('a credit imported in any two of its forms, in any order and with another day, is one credit', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await fc.assert(
    fc.asyncProperty(form, form, rrn, fc.boolean(), async (one, other, number, isLater) => {
      await world.sql('delete from statement_lines')
      const narrations = [one, other].map((name) => FORMS[name]?.(number, 'VC72VPEB') ?? '')
      await importing(admin, [narrations[0] ?? ''])
      expect(await importing(admin, [narrations[1] ?? '', '299', isLater ? '09/08/2025' : '08/08/2025'])).toMatchObject(
        {
          added: 0,
          known: 1,
        },
      )
      const lines = await linesOf(admin)
      expect(lines).toMatchObject([{ utr: number, day: '2025-08-08' }])
      expect(lines[0]?.text.includes('VC72VPEB')).toBe(narrations.some((text) => text.includes('VC72VPEB')))
      const before = await stored(world)
      for (const text of narrations) await importing(admin, [text])
      expect(await stored(world)).toEqual(before)
    }),
    { numRuns: 40 },
  )
})

test('a line known with fewer words and no number takes what a better form brings, and gives nothing away to a worse one', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await fc.assert(
    fc.asyncProperty(form, fc.integer({ min: 3, max: 9 }), fc.boolean(), async (name, cut, isBetterFirst) => {
      await world.sql('delete from statement_lines')
      const whole = FORMS[name]?.('632910118785', 'VC72VPEB') ?? ''
      const forms: Row[] = [[whole.slice(0, cut)], [whole]]
      for (const row of isBetterFirst ? forms.toReversed() : forms) await importing(admin, row)
      expect(await linesOf(admin)).toMatchObject([{ utr: '632910118785', text: whole }])
    }),
    { numRuns: 30 },
  )
})

test('equal deposits without a number stay two, each takes one number, and importing again changes no row', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  expect(await importing(admin, ['CASH DEPOSIT'], ['CASH DEPOSIT'])).toMatchObject({ added: 2 })
  expect(await importing(admin, ['CASH DEPOSIT'], ['CASH DEPOSIT'])).toMatchObject({ added: 0, known: 2 })
  const numbered: Row[] = [
    ['UPI/CASH DEPOSIT/632910118785'],
    ['UPI/CASH DEPOSIT/632910126704'],
    ['UPI/CASH DEPOSIT/632910126705'],
  ]
  expect(await importing(admin, ...numbered)).toMatchObject({ added: 1, known: 2 })
  expect((await linesOf(admin)).map(({ utr }) => utr).toSorted()).toEqual([
    '632910118785',
    '632910126704',
    '632910126705',
  ])
  const before = await stored(world)
  await importing(admin, ...numbered)
  await importing(admin, ['CASH DEPOSIT'], ['CASH DEPOSIT'])
  expect(await stored(world)).toEqual(before)
})

test('a better form of a confirmed credit changes nothing of its order, and its words stay', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await upiOrder(world, 'Radha')
  await must(claim(guest, code, '611111111111'))
  await importing(admin, [`UPI/MOB/${code}`])
  expect(await confirming(admin)).toMatchObject({ confirmed: 1 })
  const order = await orderOf(guest, code)
  // Nobody has seen the number that the guest gave.
  expect((await must(admin.request('GET', `/api/admin/orders/${code}`))).order).toMatchObject({
    payments: [{ utr: null }],
  })
  expect(await importing(admin, [`UPI/MOB/632910118785/${code}`])).toMatchObject({ added: 0, known: 1 })
  expect(await linesOf(admin)).toMatchObject([{ utr: '632910118785', text: `UPI/MOB/${code}`, match: 'done' }])
  expect(await orderOf(guest, code)).toEqual(order)
  // Its number is spent.
  const meera = await upiOrder(world, 'Meera')
  await must(claim(meera.guest, meera.code, '632910118785'))
  expect(await linesOf(admin)).toMatchObject([{ match: 'done', order: { code } }])
})

test('words that were erased do not come back with the same statement', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { code } = await upiOrder(world, 'Radha')
  const row: Row = [`UPI/RADHA PATEL/632910118785/${code}`]
  await importing(admin, row)
  const [radha] = await world.sql("select id from users where name = 'Radha'")
  await must(admin.request('POST', `/api/admin/orders/${code}/cancel`))
  await must(admin.request('POST', `/api/admin/users/${radha?.id}/erase`))
  expect(await importing(admin, row)).toMatchObject({ added: 0, known: 1 })
  expect((await linesOf(admin))[0]?.text).not.toContain('PATEL')
})

test('a number that identifies no transfer can be neither claimed nor confirmed', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await upiOrder(world, 'Radha')
  await importing(
    admin,
    [`${FORMS.sbiNew?.('632910174218', 'AAAA')} 500000000009`],
    [`${FORMS.sbiNew?.('632910182137', 'BBBB')} 500000000009`],
    ['UPI/632910285084/RENT/919825012345@wa/HDFC'],
  )
  const refused = { status: 400, body: { errors: [{ field: 'utr', message: ORDER.bankNumber }] } }
  for (const utr of ['000000000000', '097732162091', '097693162095', '500000000009', '919825012345']) {
    expect(await claim(guest, code, utr)).toMatchObject(refused)
    const body = { amount: 299, utr }
    expect(await admin.request('POST', `/api/admin/orders/${code}/confirm`, body)).toMatchObject(refused)
  }
  expect(await orderOf(guest, code)).toMatchObject({ state: 'held' })
  expect((await linesOf(admin)).every(({ match }) => match === 'unmatched')).toBe(true)
})

test('a sale at the desk takes no number that identifies no transfer', async () => {
  const world = await payingWorld({ settings: { PAYMENTS: 'upi,desk' } })
  const admin = await world.as('admin')
  await importing(
    admin,
    [`${FORMS.sbiNew?.('632910174218', 'AAAA')} 500000000009`],
    [`${FORMS.sbiNew?.('632910182137', 'BBBB')} 500000000009`],
  )
  const sell = (method: string, reference: string) =>
    admin.request(
      'POST',
      '/api/admin/orders',
      { quantity: 1, method, name: 'Radha', reference },
      { 'Idempotency-Key': randomUUID() },
    )
  for (const reference of ['000000000000', '097732162091', '500000000009'])
    expect(await sell('upi', reference)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'reference', message: ORDER.bankNumber }] },
    })
  expect(await sell('upi', '1234')).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'reference', message: ORDER.utr }] },
  })
  // The slip of a card terminal has numbers of its own.
  expect(await sell('card', '000000000000')).toMatchObject({ status: 201 })
})

test('two payments of one WhatsApp payer pay two orders, and the second file adds one', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const orders = [await upiOrder(world, 'Mehul', 2), await upiOrder(world, 'Nayak', 2)]
  const importFile = async (name: string) => {
    const text = readFileSync(new URL(`../../src/testing/statements/${name}`, import.meta.url), 'utf8')
    const csv = text.replaceAll('5XQRK98X', orders[0]?.code ?? '').replaceAll('6JS16ZVQ', orders[1]?.code ?? '')
    const { mapping } = await must(admin.request('POST', '/api/admin/statements/columns', { csv }))
    return must(admin.request('POST', '/api/admin/statements', { csv, mapping }))
  }
  expect(await importFile('icici-whatsapp-1.csv')).toMatchObject({ added: 1, known: 0 })
  expect(await importFile('icici-whatsapp-2.csv')).toMatchObject({ added: 1, known: 1 })
  expect((await linesOf(admin)).map(({ utr, match, order }) => [utr, match, order?.code]).toSorted()).toEqual([
    ['632910134623', 'proposed', orders[0]?.code],
    ['632910142542', 'proposed', orders[1]?.code],
  ])
  expect(await confirming(admin)).toMatchObject({ confirmed: 2, left: [] })
  const paid = await world.sql('select o.code, p.utr from payments p join orders o on o.id = p.order_id order by p.utr')
  expect(paid).toEqual([
    { code: orders[0]?.code, utr: '632910134623' },
    { code: orders[1]?.code, utr: '632910142542' },
  ])
  const before = await stored(world)
  for (const name of ['icici-whatsapp-2.csv', 'icici-whatsapp-1.csv'])
    expect(await importFile(name)).toMatchObject({ added: 0 })
  expect(await stored(world)).toEqual(before)
})

test.each([
  ['sbi-overlap-old.tsv', 'sbi-overlap-new.csv', { '632958092087': 299, '632958107925': 200 }],
  ['kotak-overlap-1.csv', 'kotak-overlap-2.csv', { '632910039595': 598 }],
  ['idfc-narrative.csv', 'idfc-narrative.csv', { '632910007919': 299, '632910015838': 598 }],
])('%s and %s have the same credits, in either order', async (one, other, credits) => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  for (const names of [
    [one, other],
    [other, one],
  ]) {
    await world.sql('delete from statement_lines')
    for (const name of names) {
      const csv = readFileSync(new URL(`../../src/testing/statements/${name}`, import.meta.url), 'utf8')
      const { mapping } = await must(admin.request('POST', '/api/admin/statements/columns', { csv }))
      await must(admin.request('POST', '/api/admin/statements', { csv, mapping }))
    }
    expect(Object.fromEntries((await linesOf(admin)).map(({ utr, amount }) => [utr, amount]))).toEqual(credits)
    expect(await stored(world)).toHaveLength(Object.keys(credits).length)
  }
})

const STATEMENTS = new URL('../../src/testing/statements/', import.meta.url)
/** The desk's browser turns the others into text; its test imports them twice. */
const TEXTS = readdirSync(STATEMENTS).filter((name) => {
  const bytes = readFileSync(new URL(name, STATEMENTS))
  return isUtf8(bytes) && !bytes.includes(0) && !/^\s*</.test(bytes.toString())
})

test.each(TEXTS)('%s imported a second time changes no row', async (name) => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const csv = readFileSync(new URL(name, STATEMENTS), 'utf8')
  const { mapping } = await must(admin.request('POST', '/api/admin/statements/columns', { csv }))
  const { added } = await must(admin.request('POST', '/api/admin/statements', { csv, mapping }))
  const before = await stored(world)
  expect(before).toHaveLength(added as number)
  expect(await must(admin.request('POST', '/api/admin/statements', { csv, mapping }))).toMatchObject({ added: 0 })
  expect(await stored(world)).toEqual(before)
})

/** A line as a reader could take it that does not know the bank's form: the remark's number as the UTR. */
const misread = (world: World, utr: string, numbers: string, words = 'UPI') =>
  world.sql(
    `insert into statement_lines (id, day, amount_paise, utr, numbers, description, imported_at, imported_by_name)
     values ('misread', '2025-08-08', 29900, ?, ?, ?, 1, 'Asha Admin')`,
    utr,
    numbers,
    words,
  )

test('one credit pays one order: its other numbers are spent, and another form of it is disputed', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const [radha, meera] = [await upiOrder(world, 'Radha'), await upiOrder(world, 'Meera')]
  await must(claim(radha.guest, radha.code, '611111111111'))
  await misread(world, '611111111111', '632910118785 97')
  expect(await confirming(admin)).toMatchObject({ confirmed: 1 })
  expect(await claim(meera.guest, meera.code, '632910118785')).toMatchObject({
    status: 409,
    body: { code: 'UTR_USED' },
  })
  expect(
    await admin.request('POST', `/api/admin/orders/${meera.code}/confirm`, { amount: 299, utr: '632910118785' }),
  ).toMatchObject({ status: 409, body: { code: 'UTR_USED' } })
  // The same credit in an export that is cut before the remark.
  await importing(admin, ['UPI/632910118785/RADHA'])
  const line = async () => (await linesOf(admin)).find(({ utr }) => utr === '632910118785')
  expect(await line()).toMatchObject({ match: 'disputed', order: { code: radha.code }, other: null })
  await must(claim(meera.guest, meera.code, '632910118785'))
  expect(await line()).toMatchObject({ match: 'disputed', order: { code: meera.code }, other: { code: radha.code } })
  expect(await confirming(admin)).toMatchObject({ confirmed: 0 })
  expect(await orderOf(meera.guest, meera.code)).toMatchObject({ state: 'held' })
  // A person who decides otherwise is named in the books.
  await must(admin.request('POST', `/api/admin/orders/${meera.code}/confirm`, { amount: 299, utr: '632910118785' }))
  expect(await booksOf(admin)).toContainEqual(
    expect.objectContaining({ rule: 'bankAgrees', examples: [expect.stringContaining('632910118785')] }),
  )
})

test('numbers that many credits of a day carry dispute none of them', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const orders = [await upiOrder(world, 'Radha'), await upiOrder(world, 'Meera'), await upiOrder(world, 'Kiran')]
  await importing(admin, ...orders.map(({ code }, at): Row => [`UPI/63291011878${at}/${code}/500000000009`]), [
    'CASH 500000000009',
  ])
  expect(await confirming(admin)).toMatchObject({ confirmed: 3 })
  expect((await booksOf(admin)).filter(({ ok }) => !ok)).toEqual([])
})

test('two people who claim one number are both shown, and the desk decides; a sixth number is refused', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const [radha, meera] = [await upiOrder(world, 'Radha'), await upiOrder(world, 'Meera')]
  for (const { guest, code } of [radha, meera]) await must(claim(guest, code, '632910118785'))
  await importing(admin, ['UPI/632910118785/RADHA'])
  const [line] = await linesOf(admin)
  expect(line?.match).toBe('disputed')
  expect([line?.order?.code, line?.other?.code].toSorted()).toEqual([radha.code, meera.code].toSorted())
  await must(admin.request('POST', `/api/admin/orders/${meera.code}/confirm`, { amount: 299, utr: '632910118785' }))
  expect(await linesOf(admin)).toMatchObject([{ match: 'done', order: { code: meera.code } }])
  expect((await orderOf(radha.guest, radha.code)).utr).toBeUndefined()
  // The first was the number that Meera has proved to be hers.
  for (const last of ['1', '2', '2', '3', '4']) await must(claim(radha.guest, radha.code, `61111111111${last}`))
  expect(await claim(radha.guest, radha.code, '611111111115')).toMatchObject({
    status: 409,
    body: { code: 'TOO_MANY_CLAIMS' },
  })
})

import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

const LIST = [
  'Sponsors of 2025;;;',
  'Sr. No.;Guest name;Mobile number;E-mail;No. of tickets',
  '1;Meera Patel;98250 12345;meera@example.org;2',
  '2;ધ્રુવ શાહ;;;',
  ';;;;',
  '3;"Rao; Kiran";+91 98250 54321;;4',
].join('\n')

const give = (admin: Client, key: string, csv = LIST, reason = 'Sponsors') =>
  admin.request('POST', '/api/admin/guest-list', { csv, reason }, { 'Idempotency-Key': key })
const made = ({ sql }: World) =>
  sql(
    'select (select count(*) from orders) as orders, (select count(*) from tickets) as tickets, taken_seats from events',
  )

testOnSqlite('a list is shown line by line, with what is wrong, and nothing is stored', async () => {
  const world = await makeWorld({ settings: { MAX_PER_ORDER: '10' } })
  await putOnSale(world)
  const admin = await world.as('admin')
  const read = async (csv: string) => admin.request('POST', '/api/admin/guest-list/lines', { csv })
  expect((await read(LIST)).body).toMatchObject({
    tickets: 7,
    problems: 0,
    guests: [
      { line: 3, name: 'Meera Patel', quantity: 2, email: 'meera@example.org', phone: '98250 12345', problem: null },
      { line: 4, name: 'ધ્રુવ શાહ', quantity: 1, email: null, phone: null, problem: null },
      { line: 6, name: 'Rao; Kiran', quantity: 4, email: null, phone: '+91 98250 54321', problem: null },
    ],
  })
  const wrong = await read(
    'Name,Tickets,Email\n,1,\nAsha,0,\nBina,11,\nCharu,two,\nDevi,1,devi@\nEla,1,ela@example.org',
  )
  expect(wrong.body).toMatchObject({ problems: 5 })
  expect((wrong.body.guests as { problem: string | null }[]).map(({ problem }) => problem)).toEqual([
    expect.stringContaining('name'),
    expect.stringContaining('at least 1'),
    expect.stringContaining('10'),
    expect.stringContaining('at least 1'),
    expect.stringContaining('email'),
    null,
  ])
  expect(await read('Asha,1\nBina,2')).toMatchObject({ status: 400, body: { errors: [{ field: 'csv' }] } })
  expect(await made(world)).toEqual([{ orders: 0, tickets: 0, taken_seats: 0 }])
})

test('a list gives all of its guests complimentary tickets with the reason, once per key, or none of them', async () => {
  const world = await makeWorld()
  await putOnSale(world, { totalTickets: 10 })
  const admin = await world.as('admin')
  const key = 'sponsors-of-this-year'
  const replies = await Promise.all([give(admin, key), give(admin, key), give(admin, key)])
  for (const reply of replies) expect(reply).toMatchObject({ status: 201, body: { orders: 3, tickets: 7 } })
  expect(await made(world)).toEqual([{ orders: 3, tickets: 7, taken_seats: 7 }])
  const { orders } = await must(admin.request('GET', '/api/admin/orders?channel=desk&search=meera'))
  expect(orders).toMatchObject([{ provider: 'complimentary', quantity: 2, total: 0, buyer: { name: 'Meera Patel' } }])
  expect(await world.sql('select distinct reason from orders')).toEqual([{ reason: 'Sponsors' }])

  expect(await give(admin, key, LIST.replace('Meera', 'Mira'))).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
  expect(await give(admin, key, `${LIST}\n4;Ela;;;1`)).toMatchObject({ status: 409 })
  // Seven more do not fit, so nobody of the second list gets one.
  expect(await give(admin, 'the-list-of-the-mayor')).toMatchObject({
    status: 409,
    body: { code: 'SOLD_OUT', remaining: 3 },
  })
  expect(await give(admin, 'one-line-is-wrong-here', `${LIST}\n4;;;;1`)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('Line 7') },
  })
  expect(await made(world)).toEqual([{ orders: 3, tickets: 7, taken_seats: 7 }])
  const { books } = await must(admin.request('GET', '/api/admin/books'))
  expect((books as { ok: boolean }[]).every(({ ok }) => ok)).toBe(true)
})

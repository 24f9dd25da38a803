import { expect, test } from 'vitest'
import { must } from '../../testing/desk.ts'
import { linkOf, ordered, orderOf, payingWorld, settle } from '../../testing/money.ts'
import { person } from '../../testing/scenes.ts'
import { catchUp } from './catchUp.ts'

/** What a restore of an older backup does to an order: nothing of it is left. */
const FORGET = [
  'delete from tickets where order_id = (select id from orders where code = ?)',
  'delete from refunds where payment_id in (select p.id from payments p join orders o on o.id = p.order_id where o.code = ?)',
  'delete from jobs where order_id = (select id from orders where code = ?)',
  'delete from payments where order_id = (select id from orders where code = ?)',
  'delete from orders where code = ?',
]

test('after a restore the money of orders that the backup lacks waits for the desk, once, and known payments stay as they are', async () => {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const before = await ordered(guest)
  world.double.pay(linkOf(world, before.code))
  await settle(world)
  world.clock.forward(30 * 60_000)
  const other = await world.as('guest', person('Radha'))
  const since = await ordered(other, 2)
  const payment = world.double.pay(linkOf(world, since.code))
  await settle(world)
  for (const statement of FORGET) await world.sql(statement, since.code)
  await world.sql('update events set taken_seats = 1')

  for (const _ of [1, 2]) await catchUp(world.deps)
  const admin = await world.as('admin')
  expect(await must(admin.request('GET', '/api/admin/attention'))).toMatchObject({
    attention: [{ kind: 'unknown', amount: 598, detail: expect.stringContaining(payment.id) }],
  })
  expect(await orderOf(guest, before.code)).toMatchObject({
    state: 'paid',
    refunds: [],
    tickets: [{ status: 'active' }],
  })
  const { books } = await must(admin.request('GET', '/api/admin/books'))
  expect((books as { ok: boolean }[]).every(({ ok }) => ok)).toBe(true)
})

test('a payment that no webhook told of is found by the daily question too', async () => {
  const world = await payingWorld()
  world.double.setFaults({ lostEvent: 1 })
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  await catchUp(world.deps)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'paid', tickets: [{ status: 'active' }] })
})

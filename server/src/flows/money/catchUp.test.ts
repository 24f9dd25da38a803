import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backUp, restore } from '../../store/backup.ts'
import { openStore } from '../../store/open.ts'
import { testOnSqlite } from '../../testing/database.ts'
import { must } from '../../testing/desk.ts'
import { linkOf, ordered, orderOf, payingWorld, settle } from '../../testing/money.ts'
import { person } from '../../testing/scenes.ts'
import { ensureSigningKey } from '../ensureSigningKey.ts'
import { listAttention } from './attention.ts'
import { readBooks } from './books.ts'
import { catchUp } from './catchUp.ts'
import { deskOrder } from './deskOrders.ts'
import { runJobs } from './jobs.ts'
import { moneyRound } from './keepMoney.ts'

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

testOnSqlite(
  'a real backup, restored after more was paid, learns from the provider what it lacks, and Books balance',
  async () => {
    const world = await payingWorld()
    const paid = async (code: string) => {
      const payment = world.double.pay(linkOf(world, code))
      await settle(world)
      return payment
    }
    const before = await ordered(await world.as('guest'), 2)
    await paid(before.code)
    const open = await ordered(await world.as('guest', person('Radha')))
    const [database, file] = [join(world.folder, 'garba.db'), join(world.folder, 'backup.db')]
    backUp({ database, file, now: world.clock.now() })

    world.clock.forward(5 * 60_000)
    await paid(open.code)
    const since = await ordered(await world.as('guest', person('Meera')), 3)
    const payment = await paid(since.code)
    expect(await world.sql("select count(*) as paid from orders where state = 'paid'")).toEqual([{ paid: 3 }])

    await world.store.close()
    expect(restore({ database, file, now: world.clock.now() }).contents).toMatchObject({ tickets: 2 })
    const store = openStore(database)
    onTestFinished(store.close)
    const deps = { ...world.deps, store, signer: await ensureSigningKey({ store, now: world.clock.now }) }
    // As at every start of a server.
    await Promise.all([runJobs(deps, 'money'), moneyRound(deps), catchUp(deps)])
    await runJobs(deps, 'money')

    expect((await readBooks(deps)).filter(({ ok }) => !ok)).toEqual([])
    expect(await listAttention(deps)).toMatchObject([
      { kind: 'unknown', amount: 897, detail: expect.stringContaining(payment.id) },
    ])
    expect(await deskOrder(deps, before.code)).toMatchObject({ state: 'paid', refunds: [], tickets: [{}, {}] })
    const found = await deskOrder(deps, open.code)
    expect(found).toMatchObject({ state: 'paid', refunds: [], payments: [{ state: 'captured', amount: 299 }] })
    expect(found.tickets).toMatchObject([{ status: 'active' }])
  },
)

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readBooks } from '../../src/flows/money/books.ts'
import { deskOrder } from '../../src/flows/money/orders/deskOrders.ts'
import { listAttention } from '../../src/flows/money/refunds/matters.ts'
import { runJobs } from '../../src/flows/money/upkeep/jobs.ts'
import { catchUp, moneyRound } from '../../src/flows/money/upkeep/keepMoney.ts'
import { restoreBackup } from '../../src/flows/recovery/epoch.ts'
import { ensureSigningKey } from '../../src/flows/signingKeys.ts'
import { setTicketStatus } from '../../src/flows/tickets/changeTickets.ts'
import { backUp } from '../../src/store/engine/backup.ts'
import { openStore } from '../../src/store/engine/open.ts'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { linkOf, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'

/** What a restore of an older backup does to an order: nothing of it is left. */
const FORGET = [
  'delete from tickets where order_id = (select id from orders where code = ?)',
  'delete from refunds where payment_id in (select p.id from payments p join orders o on o.id = p.order_id where o.code = ?)',
  'delete from jobs where order_id = (select id from orders where code = ?)',
  'delete from payments where order_id = (select id from orders where code = ?)',
  'delete from orders where code = ?',
]

testOnSqlite(
  'after a restore the money of orders that the backup lacks waits for the desk, once, and known payments stay as they are',
  async () => {
    const world = await payingWorld()
    const guest = await world.as('guest')
    const before = await ordered(guest)
    world.double.pay(linkOf(world, before.code))
    await settleMoney(world)
    world.clock.forward(30 * 60_000)
    const other = await world.as('guest', person('Radha'))
    const since = await ordered(other, 2)
    const payment = world.double.pay(linkOf(world, since.code))
    await settleMoney(world)
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
  },
)

test('money that came before a restore is still found when the provider did not answer at first and somebody has ordered since', async () => {
  const world = await payingWorld()
  await ordered(await world.as('guest'))
  world.clock.forward(3 * 3_600_000)
  const { code } = await ordered(await world.as('guest', person('Radha')), 2)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  for (const statement of FORGET) await world.sql(statement, code)
  await world.sql('update events set taken_seats = 1')
  world.clock.forward(10 * 86_400_000)
  const deps = { ...world.deps, epoch: { ...world.deps.epoch, number: world.clock.now().getTime() } }
  const found = async () => (await listAttention(deps)).map(({ amount }) => amount)
  world.double.setFaults({ serverError: 1 })
  expect(await catchUp(deps)).toBe(false)
  world.double.setFaults({ serverError: 0 })
  world.clock.forward(3_600_000)
  await ordered(await world.as('guest', person('Bina')))
  expect(await catchUp(deps)).toBe(true)
  expect(await found()).toEqual([598])
})

testOnSqlite('a payment that no webhook reported is found by the daily question too', async () => {
  const world = await payingWorld()
  world.double.setFaults({ lostEvent: 1 })
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  await catchUp(world.deps)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'paid', tickets: [{ status: 'active' }] })
})

testOnSqlite(
  'a refund made at the provider waits for the desk until its ticket is cancelled, and pays nothing twice',
  async () => {
    const world = await payingWorld()
    const guest = await world.as('guest')
    const admin = await world.as('admin')
    const { code } = await ordered(guest, 3)
    const payment = world.double.pay(linkOf(world, code))
    await settleMoney(world)
    const refund = (paise: number, key: string) =>
      world.deps.providers.razorpay?.refund({ paymentId: payment.id, paise, key })
    const waiting = async () => (await must(admin.request('GET', '/api/admin/attention'))).attention
    const refundAll = (key: string) =>
      admin.request(
        'POST',
        `/api/admin/orders/${code}/refund`,
        { all: true, reason: 'Rain' },
        { 'Idempotency-Key': key },
      )

    await refund(29_900, 'made-elsewhere-1')
    await settleMoney(world)
    for (const _ of [1, 2]) await catchUp(world.deps)
    const what = { kind: 'refundedElsewhere', order: code, amount: 299, detail: expect.stringMatching(/^rfnd_/) }
    expect(await waiting()).toMatchObject([what])
    const [first] = (await orderOf(guest, code)).tickets
    await must(guest.request('PATCH', `/api/tickets/cancel/${first?._id}`, { reason: 'Away' }))
    await settleMoney(world)
    expect(await waiting()).toEqual([])
    expect(await orderOf(guest, code)).toMatchObject({
      refunds: [{ amount: 299, ticketId: first?._id }],
      tickets: [{ status: 'cancelled', isRefundDone: true }, { status: 'active' }, { status: 'active' }],
    })

    // Another one, and the desk refunds the whole order: one ticket is paid back already.
    await refund(29_900, 'made-elsewhere-2')
    await settleMoney(world)
    expect(await waiting()).toMatchObject([what])
    await must(refundAll('refund-the-rest'))
    await settleMoney(world)
    expect(await waiting()).toEqual([])
    const whole = await orderOf(guest, code)
    expect(whole.tickets.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect(whole.refunds.map(({ amount, state }) => [amount, state])).toEqual(Array(3).fill([299, 'done']))
    expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])
  },
)

testOnSqlite(
  'a real backup, restored after more was paid, learns from the provider what it lacks, and Books balance',
  async () => {
    const world = await payingWorld()
    const paid = async (code: string) => {
      const payment = world.double.pay(linkOf(world, code))
      await settleMoney(world)
      return payment
    }
    const before = await ordered(await world.as('guest'), 2)
    await paid(before.code)
    const open = await ordered(await world.as('guest', person('Radha')))
    const halved = await ordered(await world.as('guest', person('Lata')), 2)
    await paid(halved.code)
    const { user: asha } = await world.as('admin')
    if (!asha) throw new Error('The admin has no account')
    const [database, file] = [join(world.folder, 'garba.db'), join(world.folder, 'backup.db')]
    backUp({ database, file, now: world.clock.now() })

    world.clock.forward(5 * 60_000)
    await paid(open.code)
    const since = await ordered(await world.as('guest', person('Meera')), 3)
    const payment = await paid(since.code)
    const lata = await world.as('guest', person('Lata'))
    const [given] = (await orderOf(lata, halved.code)).tickets
    await must(lata.request('PATCH', `/api/tickets/cancel/${given?._id}`, { reason: 'Away' }))
    await settleMoney(world)
    expect(await world.sql("select count(*) as paid from orders where state = 'paid'")).toEqual([{ paid: 4 }])

    await world.store.close()
    expect((await restoreBackup({ database, file, now: world.clock.now() })).contents).toMatchObject({ tickets: 4 })
    const store = openStore(database)
    onTestFinished(store.close)
    const deps = { ...world.deps, store, signer: await ensureSigningKey({ store, now: world.clock.now }) }
    // As at every start of a server.
    await Promise.all([runJobs(deps, 'money'), moneyRound(deps), catchUp(deps)])
    await runJobs(deps, 'money')

    expect((await readBooks(deps)).filter(({ ok }) => !ok)).toEqual([])
    const unknown = { kind: 'unknown', amount: 897, detail: expect.stringContaining(payment.id) }
    const refunded = {
      kind: 'refundedElsewhere',
      order: halved.code,
      amount: 259,
      detail: expect.stringMatching(/^rfnd_/),
    }
    await catchUp(deps)
    expect((await listAttention(deps)).toSorted((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
      refunded,
      { kind: 'restored', detail: expect.stringContaining('claim offers') },
      unknown,
    ])
    // The ticket is valid again, and its money is back with the guest: cancelling it once more asks for no second refund.
    expect((await deskOrder(deps, halved.code)).tickets).toMatchObject([{ status: 'active' }, { status: 'active' }])
    await setTicketStatus(deps, { admin: asha, id: given?._id ?? '', status: 'cancelled' })
    await runJobs(deps, 'money')
    expect(await listAttention(deps)).toMatchObject([{ kind: 'restored' }, unknown])
    expect(await deskOrder(deps, halved.code)).toMatchObject({
      refunds: [{ amount: 259, state: 'done', ticketId: given?._id }],
      tickets: [{ isRefundDone: true, status: 'cancelled' }, { status: 'active' }],
    })
    expect(await deskOrder(deps, before.code)).toMatchObject({ state: 'paid', refunds: [], tickets: [{}, {}] })
    const found = await deskOrder(deps, open.code)
    expect(found).toMatchObject({ state: 'paid', refunds: [], payments: [{ state: 'captured', amount: 299 }] })
    expect(found.tickets).toMatchObject([{ status: 'active' }])
  },
)

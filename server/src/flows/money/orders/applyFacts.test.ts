import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Refund } from '../../../double/bank.ts'
import type { Fact } from '../../../providers/provider.ts'
import { must } from '../../../testing/desk.ts'
import { linkOf, ordered, orderOf, payingWorld, settleMoney } from '../../../testing/money.ts'
import { person } from '../../../testing/scenes.ts'
import type { World } from '../../../testing/world.ts'
import { readBooks } from '../books.ts'
import { applyFacts } from './applyFacts.ts'

/** Fixed, so that a failing run fails again. */
const SEED = 20_250_922

/** Facts of one link, by what came of them; each is reported at least once, in any order, some of them several times. */
const reported = (facts: readonly string[]) =>
  fc
    .array(fc.constantFrom(...facts), { maxLength: facts.length })
    .chain((more) => fc.shuffledSubarray([...facts, ...more], { minLength: facts.length + more.length }))

const factsOf = (ref: string): Record<string, Fact> => {
  const payment = (n: number) => ({ ref, paymentId: `pay_${ref}_${n}`, paise: 29_900 })
  const captured = (n: number): Fact => ({ type: 'captured', ...payment(n), feePaise: 0, at: new Date(0) })
  return {
    pending: { type: 'pending', ...payment(1) },
    failed: { type: 'failed', ref, paymentId: `pay_${ref}_1`, reason: null },
    captured: captured(1),
    another: captured(2),
    expired: { type: 'linkDead', ref, why: 'expired' },
    cancelled: { type: 'linkDead', ref, why: 'cancelled' },
  }
}

/** What is left of an order, whatever way its facts came. */
async function endOf(world: World, code: string) {
  const [order] = await world.sql('select id, state, quantity from orders where code = ?', code)
  const payments = await world.sql('select state from payments where order_id = ? order by state', order?.id)
  const tickets = await world.sql('select id from tickets where order_id = ?', order?.id)
  const refunds = await world.sql(
    'select r.kind, r.amount_paise from refunds r join payments p on p.id = r.payment_id where p.order_id = ?',
    order?.id,
  )
  return { state: order?.state, payments: payments.map(({ state }) => state), tickets: tickets.length, refunds }
}

const PAID = { state: 'paid', payments: ['captured'], tickets: 1, refunds: [] }

test.each([
  ['a payment that failed first and whose link is dead', ['pending', 'failed', 'captured', 'expired'], PAID],
  ['a payment of a link that was cancelled', ['captured', 'cancelled'], PAID],
  [
    'two payments of one link',
    ['pending', 'captured', 'another', 'expired'],
    {
      ...PAID,
      payments: ['captured', 'captured'],
      refunds: [{ kind: 'duplicate', amount_paise: 29_900 }],
    },
  ],
  ['no payment', ['pending', 'failed', 'expired'], { state: 'expired', payments: ['void'], tickets: 0, refunds: [] }],
])('the facts of %s lead to one end in any order, however often each is reported', async (_, facts, end) => {
  const world = await payingWorld()
  let guests = 0
  await fc.assert(
    fc.asyncProperty(reported(facts), async (order) => {
      guests += 1
      const guest = await world.as('guest', person(`Guest ${guests}`))
      const { code } = await ordered(guest)
      const known = factsOf(linkOf(world, code))
      for (const name of order) await applyFacts(world.deps, [known[name] as Fact])
      expect(await endOf(world, code)).toEqual(end)
    }),
    { seed: SEED, numRuns: 25 },
  )
  expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])
})

test('whatever way and in whatever order events of refunds come, the end is what the provider says', async () => {
  const world = await payingWorld()
  const refunds: { code: string; ofPayment: Refund[] }[] = []
  for (let guests = 1; guests <= 8; guests += 1) {
    const guest = await world.as('guest', person(`Guest ${guests}`))
    const { code } = await ordered(guest)
    const payment = world.double.pay(linkOf(world, code))
    await settleMoney(world)
    const [ticket] = (await orderOf(guest, code)).tickets
    await must(guest.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: 'Away' }))
    refunds.push({ code, ofPayment: payment.refunds })
  }
  world.double.setFaults({ pendingRefund: 0.5, failedRefund: 0.5, delayedEvent: 0.5, duplicateEvent: 0.5 })
  for (let minute = 0; minute < 90; minute += 6) {
    await settleMoney(world)
    if (minute % 18 === 0) {
      const made = refunds.flatMap(({ ofPayment }) => ofPayment).filter(({ status }) => status === 'processed')
      if (made[0]) world.double.bounce(made[0].id)
    }
    world.clock.forward(360_000)
  }
  const ended = await world.sql(`select o.code, r.state, t.is_refund_done as shown from refunds r
    join payments p on p.id = r.payment_id join orders o on o.id = p.order_id join tickets t on t.id = r.ticket_id`)
  const byProvider = refunds.map(({ code, ofPayment: [refund] }) => {
    const failed = refund?.status === 'failed'
    return { code, state: failed ? 'failed' : 'done', shown: failed ? 0 : 1 }
  })
  expect(ended.map((row) => ({ ...row, shown: Number(row.shown) }))).toEqual(expect.arrayContaining(byProvider))
  expect(new Set(byProvider.map(({ state }) => state)).size).toBe(2)
  expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])
})

/** One of them has paid the link, with the provider's discount; of the others only what was charged is known. */
const discounted = (ref: string): readonly Fact[] =>
  [1, 2, 3].map((n) => {
    const fact = { type: 'captured', ref, paymentId: `pay_${ref}_${n}`, feePaise: 0, at: new Date(0) } as const
    return n === 3 ? { ...fact, paise: 29_900, chargedPaise: 26_910 } : { ...fact, paise: 26_910 }
  })

test.each([[[0, 1, 2]], [[0, 2, 1]], [[2, 0, 1]]])(
  'of three payments with the provider’s discount for one order, what has paid for the ticket is not given back, in the order %j',
  async (order) => {
    const world = await payingWorld()
    const { code } = await ordered(await world.as('guest', person('Guest')), 1)
    const facts = discounted(linkOf(world, code))
    for (const index of order) await applyFacts(world.deps, [facts[index] as Fact])
    const [kept] = await world.sql(`
    select sum(coalesce(p.charged_paise, p.amount_paise) - coalesce(r.paise, 0)) as paise
    from payments p left join (select payment_id, sum(amount_paise) as paise from refunds group by payment_id) r
      on r.payment_id = p.id`)
    // One payment with the discount, or one and what two lacked.
    expect([26_910, 29_900]).toContain(Number(kept?.paise))
    expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])
  },
)

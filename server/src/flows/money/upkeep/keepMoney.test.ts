import { expect, onTestFinished, test, vi } from 'vitest'
import { makeRazorpay } from '../../../providers/razorpay.ts'
import { insertJob, leaseJob } from '../../../store/jobs.ts'
import { must } from '../../../testing/desk.ts'
import { DOUBLE_SETTINGS } from '../../../testing/double.ts'
import { makeMailServer } from '../../../testing/mailServer.ts'
import { linkOf, ordered, orderOf, payingWorld, settleMoney } from '../../../testing/money.ts'
import { bought, person, putOnSale } from '../../../testing/scenes.ts'
import { makeWorld, type World } from '../../../testing/world.ts'
import type { Deps } from '../../deps.ts'
import { runJobs } from './jobs.ts'
import { moneyRound, startMoneyRounds } from './keepMoney.ts'

/** The server's dependencies with another way to the provider. */
const through = ({ deps, clock, double }: World, way: (pass: () => Promise<Response>) => Promise<Response>): Deps => ({
  ...deps,
  providers: {
    razorpay: makeRazorpay(DOUBLE_SETTINGS, { now: clock.now, fetch: (...asked) => way(() => double.fetch(...asked)) }),
  },
})

const crowd = async (world: World, size: number) => {
  for (let n = 0; n < size; n += 1) await ordered(await world.as('guest', person(`Guest ${n}`)))
}

/** A guest's ticket is paid for and cancelled, and its refund not yet asked for. */
async function refundToSend(world: World) {
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const { tickets } = await orderOf(guest, code)
  await must(guest.request('PATCH', `/api/tickets/cancel/${tickets[0]?.id}`, { reason: 'Away' }))
  return { guest, code }
}

test('a refund under way when the server stops is stored before the database closes, and no lease stays', async () => {
  const world = await payingWorld()
  const { guest, code } = await refundToSend(world)
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stopping = new AbortController()
  const idle = startMoneyRounds({
    ...through(world, async (pass) => {
      asked.resolve()
      await goOn.promise
      return pass()
    }),
    stopping: stopping.signal,
  })
  await asked.promise
  stopping.abort()
  const stopped = idle()
  goOn.resolve()
  await stopped
  expect((await orderOf(guest, code)).refunds).toMatchObject([{ state: 'done' }])
  expect(await world.sql("select id from jobs where kind = 'refund' and ended_at is null")).toEqual([])
  expect(await world.sql('select id from jobs where lease_until is not null')).toEqual([])
})

test('what a failed job says of itself holds none of its values', async () => {
  const world = await payingWorld()
  const { code } = await ordered(await world.as('guest', person('Radha')))
  world.double.pay(linkOf(world, code))
  // The database library puts the values of a statement that fails into its message.
  await world.sql('alter table tickets rename column buyer_email to email')
  await settleMoney(world)
  const failed = await world.sql('select distinct kind, last_error from jobs where last_error is not null')
  expect(failed).toEqual([{ kind: 'event', last_error: expect.stringMatching(/^\w+$/) }])
})

test('work that a killed server had taken up is done at the next start, not two minutes later', async () => {
  const world = await payingWorld()
  const { guest, code } = await refundToSend(world)
  const lease = () =>
    world.store.write((tx) => leaseJob(tx, { now: world.clock.now(), lane: 'money', leaseMs: 120_000 }))
  for (let job = await lease(); job?.kind !== 'refund'; ) job = await lease()
  const stopping = new AbortController()
  // On PostgreSQL another server may be at work.
  const idle = startMoneyRounds({
    ...world.deps,
    store: { ...world.store, sharedCounter: null },
    stopping: stopping.signal,
  })
  await expect.poll(async () => (await orderOf(guest, code)).refunds).toMatchObject([{ state: 'done' }])
  stopping.abort()
  await idle()
})

test('a start without an answer of the provider asks for missed money again each minute, until it has one', async () => {
  const world = await payingWorld()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const stopping = new AbortController()
  let [isAway, asked] = [true, 0]
  const providers = {
    razorpay: makeRazorpay(DOUBLE_SETTINGS, {
      now: world.clock.now,
      fetch: async (input, init) => {
        if (new URL(String(input)).pathname === '/v1/payments') asked += 1
        return isAway ? new Response('Away', { status: 503 }) : world.double.fetch(input, init)
      },
    }),
  }
  const idle = startMoneyRounds({ ...world.deps, providers, stopping: stopping.signal })
  await expect.poll(() => asked).toBe(1)
  await idle()
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => asked).toBe(2)
  await idle()
  isAway = false
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => asked).toBe(3)
  await idle()
  vi.advanceTimersByTime(120_000)
  await idle()
  expect(asked).toBe(3)
  stopping.abort()
  await idle()
})

test('a round asks about five orders at a time, and stops when the provider wants fewer questions', async () => {
  const world = await payingWorld()
  await crowd(world, 12)
  let [underWay, most, calls] = [0, 0, 0]
  const five = Promise.withResolvers<void>()
  const counted = through(world, async (pass) => {
    underWay += 1
    calls += 1
    most = Math.max(most, underWay)
    if (underWay === 5) five.resolve()
    await five.promise
    await new Promise(setImmediate)
    underWay -= 1
    return pass()
  })
  await moneyRound(counted)
  expect([most, calls]).toEqual([5, 12])
  calls = 0
  await moneyRound(
    through(world, async () => {
      calls += 1
      return new Response('Too many requests', { status: 429 })
    }),
  )
  expect(calls).toBeLessThanOrEqual(5)
})

test('an order that cannot be processed does not affect the others', async () => {
  const world = await payingWorld()
  const [one, other] = [await world.as('guest'), await world.as('guest', person('Radha'))]
  const [broken, fine] = [await ordered(one), await ordered(other)]
  await world.sql('update orders set event_id = null where code = ?', broken.code)
  world.double.setFaults({ lostEvent: 1 })
  world.double.pay(linkOf(world, fine.code))
  await moneyRound(world.deps)
  expect(await orderOf(other, fine.code)).toMatchObject({ state: 'paid' })
  expect(world.log.join('')).toContain('an order could not be looked after')
})

test('a job that cannot be read fails alone, and says which field is wrong', async () => {
  const world = await payingWorld()
  const { guest, code } = await refundToSend(world)
  const at = world.clock.now()
  await world.store.write((tx) =>
    insertJob(tx, {
      kind: 'settled',
      id: 'settled:broken',
      payload: { provider: 'razorpay' },
      createdAt: at,
      dueAt: at,
    }),
  )
  await runJobs(world.deps, 'money')
  expect((await orderOf(guest, code)).refunds).toMatchObject([{ state: 'done' }])
  expect(await world.sql("select attempts, last_error from jobs where id = 'settled:broken'")).toEqual([
    { attempts: 1, last_error: expect.stringContaining('day') },
  ])
})

test('a site without payments mails tickets, offers of the waiting list and reminders too', async () => {
  const { smtpUrl, mails } = await makeMailServer()
  const world = await makeWorld({ settings: { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' } })
  await putOnSale(world, { totalTickets: 2 })
  const expectMails = async (...expected: readonly string[]) => {
    const stopping = new AbortController()
    const idle = startMoneyRounds({ ...world.deps, stopping: stopping.signal })
    await expect.poll(() => mails.map(({ to, subject }) => `${to?.[0]?.name}: ${subject}`).sort()).toEqual(expected)
    // A stop before the mail server's answer would leave the mail to be sent again.
    const begun = () => world.sql('select id from jobs where attempts > 0 and ended_at is null')
    await expect.poll(begun).toEqual([])
    stopping.abort()
    await idle()
    mails.length = 0
  }
  const [radha, gopi] = [await world.as('guest', person('Radha')), await world.as('guest', person('Gopi'))]
  const [, given] = await bought(radha, 2)
  await must(gopi.request('POST', '/api/waiting', { quantity: 1 }))
  await must(radha.request('PATCH', `/api/tickets/cancel/${given?.id}`, { reason: 'Away' }))
  await expectMails('Gopi: Garba Rass 2025: tickets are held for you', 'Radha: Your ticket for Garba Rass 2025')
  world.clock.set('2025-09-21T13:00:00.000Z')
  await expectMails('Radha: Reminder: Garba Rass 2025')
})

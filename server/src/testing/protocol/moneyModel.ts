import type { Order, WholeOrder } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import fc from 'fast-check'
import { type Faults, NO_FAULTS } from '../../double/bank.ts'
import type { Double } from '../../double/double.ts'
import { runJobs } from '../../flows/money/upkeep/jobs.ts'
import { catchUp, checkEndedRefunds, moneyRound } from '../../flows/money/upkeep/keepMoney.ts'
import { BEGINNING } from '../clock.ts'
import { must } from '../desk.ts'
import { aDouble, type Webhook } from '../double.ts'
import { place } from '../money.ts'
import { eventForm, person } from '../scenes.ts'
import { type Client, PAYING, type WorldOptions } from '../world.ts'
import { type FastServer, fastServer } from './gateServer.ts'
import { againstTheBank, looseLinks } from './moneyChecks.ts'

const GUESTS = 3
/** Too few for all orders of most sequences, so that late money meets a full house. */
const SEATS = 7
const TOKEN_MS = 1_800_000

type Fault = keyof Faults
const FAULTS = Object.keys(NO_FAULTS) as Fault[]

export type MoneyStep =
  | { do: 'order'; guest: number; quantity: number; again: boolean }
  | { do: 'pay'; order: number; how: 'pay' | 'fail' | 'payLate' | 'authorize' }
  | { do: 'letGo' | 'look' | 'cancelTicket' | 'bounce'; order: number }
  | { do: 'refund'; order: number; all: boolean }
  | { do: 'atDashboard'; order: number; paise: number | 'failed' }
  | { do: 'deliver'; event: number; times: number }
  | { do: 'fault'; name: Fault; share: number }
  | { do: 'work' }
  | { do: 'pass'; minutes: number }

const order = fc.nat({ max: 5 })
const step: fc.Arbitrary<MoneyStep> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      guest: fc.nat({ max: GUESTS - 1 }),
      quantity: fc.integer({ min: 1, max: 3 }),
      again: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      order,
      how: fc.constantFrom(
        'pay' as const,
        'pay' as const,
        'pay' as const,
        'fail' as const,
        'payLate' as const,
        'authorize' as const,
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('letGo' as const, 'look' as const, 'cancelTicket' as const, 'bounce' as const),
      order,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), order, all: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('atDashboard' as const),
      order,
      paise: fc.constantFrom(10_000, 25_900, 29_900, 'failed' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      event: fc.nat({ max: 9 }),
      times: fc.integer({ min: 0, max: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      name: fc.constantFrom(...FAULTS),
      share: fc.constantFrom(0, 0.5, 1),
    }),
  },
  { weight: 3, arbitrary: fc.constant<MoneyStep>({ do: 'work' }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(1, 5, 16, 70) }) },
)
export const moneySteps = fc.array(step, { minLength: 1, maxLength: 40, size: 'max' })

interface Sale {
  server: FastServer
  double: Double
  as: (who: 'desk' | number) => Promise<Client>
  orders: { code: string; guest: number }[]
  /** Facts on their way to the server, which arrive in any order, more than once or never. */
  events: Webhook[]
  wrong: string[]
}

export interface MoneyRun {
  run: (steps: readonly MoneyStep[]) => Promise<void>
  counts: { sequences: number; steps: number; orders: number; paid: number; refunds: number }
}

/** The money: the real server and the provider's double, in one process. `run` throws what is wrong. */
export async function moneyModel(whenOver: NonNullable<WorldOptions['whenOver']>): Promise<MoneyRun> {
  const server = await fastServer(whenOver, PAYING)
  const { world } = server
  await must((await world.as('admin')).request('POST', '/api/event', eventForm({ totalTickets: SEATS })))
  const counts = { sequences: 0, steps: 0, orders: 0, paid: 0, refunds: 0 }
  const as = signedIn(server)
  for (let guest = 0; guest < GUESTS; guest += 1) await as(guest)
  server.keep('pristine')
  return {
    counts,
    run: async (steps) => {
      world.clock.set(BEGINNING)
      await server.bringBack('pristine')
      const events: Webhook[] = []
      const { double, provider } = aDouble({
        clock: world.clock,
        seed: String(steps.length),
        send: async (webhook) => {
          events.push(webhook)
          return true
        },
      })
      Object.assign(world.deps.providers, { razorpay: provider })
      const sale: Sale = { server, double, as, orders: [], events, wrong: [] }
      for (const one of steps) {
        await act(sale, one)
        sale.wrong.push(...(await looseLinks({ sql: world.sql, double })))
        if (sale.wrong.length > 0) break
      }
      await settleWholeSale(sale)
      const wrong = [
        ...sale.wrong,
        ...(await againstTheBank({ sql: world.sql, double })),
        ...(await server.accountant()),
      ]
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
      counts.sequences += 1
      counts.steps += steps.length
      counts.orders += sale.orders.length
      counts.paid += Number(server.row("select count(*) as n from orders where state = 'paid'")?.n)
      counts.refunds += Number(server.row('select count(*) as n from refunds')?.n)
    },
  }
}

/** A token lives an hour, and signing one costs as much as a step; the clock starts over with every sequence. */
function signedIn({ world }: FastServer): (who: 'desk' | number) => Promise<Client> {
  const known = new Map<string, Client>()
  return async (who) => {
    const key = `${who} ${Math.floor(world.clock.now().getTime() / TOKEN_MS)}`
    const client =
      known.get(key) ?? (who === 'desk' ? await world.as('admin') : await world.as('guest', person(`Guest${who}`)))
    known.set(key, client)
    return client
  }
}

async function act(sale: Sale, one: MoneyStep): Promise<void> {
  const { server, double, as, orders, events } = sale
  const { world } = server
  world.clock.forward(1_000)
  const about = 'order' in one ? orders[one.order] : undefined
  const guest = about && (await as(about.guest))
  const link = about && double.links().findLast(({ reference }) => reference === about.code)
  switch (one.do) {
    case 'order': {
      const buyer = await as(one.guest)
      const key = crypto.randomUUID()
      const asked = { quantity: one.quantity, provider: 'razorpay' }
      const reply = await place(buyer, asked, key)
      if (one.again) await place(buyer, asked, key)
      const { code } = (reply.body.order ?? {}) as Partial<Order>
      if (code !== undefined && !orders.some((known) => known.code === code)) orders.push({ code, guest: one.guest })
      return
    }
    case 'pay':
      if (!link) return
      if (one.how === 'payLate') double.payLate(link.id, 30 * 60_000)
      else if (one.how === 'authorize') double.authorize(link.id, 30 * 60_000)
      else double[one.how](link.id)
      return double.run()
    case 'letGo':
      await guest?.request('POST', `/api/orders/${about?.code}/cancel`)
      return
    case 'look':
      await guest?.request('GET', `/api/orders/${about?.code}`)
      return
    case 'cancelTicket': {
      const reply = await guest?.request('GET', `/api/orders/${about?.code}`)
      const ticket = ((reply?.body.order as WholeOrder | undefined)?.tickets as Ticket[] | undefined)?.find(
        ({ status }) => status === 'active',
      )
      if (ticket) await guest?.request('PATCH', `/api/tickets/cancel/${ticket._id}`, { reason: 'Away' })
      return
    }
    case 'bounce': {
      // What the provider gave back by itself was never captured, so it cannot come back.
      const captured = link?.payments.filter(({ capturedAt }) => capturedAt !== null) ?? []
      const refund = captured.flatMap(({ refunds }) => refunds).find(({ status }) => status === 'processed')
      if (refund) double.bounce(refund.id)
      return double.run()
    }
    case 'refund': {
      const body = { all: true, reason: 'Rain', ...(one.all ? { includeUsed: true } : {}) }
      const key = { 'Idempotency-Key': crypto.randomUUID() }
      if (about) await (await as('desk')).request('POST', `/api/admin/orders/${about.code}/refund`, body, key)
      return
    }
    case 'atDashboard': {
      const payment = link?.payments.find(({ capturedAt }) => capturedAt !== null)
      const failed = server.row("select coalesce(sum(amount_paise), 0) as paise from refunds where state = 'failed'")
      const paise = one.paise === 'failed' ? Number(failed?.paise) : one.paise
      const asked = payment && { paymentId: payment.id, paise, key: crypto.randomUUID() }
      // The provider may refuse, or not answer.
      if (asked) await world.deps.providers.razorpay?.refund(asked).catch(() => undefined)
      return double.run()
    }
    case 'deliver': {
      const [event] = events.splice(events.length === 0 ? 0 : one.event % events.length, 1)
      for (let n = 0; event && n < one.times; n += 1) await deliver(sale, event)
      return
    }
    case 'fault':
      return double.setFaults({ [one.name]: one.share })
    case 'work':
      return work(sale)
    case 'pass':
      return world.clock.forward(one.minutes * 60_000)
  }
}

async function deliver({ server }: Sale, { body, headers }: Webhook): Promise<void> {
  await server.world.app.request('/api/webhooks/razorpay', { method: 'POST', body, headers })
}

async function work({ server, double }: Sale): Promise<void> {
  const { deps } = server.world
  await double.run()
  await runJobs(deps, 'money')
  await moneyRound(deps)
}

/** Nothing fails any more. The waiting messages arrive, newest first and some of them twice, and three days pass. */
async function settleWholeSale(sale: Sale): Promise<void> {
  const { server, double, events } = sale
  const { clock, deps } = server.world
  double.setFaults(NO_FAULTS)
  for (const minutes of [0, 16, 20, 60, 90, 180, 720, 1_440, 1_440]) {
    clock.forward(minutes * 60_000)
    await double.run()
    for (const event of events.splice(0).toReversed()) {
      await deliver(sale, event)
      if (minutes === 16) await deliver(sale, event)
    }
    await work(sale)
    // What the server does at its start and daily.
    if (minutes >= 720) {
      await catchUp(deps)
      await checkEndedRefunds(deps)
      await work(sale)
    }
  }
}

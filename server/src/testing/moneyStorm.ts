import { randomUUID } from 'node:crypto'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { NO_FAULTS } from '../double/bank.ts'
import { runJobs } from '../flows/money/upkeep/jobs.ts'
import { moneyRound } from '../flows/money/upkeep/keepMoney.ts'
import { wrongInAccounts } from './accounts.ts'
import { must } from './desk.ts'
import { dice, type Random } from './dice.ts'
import { place } from './money.ts'
import { eventForm } from './scenes.ts'
import { type Client, makeWorld, PAYING, type World } from './world.ts'

/** The same share of every fault the double knows. */
const faultsOf = (share: number) => Object.fromEntries(Object.keys(NO_FAULTS).map((name) => [name, share]))

interface Storm {
  seed: number
  orders: number
  /** The share of each fault while it lasts; none afterwards. */
  faults: number
  whenOver: (undo: () => Promise<void>) => void
  progress?: (done: number) => void
}

/**
 * Guests order, pay, fail, pay late, cancel orders or tickets, or do nothing, while the provider and the network fail;
 * then a day passes in which nothing fails. Returns what is wrong: links that could be paid while their seats were
 * given up, and afterwards what the accountant finds, and orders for which our money is not the provider's.
 */
export async function moneyStorm({
  seed,
  orders,
  faults,
  whenOver,
  progress = () => undefined,
}: Storm): Promise<string[]> {
  const world = await makeWorld({ settings: PAYING, whenOver, limits: { user: 1e9, address: 1e9 } })
  const admin = await world.as('admin')
  // Too few seats for all, so that late money meets a full house.
  await must(admin.request('POST', '/api/event', eventForm({ totalTickets: Math.ceil(orders * 1.2) })))
  const random = dice(seed)
  const loose = new Set<string>()
  world.double.setFaults(faultsOf(faults))
  for (let number = 1; number <= orders; number += 1) {
    await oneGuest(world, random, number)
    if (random() < 0.2) world.clock.forward(Math.floor(random() * 240_000))
    if (random() < 0.1) await work(world)
    for (const finding of await looseLinks(world)) loose.add(finding)
    progress(number)
  }
  world.double.setFaults(NO_FAULTS)
  for (let quarter = 0; quarter < 24 * 4; quarter += 1) {
    world.clock.forward(15 * 60_000)
    await work(world)
    for (const finding of await looseLinks(world)) loose.add(finding)
  }
  return [...loose, ...(await wrongInAccounts(world)), ...(await againstTheBank(world))]
}

async function work(world: World): Promise<void> {
  await world.double.run()
  await runJobs(world.deps, 'money')
  await moneyRound(world.deps)
}

async function oneGuest(world: World, random: Random, number: number): Promise<void> {
  const guest = await world.as('guest', {
    uid: `uid-${number}`,
    email: `guest${number}@example.org`,
    name: `Guest ${number}`,
  })
  const key = randomUUID()
  const asked = { quantity: 1 + Math.floor(random() * 5), provider: 'razorpay' }
  const reply = await place(guest, asked, key)
  if (reply.status !== 201) return
  // An impatient guest taps again.
  if (random() < 0.2) await place(guest, asked, key)
  const { code } = reply.body.order as Order
  const link = world.double.links().findLast(({ reference }) => reference === code)
  if (!link) return
  const choice = random()
  if (choice < 0.1) world.double.fail(link.id)
  if (choice < 0.6) world.double.pay(link.id)
  else if (choice < 0.7) world.double.payLate(link.id, Math.floor(random() * 3_600_000))
  else if (choice < 0.75) world.double.authorize(link.id, Math.floor(random() * 3_600_000))
  else if (choice < 0.85) await guest.request('POST', `/api/orders/${code}/cancel`)
  if (random() < 0.5) await guest.request('GET', `/api/orders/${code}`)
  if (random() < 0.1) await cancelOne(guest)
}

async function cancelOne(guest: Client): Promise<void> {
  const { tickets } = await must(guest.request('GET', '/api/tickets/my-tickets'))
  const [ticket] = tickets as Ticket[]
  if (ticket) await guest.request('PATCH', `/api/tickets/cancel/${ticket.id}`, { reason: 'Away' })
}

/** Seats stay held until nobody can pay for them any more. */
export async function looseLinks({ sql, double }: Pick<World, 'sql' | 'double'>): Promise<string[]> {
  const held = new Set((await sql("select code from orders where state = 'held'")).map(({ code }) => String(code)))
  return double
    .links()
    .filter(({ status, reference }) => status === 'created' && !held.has(reference))
    .map(({ reference }) => `${reference}: its seats were given up while it could be paid`)
}

/** Each payment the provider captured is ours, nothing more; each refund is what it says; and nothing is left undone. */
export async function againstTheBank(world: Pick<World, 'sql' | 'double'>): Promise<string[]> {
  const ours = new Map(
    (
      await world.sql(`
        select o.code as code, count(*) as n from payments p join orders o on o.id = p.order_id
        where p.state = 'captured' group by o.code`)
    ).map(({ code, n }) => [String(code), Number(n)]),
  )
  const fulfilled = new Set(
    (await world.sql("select code from orders where state = 'paid'")).map(({ code }) => String(code)),
  )
  const wrong = world.double.links().flatMap(({ reference, payments, status }) => {
    if (status === 'paid' && !fulfilled.has(reference)) return [`${reference}: paid in time, and has no tickets`]
    const theirs = payments.filter(({ capturedAt }) => capturedAt !== null).length
    const known = ours.get(reference) ?? 0
    return theirs === known ? [] : [`${reference}: the provider captured ${theirs} payments, we know ${known}`]
  })
  const states = new Map(
    (await world.sql('select provider_refund_id as id, state from refunds')).map(({ id, state }) => [id, state]),
  )
  for (const { id, status } of world.double
    .links()
    .flatMap(({ payments }) => payments.flatMap(({ refunds }) => refunds)))
    if (states.get(id) !== (status === 'processed' ? 'done' : status))
      wrong.push(`${id}: a refund that is ${status} at the provider and ${states.get(id)} for us`)
  const waiting = await world.sql(
    "select id, last_error from jobs where ended_at is null and kind <> 'mail' union all select id, last_error from refunds where state in ('requested', 'asking', 'sent')",
  )
  return [...wrong, ...waiting.map((row) => `still waiting: ${JSON.stringify(row)}`)]
}

import { randomUUID } from 'node:crypto'
import type { DeviceBlock } from '@garba/shared/contracts/phones/block'
import { NO_FAULTS } from '../../double/bank.ts'
import { endLeases } from '../../flows/doorSales/deviceBlocks.ts'
import { runJobs } from '../../flows/money/upkeep/jobs.ts'
import { moneyRound } from '../../flows/money/upkeep/keepMoney.ts'
import { wrongInTables } from '../accounts.ts'
import { must } from '../desk.ts'
import { attempt, type Evening, nowOf, oneOf, somebody, upTo } from './crew.ts'

/** One slip as sellers write it, and numbers that no bank line has. */
const LIES = ['4711', '47-11', '004711', '632900000001', '632900000002'] as const

/** A seller says that tickets were paid by card or UPI, and gives a number that is invented or was given before. */
export async function lie(evening: Evening): Promise<void> {
  const actor = somebody(evening, 'sell')
  const method = evening.random() < 0.7 ? 'card' : 'upi'
  const reference = oneOf(evening, LIES)
  await attempt(evening, {
    ...{ what: `a lie about ${method}`, actor, may: null, method: 'POST', path: '/api/admin/orders' },
    headers: { 'Idempotency-Key': randomUUID() },
    body: { quantity: upTo(evening, 3), method, name: 'Nobody', reference },
  })
}

const EACH_MOST = 20

/** A guest orders as much as they can and pays nothing. */
export async function hold(evening: Evening): Promise<void> {
  const { world, findings } = evening
  const actor = somebody(evening, 'buy')
  if (actor.phone) return
  const { status } = await attempt(evening, {
    ...{ what: 'a hold', actor, may: null, method: 'POST', path: '/api/orders' },
    headers: { 'Idempotency-Key': randomUUID() },
    body: { quantity: upTo(evening, EACH_MOST), provider: 'razorpay' },
  })
  if (status !== 201) return
  const [seats] = await world.sql(`
    select e.total_tickets - e.taken_seats as free, coalesce(sum(o.quantity), 0) as unpaid, max(o.quantity) as most
    from events e left join orders o on o.event_id = e.id and o.state = 'held'
      and not exists (select 1 from payments p where p.order_id = o.id and p.state = 'captured')
    where e.closed_at is null group by e.id`)
  const [free, unpaid, most] = [seats?.free, seats?.unpaid, seats?.most].map(Number) as [number, number, number]
  if (unpaid > Math.ceil((free + unpaid) / 2)) findings.add(`${unpaid} seats unpaid, ${free} free`)
  if (most > EACH_MOST) findings.add(`${most} seats unpaid for one person`)
}

/** A phone sells one of its codes for cash or by card, and reports it only after the event was closed. */
export async function sellLate(evening: Evening): Promise<void> {
  const actor = oneOf(
    evening,
    evening.actors.filter(({ phone, powers, endedAt }) => phone && endedAt === undefined && powers.has('sell')),
  )
  if (!actor) return
  const call = { actor, may: null, path: '/api/devices/blocks' }
  const { body } = await attempt(evening, { ...call, what: 'a late codes draw', method: 'POST', body: { size: 2 } })
  const code = (body.block as DeviceBlock | undefined)?.codes[0]
  if (!code) return
  const method = evening.random() < 0.6 ? 'cash' : 'card'
  const soldAt = new Date(nowOf(evening)).toISOString()
  evening.late.push({ actor, sale: { key: randomUUID(), ticketIds: [code.ticketId], method, soldAt } })
}

const AFTER_EVENT = '2025-09-24T12:00:00Z'

/** The event ends and is closed, and then the late phones report. The accountant must find each of their sales on a list. */
export async function closeAndReport({ world, late, findings }: Evening): Promise<void> {
  world.clock.set(AFTER_EVENT)
  // The provider's faults are over, so that every hold ends.
  world.double.setFaults(NO_FAULTS)
  for (let round = 0; round < 3; round += 1) {
    world.clock.forward(600_000)
    await world.double.run()
    await runJobs(world.deps, 'money')
    await moneyRound(world.deps)
  }
  await endLeases(world.deps)
  const [event] = await world.sql('select id from events where closed_at is null')
  const admin = await world.as('admin')
  await must(admin.request('POST', `/api/admin/events/${event?.id}/close`, { anyway: true }))
  for (const { actor, sale } of late)
    await must((await actor.client()).request('POST', '/api/devices/sales', { sales: [sale] })).catch(
      (error: unknown) => findings.add(`a late report by ${actor.name} failed: ${String(error)}`),
    )
  for (const finding of await wrongInTables(world)) findings.add(`after the closing: ${finding}`)
}

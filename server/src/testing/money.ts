import { randomUUID } from 'node:crypto'
import type { Order, WholeOrder } from '@garba/shared/contracts/order'
import { runJobs } from '../flows/money/upkeep/jobs.ts'
import { moneyRound } from '../flows/money/upkeep/keepMoney.ts'
import { must } from './desk.ts'
import { putOnSale } from './scenes.ts'
import { type Client, makeWorld, PAYING, type Reply, type World } from './world.ts'

/** A world in which tickets are paid for, with an event on sale. */
export async function payingWorld({
  event = {},
  settings = {},
}: {
  event?: Record<string, unknown>
  settings?: Record<string, string>
} = {}): Promise<World> {
  const world = await makeWorld({ settings: { ...PAYING, ...settings } })
  await putOnSale(world, event)
  return world
}

export const place = (guest: Client, body: Record<string, unknown>, key: string = randomUUID()): Promise<Reply> =>
  guest.request('POST', '/api/orders', body, { 'Idempotency-Key': key })

/** Places an order that is paid through the provider's link. */
export async function ordered(guest: Client, quantity = 1): Promise<Order> {
  const reply = await place(guest, { quantity, provider: 'razorpay' })
  if (reply.status !== 201) throw new Error(`The order was refused: ${JSON.stringify(reply.body)}`)
  return reply.body.order as Order
}

export const orderOf = async (client: Client, code: string): Promise<WholeOrder> =>
  (await must(client.request('GET', `/api/orders/${code}`))).order as WholeOrder

/** The provider's id of the link of an order. */
export function linkOf({ double }: Pick<World, 'double'>, code: string): string {
  const link = double.links().find(({ reference }) => reference === code)
  if (!link) throw new Error(`There is no link for order ${code}`)
  return link.id
}

/** The provider delivers what it has to tell, and the server does the work that is due. */
export async function settleMoney({ double, deps }: World): Promise<void> {
  await double.run()
  await runJobs(deps, 'money')
  await runJobs(deps, 'mail')
}

/** Minutes pass, and each is a round of the server's own questions. */
export async function minutesPass(world: World, minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    world.clock.forward(60_000)
    await settleMoney(world)
    await moneyRound(world.deps)
  }
}

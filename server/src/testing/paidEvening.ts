import { randomUUID } from 'node:crypto'
import type { CashSession } from '@garba/shared/contracts/money/cash'
import type { Order, WholeOrder } from '@garba/shared/contracts/order'
import type { Block } from '@garba/shared/contracts/phones/block'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { activate, paperBlock } from './blocks.ts'
import { must } from './desk.ts'
import { linkOf, ordered, orderOf, place, settleMoney } from './money.ts'
import { codeOf, mark, person, putOnSale } from './scenes.ts'
import { type Client, makeWorld, PAYING, type World } from './world.ts'

/** What an evening by the rules leaves: each way to pay, a refund of each kind, a counted drawer, paper, and a double admission. */
export interface PaidEvening {
  world: World
  /** Two tickets paid through the provider; the first let two people in. */
  paid: WholeOrder
  /** Two paid tickets, one cancelled by its guest. */
  cancelled: WholeOrder
  /** One ticket that the organiser paid back. */
  refunded: WholeOrder
  upi: WholeOrder
  held: Order
  cash: Order
  given: Order
  drawer: CashSession
  paper: Block
}

export const UTR = '412345678901'

const keyed = () => ({ 'Idempotency-Key': randomUUID() })
const guest = (world: World, name: string): Promise<Client> => world.as('guest', person(name))

async function paidBy(world: World, client: Client, quantity: number): Promise<WholeOrder> {
  const { code } = await ordered(client, quantity)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  return orderOf(client, code)
}

const sold = async (admin: Client, sale: Record<string, unknown>): Promise<Order> =>
  (await must(admin.request('POST', '/api/admin/orders', { quantity: 1, name: 'Meera', ...sale }, keyed())))
    .order as Order

const opened = async (admin: Client): Promise<CashSession> =>
  (await must(admin.request('POST', '/api/admin/cash-sessions', { float: 500 }))).session as CashSession

export async function paidEvening(whenOver: (undo: () => Promise<void>) => void): Promise<PaidEvening> {
  const world = await makeWorld({ settings: PAYING, whenOver })
  await putOnSale(world, { totalTickets: 60 })
  const admin = await world.as('admin')
  const paid = await paidBy(world, await guest(world, 'Asmita'), 2)
  const bina = await guest(world, 'Bina')
  const bought = await paidBy(world, bina, 2)
  await must(bina.request('PATCH', `/api/tickets/cancel/${bought.tickets[0]?._id}`, { reason: 'Away' }))
  const cancelled = await orderOf(bina, bought.code)
  const chirag = await guest(world, 'Chirag')
  const { code } = await paidBy(world, chirag, 1)
  await must(admin.request('POST', `/api/admin/orders/${code}/refund`, { all: true, reason: 'Rain' }, keyed()))
  await settleMoney(world)
  const refunded = await orderOf(chirag, code)

  const divya = await guest(world, 'Divya')
  const claimed = (await must(place(divya, { quantity: 1, provider: 'upi' }))).order as Order
  await must(divya.request('POST', `/api/orders/${claimed.code}/utr`, { utr: UTR }))
  await must(admin.request('POST', `/api/admin/orders/${claimed.code}/confirm`, { amount: claimed.total, utr: UTR }))
  const held = await ordered(await guest(world, 'Esha'), 3)

  const first = await opened(admin)
  const cash = await sold(admin, { method: 'cash' })
  const counted = { counted: 790, note: 'Nine short' }
  const drawer = (await must(admin.request('POST', `/api/admin/cash-sessions/${first.id}/close`, counted))).session
  await opened(admin)
  const given = await sold(admin, { method: 'complimentary', reason: 'Dhol players' })
  const paper = await paperBlock(admin, 5)
  await must(activate(admin, paper, { from: 1, to: 2 }))
  await letInTwice(world, paid.tickets[0])
  return {
    ...{ world, paid, cancelled, refunded, held, cash, given, paper },
    upi: await orderOf(divya, claimed.code),
    drawer: drawer as CashSession,
  }
}

async function letInTwice(world: World, ticket: Ticket | undefined): Promise<void> {
  if (!ticket) throw new Error('There is no ticket')
  const checker = await world.as('qrchecker')
  await must(mark(checker, { qrCode: codeOf(ticket), scanId: randomUUID(), deviceId: 'gate-a' }))
  world.clock.forward(60_000)
  const scan = {
    ...{ qrCode: codeOf(ticket), scanId: randomUUID(), deviceId: 'gate-b', admittedOffline: true },
    scannedAt: world.clock.now().toISOString(),
  }
  const { results } = await must(checker.request('POST', '/api/tickets/mark-used/batch', { scans: [scan] }))
  const [result] = results as { outcome?: string }[]
  if (result?.outcome !== 'conflict') throw new Error(`No double admission: ${JSON.stringify(results)}`)
}

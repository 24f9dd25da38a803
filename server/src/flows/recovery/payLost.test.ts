import type { FoundMoney, LostTicket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { must } from '../../testing/desk.ts'
import { lose } from '../../testing/losing.ts'
import { linkOf, ordered, orderOf, payingWorld, settleMoney } from '../../testing/money.ts'
import { codeOf, person } from '../../testing/scenes.ts'
import type { Client, World } from '../../testing/world.ts'
import { readBooks } from '../money/books.ts'
import { catchUp } from '../money/upkeep/keepMoney.ts'

const allAgrees = async (world: World) => expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])
const confirm = (admin: Client, { id }: { id: string } | undefined = { id: '' }, body: Record<string, unknown> = {}) =>
  admin.request('POST', `/api/admin/lost-tickets/${id}/confirm`, body)

/** Somebody who has paid for tickets, which the server has lost; it knows of the money again. */
async function bereft(quantity: number) {
  const world = await payingWorld()
  const guest = await world.as('guest')
  const { code } = await ordered(guest, quantity)
  const payment = world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const { tickets } = await orderOf(guest, code)
  const admin = await world.as('admin')
  const forget = async () => {
    await lose(world, tickets)
    await catchUp(world.deps)
    const codes = tickets.map(codeOf)
    await must(guest.request('POST', '/api/tickets/lost', { codes }))
    const { lost, money } = await must(admin.request('GET', '/api/admin/lost-tickets'))
    return { lost: lost as LostTicket[], money: money as FoundMoney[] }
  }
  return { world, guest, admin, code, payment, tickets, forget }
}

test('tickets that were bought together share the payment that the provider knows, and the order has its code again', async () => {
  const { world, guest, admin, code, tickets, forget } = await bereft(4)
  const { lost, money } = await forget()
  expect(money).toMatchObject([{ amount: 996 }])
  const waits = async () => (await must(admin.request('GET', '/api/admin/attention'))).attention as unknown[]
  for (const one of lost) {
    expect(await waits()).toHaveLength(1)
    const first = await must(confirm(admin, one, { money: money[0]?.id }))
    // Its answer may have been lost.
    expect(await must(confirm(admin, one, { money: money[0]?.id }))).toEqual(first)
    await allAgrees(world)
  }
  expect(await waits()).toEqual([])
  const whole = await orderOf(guest, code)
  expect(whole).toMatchObject({
    state: 'paid',
    quantity: 4,
    total: 996,
    payments: [{ amount: 996, state: 'captured' }],
  })
  expect(whole.tickets.map(({ _id, price }) => [_id, price]).toSorted()).toEqual(
    tickets.map(({ _id }) => [_id, 249]).toSorted(),
  )
  // As far as the provider is concerned nothing has changed.
  await catchUp(world.deps)
  await settleMoney(world)
  expect(await waits()).toEqual([])
  await allAgrees(world)
})

test('money that went back before pays no lost ticket', async () => {
  const { world, guest, admin, payment, tickets, forget } = await bereft(2)
  await must(guest.request('PATCH', `/api/tickets/cancel/${tickets[0]?._id}`, { reason: 'Away' }))
  await settleMoney(world)
  const { lost, money } = await forget()
  // An old phone offers both.
  expect(lost).toHaveLength(2)
  await must(confirm(admin, lost[0], { money: money[0]?.id }))
  expect((await confirm(admin, lost[1], { money: money[0]?.id })).body).toMatchObject({ code: 'LOST_MONEY_SHORT' })
  const { orders } = await must(guest.request('GET', '/api/orders/mine'))
  const [order] = orders as { code: string }[]
  expect(await orderOf(guest, order?.code ?? '')).toMatchObject({
    total: 299,
    payments: [{ amount: 598 }],
    refunds: [{ amount: 259, state: 'done' }],
  })
  // The organiser keeps 40 rupees of the cancelled ticket, which wait on the list.
  expect(await must(admin.request('GET', '/api/admin/attention'))).toMatchObject({
    attention: [{ kind: 'unknown', order: order?.code, detail: expect.stringContaining(payment.id) }],
  })
  await allAgrees(world)
})

test('money that another admin settles while the provider is asked pays no lost ticket', async () => {
  const { world, admin, forget } = await bereft(1)
  const { lost, money } = await forget()
  const { razorpay } = world.deps.providers
  if (!razorpay) throw new Error('No provider')
  const settled = { resolution: 'Paid back in cash' }
  const fetchLinkFacts: typeof razorpay.fetchLinkFacts = async (ref) => {
    await must(admin.request('POST', `/api/admin/attention/${money[0]?.id}/resolve`, settled))
    return razorpay.fetchLinkFacts(ref)
  }
  world.deps.providers.razorpay = { ...razorpay, fetchLinkFacts }
  expect((await confirm(admin, lost[0], { money: money[0]?.id })).body).toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('Paid back in cash'),
  })
  expect(await world.sql('select id from tickets')).toEqual([])
  await allAgrees(world)
})

test('a payment is one person’s', async () => {
  const { world, admin, tickets, forget } = await bereft(2)
  const { lost, money } = await forget()
  await must(confirm(admin, lost[0], { money: money[0]?.id }))
  const other = await world.as('guest', person('Radha'))
  await must(other.request('POST', '/api/tickets/lost', { codes: tickets.map(codeOf) }))
  const { lost: all } = await must(admin.request('GET', '/api/admin/lost-tickets'))
  const radhas = (all as LostTicket[]).find(({ holder, state }) => holder.name === 'Radha' && state === 'waiting')
  expect((await confirm(admin, radhas, { money: money[0]?.id })).body).toMatchObject({ code: 'LOST_MONEY_SHORT' })
  expect((await confirm(admin, lost[1], { money: '01K0000000000000000000000Z' })).body).toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a bank transfer or a reason stands for the payment where the provider knows none', async () => {
  const { world, guest, admin, forget } = await bereft(3)
  const { lost } = await forget()
  expect(await confirm(admin, lost[0])).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  for (const one of lost.slice(0, 2)) await must(confirm(admin, one, { utr: '412345678901' }))
  await must(confirm(admin, lost[2], { reason: 'Bought at the stall' }))
  expect(
    await world.sql('select provider, quantity, total_paise as paise, reason from orders order by provider'),
  ).toEqual([
    { provider: 'complimentary', quantity: 1, paise: 0, reason: 'Bought at the stall' },
    { provider: 'upi', quantity: 2, paise: 59_800, reason: null },
  ])
  expect((await must(guest.request('GET', '/api/tickets/my-tickets'))).tickets).toHaveLength(3)
  await allAgrees(world)
})

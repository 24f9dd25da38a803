import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { brokenRules, paperBlock } from '../../src/testing/blocks.ts'
import { must } from '../../src/testing/desk.ts'
import { allot, attention, kept, openDrawer, replay, sellOnline } from '../../src/testing/door.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { person } from '../../src/testing/scenes.ts'

test('what a seller only claims to have taken is not paid back, to an accomplice who took the tickets over or to anybody', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const sold = (await must(sellOnline(phone, { method: 'card', reference: '0815', quantity: 2 }))).tickets as Ticket[]
  const body = { ticketIds: sold.map(({ _id }) => _id), purpose: 'offer' }
  const { link } = await must((await phone.client()).request('POST', '/api/tickets/links', body))
  const friend = await world.as('guest', person('Friend'))
  await must(friend.request('POST', '/api/wallet/claim', { token: (link as { url: string }).url.split('#')[1] }))
  const [ticket] = (await must(friend.request('GET', '/api/tickets/my-tickets'))).tickets as Ticket[]
  await must(friend.request('PATCH', `/api/tickets/cancel/${ticket?._id}`, { reason: 'Away' }))

  const admin = await world.as('admin')
  const drawer = await openDrawer(admin, 500)
  const payBack = () => admin.request('PATCH', `/api/admin/tickets/${ticket?._id}/refund`, { isRefundDone: true })
  expect(await payBack()).toMatchObject({ status: 409, body: { code: 'MONEY_UNPROVEN' } })
  expect(await world.sql('select state from refunds')).toEqual([{ state: 'requested' }])
  expect(await world.sql(`select count(*) as n from refunds where cash_session_id = '${drawer}'`)).toEqual([{ n: 0 }])

  // Somebody has compared the terminal.
  const [matter] = await attention(world)
  await must(admin.request('POST', `/api/admin/attention/${matter?.id}/resolve`, { resolution: 'Slip found' }))
  await must(payBack())
  expect(await world.sql('select state from refunds')).toEqual([{ state: 'manual' }])
  expect(await brokenRules(admin)).toEqual([])
})

test('every way to sell without cash lists its claim: at the counter, on a phone, with its codes and on paper', async () => {
  const world = await payingWorld({ settings: { UPI_AT_DOOR: 'admit' } })
  const phone = await pairedPhone(world)
  const admin = await world.as('admin')
  const paper = await paperBlock(admin, 4)
  const counter = (sale: Record<string, unknown>, key = randomUUID()) =>
    must(
      admin.request('POST', '/api/admin/orders', { quantity: 1, name: 'Meera', ...sale }, { 'Idempotency-Key': key }),
    )
  const block = await allot(phone, 2)
  const numbers = Array.from({ length: 8 }, (_, n) => 632_910_118_000 + n)
  for (const [at, method] of (['card', 'upi'] as const).entries()) {
    const claimed = () => ({ method, reference: `${method === 'upi' ? '' : 'A'}${numbers.pop()}` })
    await counter(claimed())
    await must(sellOnline(phone, claimed()))
    expect(await replay(phone, kept(world, block, [at + 1], claimed()))).toMatchObject([{ success: true }])
    const range = { from: at + 1, to: at + 1, ...claimed() }
    const headers = { 'Idempotency-Key': randomUUID() }
    await must(admin.request('POST', `/api/admin/blocks/${paper.id}/activate`, range, headers))
  }
  const paid = await world.sql("select id from orders where state = 'paid'")
  const listed = await world.sql("select order_id as id from attention where kind = 'unproven' and resolved_at is null")
  expect(paid).toHaveLength(8)
  expect(listed.map(({ id }) => id).toSorted()).toEqual(paid.map(({ id }) => id).toSorted())
  expect(await brokenRules(admin)).toEqual([])
})

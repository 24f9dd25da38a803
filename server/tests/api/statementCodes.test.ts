import type { StatementLine } from '@garba/shared/contracts/money/statement'
import type { Order } from '@garba/shared/contracts/order'
import { shortenTicketId } from '@garba/shared/messages/common'
import { expect, test } from 'vitest'
import { moneyRound } from '../../src/flows/money/upkeep/keepMoney.ts'
import { newId } from '../../src/store/engine/sql.ts'
import { must } from '../../src/testing/desk.ts'
import { orderOf, payingWorld, place } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, World } from '../../src/testing/world.ts'

const importing = async (admin: Client, ...rows: readonly (readonly [words: string, credit: number])[]) => {
  const csv = ['Date,Narration,Credit', ...rows.map(([words, credit]) => `08/08/2025,${words},${credit}`)].join('\n')
  const body = { csv, mapping: { date: 0, description: 1, amount: 2 } }
  return (await must(admin.request('POST', '/api/admin/statements', body))).lines as StatementLine[]
}
/**
 * Until the next order's code begins otherwise. Ids count on from the one of the latest time, which may be of another
 * test in this process, and so two orders' codes can begin alike.
 */
function drawNewBeginning({ clock }: World): void {
  const draw = () => shortenTicketId(newId(clock.now())).slice(0, 5)
  const first = draw()
  while (draw() === first);
}
async function upiOrder(world: World, name: string, quantity = 1) {
  drawNewBeginning(world)
  const guest = await world.as('guest', person(name))
  return { guest, code: ((await place(guest, { quantity, provider: 'upi' })).body.order as Order).code }
}
const sbi = (rrn: string, remark: string) =>
  `DEP TFR UPI/CR/${rrn}/RADHA KI/UTIB/radhakisho/${remark} 0097732162091 AT 16587 X`

test('a cut code with the exact amount is a proposal that keeps the order and can be confirmed', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await upiOrder(world, 'Radha')
  const other = await upiOrder(world, 'Meera', 2)
  const lines = await importing(
    admin,
    [sbi('632910118785', code.slice(0, 4)), 299],
    // Too short, and another amount.
    [sbi('632910118786', other.code.slice(0, 3)), 598],
    [sbi('632910118787', other.code.slice(0, 5)), 299],
  )
  expect(Object.fromEntries(lines.map(({ utr, match, order }) => [utr, [match, order?.code]]))).toEqual({
    '632910118785': ['begins', code],
    '632910118786': ['unmatched', undefined],
    '632910118787': ['unmatched', undefined],
  })
  expect(await orderOf(guest, code)).toMatchObject({ state: 'held', creditSeen: true })
  world.clock.forward(17 * 60_000)
  await moneyRound(world.deps)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'held', creditSeen: true })
  expect((await orderOf(other.guest, other.code)).creditSeen).toBeUndefined()
  const ids = lines.map(({ id }) => id)
  expect(await must(admin.request('POST', '/api/admin/statements/confirm', { lines: ids }))).toMatchObject({
    confirmed: 1,
  })
  expect(await orderOf(guest, code)).toMatchObject({ state: 'paid' })
  expect(await world.sql('select utr, state from payments where utr is not null')).toEqual([
    { utr: '632910118785', state: 'captured' },
  ])
})

test('after a part payment a cut code is looked for with what is missing', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await upiOrder(world, 'Radha', 2)
  await must(admin.request('POST', `/api/admin/orders/${code}/confirm`, { amount: 299, utr: '632910118785' }))
  await importing(admin, [sbi('632910118786', code.slice(0, 5)), 598])
  expect((await orderOf(guest, code)).creditSeen).toBeUndefined()
  await importing(admin, [sbi('632910118787', code.slice(0, 5)), 299])
  expect(await orderOf(guest, code)).toMatchObject({ state: 'held', creditSeen: true, received: 299 })
})

test('where the bank keeps no remark, an amount that one order waits for is a weaker proposal', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await upiOrder(world, 'Radha')
  const [line] = await importing(admin, ['UPIAB/632910118785/CR/RADHA/UTIB/radha@ybl', 299])
  expect(line).toMatchObject({ match: 'amount', order: { code } })
  expect((await orderOf(guest, code)).creditSeen).toBeUndefined()
  // Another bank would have had the code.
  expect(await importing(admin, ['UPI/MOB/632910118786/thanks', 299])).toContainEqual(
    expect.objectContaining({ utr: '632910118786', match: 'unmatched' }),
  )
  await upiOrder(world, 'Meera')
  const [again] = await importing(admin, ['UPIAB/632910118785/CR/RADHA/UTIB/radha@ybl', 299])
  expect((await must(admin.request('GET', '/api/admin/statements'))).lines).not.toContainEqual(
    expect.objectContaining({ match: 'amount' }),
  )
  expect(again).toBeDefined()
})

test('an order whose buyer gave another UTR is not proposed by the amount alone', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { guest, code } = await upiOrder(world, 'Radha')
  await must(guest.request('POST', `/api/orders/${code}/utr`, { utr: '632910118799' }))
  expect(await importing(admin, ['UPI/632910118785/RADHA', 299])).toMatchObject([{ match: 'unmatched' }])
})

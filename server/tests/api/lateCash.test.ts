import type { CashSessionsAnswer } from '@garba/shared/contracts/money/cash'
import type { BooksLine } from '@garba/shared/contracts/order'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { allot, ask, attention, countDrawer, kept, openDrawer, replay } from '../../src/testing/door.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { pairedPhone } from '../../src/testing/phone.ts'

/** An event that is over and closed, while a phone has sold tickets that it has not reported. */
async function closedWorld() {
  const world = await payingWorld()
  const { id } = (await world.sql('select id from events'))[0] as { id: string }
  const phone = await pairedPhone(world, { rights: ['scan', 'sell'], until: '2025-09-30T12:00:00Z' })
  const drawer = await openDrawer(await phone.client())
  const block = await allot(phone, 10)
  const sale = kept(world, block, [1, 2, 3, 4, 5])
  const card = kept(world, block, [6], { method: 'card', reference: 'A1' })
  const admin = async () => world.as('admin')
  const cash = async () =>
    (await must((await admin()).request('GET', '/api/admin/cash-sessions'))) as unknown as CashSessionsAnswer
  const broken = async () =>
    ((await must((await admin()).request('GET', '/api/admin/books'))).books as BooksLine[]).filter(({ ok }) => !ok)
  const close = async () => {
    await must(countDrawer(await phone.client(), drawer, 0))
    world.clock.set('2025-09-24T12:00:00Z')
    const { matters } = await must((await admin()).request('GET', `/api/admin/events/${id}/open-matters`))
    await must((await admin()).request('POST', `/api/admin/events/${id}/close`, { anyway: true }))
    return matters
  }
  return { world, phone, sale, card, admin, cash, broken, close }
}

test('cash that a phone reports after the closing is on the list of late cash and a matter, until somebody ticks it off', async () => {
  const { world, phone, sale, card, admin, cash, broken, close } = await closedWorld()
  // The phone has unsold codes and has not been heard of since the end.
  expect(await close()).toContainEqual({ kind: 'phonesSilent', count: 1 })
  expect((await cash()).arrivedLater).toEqual([])
  expect(await replay(phone, sale, card)).toMatchObject([{ success: true }, { success: true }])
  await replay(phone, sale)
  expect((await cash()).arrivedLater).toMatchObject([{ sales: 1, amount: 1245 }])
  const late = (await attention(world)).filter(({ kind }) => kind === 'afterClosing')
  expect(late).toMatchObject([{ amount: 1245 }, { amount: 299 }])
  expect(await broken()).toEqual([])
  // The desk is told too while another event is the current one.
  for (const { id } of late)
    await must(
      (await admin()).request('POST', `/api/admin/attention/${id}/resolve`, { resolution: 'Counted, in the safe' }),
    )
  expect((await cash()).arrivedLater).toEqual([])
  expect(await broken()).toEqual([])
})

test('the books name cash of a closed event that is on no list', async () => {
  const { world, phone, sale, broken, close } = await closedWorld()
  await close()
  await replay(phone, sale)
  await world.sql("delete from attention where kind in ('afterClosing', 'phoneEnded')")
  expect(await broken()).toMatchObject([{ rule: 'drawersAddUp', examples: [expect.stringContaining('₹1,245')] }])
})

test('a phone that has reported since the end is not missed', async () => {
  const { world, phone, close } = await closedWorld()
  world.clock.set('2025-09-24T11:00:00Z')
  await must(ask(phone, 'GET', `/api/scanner/roster?deviceId=${phone.id}&unsent=0`))
  expect(JSON.stringify(await close())).not.toContain('phonesSilent')
})

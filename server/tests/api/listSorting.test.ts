import type { AuditRow } from '@garba/shared/contracts/desk'
import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { bought, codeOf, mark, putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld, type World } from '../../src/testing/world.ts'

/** Three buyers: the second came in, and the third gave one ticket back. */
async function threeBuyers(): Promise<World> {
  const world = await makeWorld()
  await putOnSale(world)
  for (const [at, name] of ['charu Shah', 'Asha Patel', 'Bela Rao'].entries()) {
    world.clock.forward(1_000)
    const guest = await world.as('guest', { uid: `uid-${at}`, email: `${at}@example.org`, name })
    const [ticket] = await bought(guest, at === 0 ? 4 : 1)
    if (at === 1) await mark(await world.as('qrchecker'), { qrCode: codeOf(ticket), scanId: crypto.randomUUID() })
    if (at === 2) await guest.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: 'A wedding' })
  }
  return world
}

test('each list is sorted by its columns, both ways, with the same filters and pages', async () => {
  const world = await threeBuyers()
  const admin = await world.as('admin')
  const list = async (path: string) => must(admin.request('GET', `/api${path}`))
  const holders = async (query: string) => {
    const { tickets } = await list(`/admin/tickets/management?${query}`)
    return [...new Set((tickets as { user: { name: string } }[]).map(({ user }) => user.name.split(' ')[0]))].join(' ')
  }
  expect(await holders('')).toBe('Bela Asha charu')
  expect(await holders('sort=')).toBe('Bela Asha charu')
  expect(await holders('sort=bought')).toBe('charu Asha Bela')
  expect(await holders('sort=holder')).toBe('Asha Bela charu')
  expect(await holders('sort=-holder')).toBe('charu Bela Asha')
  expect(await holders('sort=price')).toBe('charu Asha Bela')
  // Tickets that were not used are last in both orders.
  expect((await holders('sort=entry')).split(' ')[0]).toBe('Asha')
  expect((await holders('sort=-entry')).split(' ')[0]).toBe('Asha')
  expect((await holders('sort=refund')).split(' ')[0]).toBe('Bela')
  expect(await holders('sort=status')).toBe('charu Bela Asha')
  expect(await holders('sort=holder&status=active')).toBe('charu')
  expect(await holders('sort=holder&limit=1&page=2')).toBe('Bela')

  const buyers = async (query: string) => {
    const { orders } = await list(`/admin/orders?${query}`)
    return (orders as { buyer: { name: string } }[]).map(({ buyer }) => buyer.name.split(' ')[0]).join(' ')
  }
  expect(await buyers('sort=buyer')).toBe('Asha Bela charu')
  expect(await buyers('sort=-quantity&limit=1')).toBe('charu')
  expect(await buyers('sort=amount')).toBe('Asha Bela charu')

  const people = async (query: string) => {
    const { users } = await list(`/admin/users?role=guest&${query}`)
    return (users as { name: string }[]).map(({ name }) => name.split(' ')[0]).join(' ')
  }
  expect(await people('sort=user')).toBe('Asha Bela charu')
  expect(await people('sort=-email')).toBe('Bela Asha charu')
  expect(await people('sort=joined')).toBe('charu Asha Bela')

  const actors = async (query: string) => {
    const { rows } = await list(`/admin/audit?limit=100&${query}`)
    return (rows as AuditRow[]).map(({ actorName }) => actorName)
  }
  const ascending = await actors('sort=actor')
  expect(ascending).toEqual(ascending.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())))
  expect(await actors('sort=-actor')).toEqual(ascending.toReversed())
})

testOnSqlite('a column that a list does not have is refused', async () => {
  const admin = await (await makeWorld()).as('admin')
  for (const path of ['users', 'tickets/management', 'orders', 'audit']) {
    const answer = await admin.request('GET', `/api/admin/${path}?sort=search_text`)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  }
})

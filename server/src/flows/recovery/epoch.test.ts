import { EPOCH_HEADER } from '@garba/shared/constants'
import type { RosterAnswer } from '@garba/shared/contracts/phones/scan'
import { expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { raiseEpoch } from '../../store/epoch.ts'
import { testOnSqlite } from '../../testing/database.ts'
import { bought, putOnSale } from '../../testing/scenes.ts'
import { makeWorld } from '../../testing/world.ts'
import { ensureEpoch } from './epoch.ts'

test('every answer of the API names the same epoch: data, refusals, what is not there, and live views', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const checker = await world.as('qrchecker')
  const answers = await Promise.all([
    world.nobody.fetch('GET', '/api/config'),
    world.nobody.fetch('GET', '/api/event'),
    world.nobody.fetch('GET', '/api/tickets/my-tickets'),
    world.nobody.fetch('POST', '/api/auth/signin', { body: '{' }),
    world.nobody.fetch('GET', '/api/no-such-call'),
    checker.fetch('GET', '/api/scanner/live'),
    checker.fetch('GET', '/api/openapi.json'),
  ])
  world.stopping.abort()
  const tokens = new Set(answers.map(({ headers }) => headers.get(EPOCH_HEADER)))
  expect(tokens).toEqual(new Set(['0']))
})

testOnSqlite('a new epoch gives every ticket a new revision, and every device of before the whole list', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const guest = await world.as('guest')
  const checker = await world.as('qrchecker')
  await bought(guest, 3)
  const before = (await checker.request('GET', '/api/scanner/roster')).body as unknown as RosterAnswer

  const now = world.clock.now()
  expect(await world.deps.store.write((tx) => raiseEpoch(tx, now))).toBe(now.getTime())
  expect(await world.deps.store.write((tx) => raiseEpoch(tx, now))).toBe(now.getTime() + 1)
  const epoch = await ensureEpoch(world.deps)
  expect(epoch.number).toBe(now.getTime() + 1)
  const app = createApp({ ...world.deps, epoch })
  const roster = async (since: number): Promise<RosterAnswer> => {
    const headers = { authorization: `Bearer ${checker.token}` }
    return (await app.request(`/api/scanner/roster?since=${since}`, { headers })).json()
  }
  for (const since of [0, before.revision, before.revision + 500_000, epoch.revision - 1])
    expect(await roster(since)).toMatchObject({ full: true, revision: epoch.revision, tickets: [{}, {}, {}] })
  expect(await roster(epoch.revision)).toMatchObject({ full: false, tickets: [] })
  await bought(guest)
  expect(await roster(epoch.revision)).toMatchObject({ full: false, tickets: [{}] })
})

import { CALLS } from '@garba/shared/calls/calls'
import { expect, test } from 'vitest'
import { routes } from '../../src/http/routes/index.ts'
import { type Client, makeWorld } from '../../src/testing/world.ts'

const ID = '01K0000000000000000000000Z'

/** Written by hand, independently of the contract table that the server uses. */
const ADMIN_ONLY = [
  ['POST', '/event'],
  ['PUT', '/event'],
  ['POST', `/admin/events/${ID}/close`],
  ['GET', '/tickets/admin/all'],
  ['PATCH', `/tickets/admin/${ID}/status`],
  ['PATCH', `/admin/tickets/${ID}/refund`],
  ['PATCH', `/admin/users/${ID}/role`],
  ['DELETE', `/admin/users/${ID}`],
  ['GET', '/admin/tickets/management'],
  ['PATCH', '/admin/tickets/bulk-update'],
  ['DELETE', `/admin/tickets/${ID}`],
  ['GET', '/admin/tickets/export?format=csv'],
  ['GET', '/admin/tickets/export?format=json'],
  ['GET', '/admin/system/health'],
  ['POST', `/admin/gate/conflicts/${ID}/acknowledge`],
  ['GET', '/admin/audit'],
  ['GET', '/admin/audit/export'],
] as const

const READERS = [
  '/tickets/admin/stats',
  '/admin/events',
  '/admin/users',
  '/admin/users/count',
  '/admin/analytics/dashboard',
  '/admin/gate',
  '/admin/gate/live',
] as const

const ROLES = ['guest', 'qrchecker', 'manager', 'admin'] as const

/** Who gets what from a call. None of these calls changes anything here: each is for a row that is not there, or has no body. */
async function statusesOf(calls: readonly (readonly [method: string, path: string])[]) {
  const world = await makeWorld()
  const people: [string, Client][] = [['nobody', world.nobody]]
  for (const role of ROLES) people.push([role, await world.as(role)])
  const found: Record<string, string | number>[] = []
  for (const [method, path] of calls) {
    const statuses: Record<string, number> = {}
    for (const [who, client] of people) {
      const response = await client.fetch(method, `/api${path}`)
      statuses[who] = response.status
      await response.body?.cancel()
    }
    found.push({ method, path, ...statuses })
  }
  return found
}

test('what is for admins is refused to everyone else, including managers', async () => {
  const refused = { nobody: 401, guest: 403, qrchecker: 403, manager: 403 }
  const found = await statusesOf(ADMIN_ONLY)
  expect(found).toEqual(ADMIN_ONLY.map(([method, path]) => ({ method, path, ...refused, admin: expect.any(Number) })))
  expect(found.filter(({ admin }) => admin === 401 || admin === 403)).toEqual([])
})

test('what managers may read too is refused to guests and checkers', async () => {
  const calls = READERS.map((path) => ['GET', path] as const)
  const statuses = { nobody: 401, guest: 403, qrchecker: 403, manager: 200, admin: 200 }
  expect(await statusesOf(calls)).toEqual(calls.map(([method, path]) => ({ method, path, ...statuses })))
})

test('every call of the contract has a handler', () => {
  expect(Object.keys(routes).sort()).toEqual(Object.keys(CALLS).sort())
})

import { CALLS } from '@garba/shared/calls/calls'
import { expect, test } from 'vitest'
import { makeWorld } from '../../testing/world.ts'
import { routes } from './index.ts'

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

test.each(ADMIN_ONLY)('%s %s is refused to everyone except admins, including managers', async (method, path) => {
  const world = await makeWorld()
  expect((await world.nobody.request(method, `/api${path}`)).status).toBe(401)
  for (const role of ['guest', 'qrchecker', 'manager'] as const) {
    const { status, body } = await (await world.as(role)).request(method, `/api${path}`)
    expect({ role, status, success: body.success }).toEqual({ role, status: 403, success: false })
  }
  const allowed = await (await world.as('admin')).request(method, `/api${path}`)
  expect([401, 403]).not.toContain(allowed.status)
})

test.each(READERS)('GET %s is for admins and managers', async (path) => {
  const world = await makeWorld()
  const statusFor = async (role: 'guest' | 'qrchecker' | 'manager' | 'admin') => {
    const response = await (await world.as(role)).fetch('GET', `/api${path}`)
    await response.body?.cancel()
    return response.status
  }
  expect((await world.nobody.request('GET', `/api${path}`)).status).toBe(401)
  expect(await statusFor('guest')).toBe(403)
  expect(await statusFor('qrchecker')).toBe(403)
  expect(await statusFor('manager')).toBe(200)
  expect(await statusFor('admin')).toBe(200)
})

test('every call of the contract has a handler', () => {
  expect(Object.keys(routes).sort()).toEqual(Object.keys(CALLS).sort())
})

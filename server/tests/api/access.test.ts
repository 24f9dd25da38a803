import type { Access, Call } from '@garba/shared/calls/call'
import { CALLS } from '@garba/shared/calls/calls'
import { RIGHTS, type Role } from '@garba/shared/contracts/names'
import type { CallName } from '@garba/shared/contracts/paths'
import { expect, test } from 'vitest'
import { pairedPhone } from '../../src/testing/phone.ts'
import { bought, codeOf, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld } from '../../src/testing/world.ts'

const ROLES: readonly Role[] = ['guest', 'qrchecker', 'manager', 'admin']
const NAMES = Object.keys(CALLS) as CallName[]
const UNKNOWN_ID = '01K0000000000000000000000Z'

const allows = (access: Access, role: Role): boolean =>
  access === 'anyone' || access === 'signedIn' || access.includes(role)

/** Invalid bodies, so that an allowed call changes nothing: access is checked first. */
async function attempt(client: Client, { method, path }: Call): Promise<{ status: number; code: unknown }> {
  const address = `/api${path.replace(/\{\w+\}/g, UNKNOWN_ID)}`
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{"nothing":"here"}' }
  const response = await client.fetch(method, address, body)
  if (!response.headers.get('content-type')?.includes('json')) {
    await response.body?.cancel()
    return { status: response.status, code: undefined }
  }
  const answer = await response.json()
  return { status: response.status, code: answer.code }
}

/** Each call is made often. */
const limits = { user: 1e9, address: 1e9, signIn: 1e9, failure: 1e9, manual: 1e9 }

test('each call is open to the roles in the contract and nobody else', async () => {
  const world = await makeWorld({ limits })
  const people = await Promise.all(ROLES.map(async (role) => [role, await world.as(role)] as const))
  for (const name of NAMES) {
    const call: Call = CALLS[name]
    const anonymous = { name, ...(await attempt(world.nobody, call)) }
    if (call.access === 'anyone') expect([401, 403], JSON.stringify(anonymous)).not.toContain(anonymous.status)
    else expect(anonymous).toEqual({ name, status: 401, code: 'UNAUTHENTICATED' })

    for (const [role, client] of people) {
      const answer = { name, role, ...(await attempt(client, call)) }
      if (!allows(call.access, role)) {
        expect(answer).toMatchObject({ name, role, status: 403 })
        expect(['FORBIDDEN', 'ROLES_ADMIN_ONLY'], JSON.stringify(answer)).toContain(answer.code)
      } else {
        expect(answer).not.toMatchObject({ status: 401 })
        expect(['FORBIDDEN', 'ROLES_ADMIN_ONLY', 'UNAUTHENTICATED'], JSON.stringify(answer)).not.toContain(answer.code)
      }
    }
  }
})

test('a paired phone may make exactly the calls that name one of its rights', async () => {
  const world = await makeWorld({ limits })
  for (const right of RIGHTS) {
    const phone = await (await pairedPhone(world, { rights: [right] })).client()
    for (const name of NAMES) {
      const call: Call = CALLS[name]
      if (call.access === 'anyone') continue
      const { status, code } = await attempt(phone, call)
      const answer = { name, right, status, code }
      if (call.rights?.includes(right)) expect([401, 403], JSON.stringify(answer)).not.toContain(status)
      else {
        expect(answer).toEqual({
          name,
          right,
          status: 403,
          code: expect.stringMatching(/^(FORBIDDEN|ROLES_ADMIN_ONLY)$/),
        })
      }
    }
  }
})

test('a lost role takes effect on the next call with the same token', async () => {
  const world = await makeWorld()
  const checker = await world.as('qrchecker')
  expect((await checker.request('GET', '/api/scanner/roster')).status).toBe(200)
  await world.sql("update users set role = 'guest' where id = ?", checker.user?.id)
  expect(await checker.request('GET', '/api/scanner/roster')).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN' },
  })
})

test.each([
  ['demoted', "update users set role = 'guest' where id = ?", 403],
  ['deleted', 'delete from users where id = ?', 401],
])('someone %s while the body arrives is refused', async (_, change, status) => {
  const world = await makeWorld()
  await putOnSale(world)
  const [ticket] = await bought(await world.as('guest'))
  const checker = await world.as('qrchecker')
  const text = JSON.stringify({ qrCode: codeOf(ticket) })
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const init = { body: readable, duplex: 'half', headers: { 'Content-Length': String(text.length) } } as RequestInit
  const answer = checker.fetch('POST', '/api/tickets/mark-used', init)
  const writer = writable.getWriter()
  await writer.write(new TextEncoder().encode(text.slice(0, 9)))
  await world.sql(change, checker.user?.id)
  await writer.write(new TextEncoder().encode(text.slice(9)))
  await writer.close()
  expect((await answer).status).toBe(status)
})

test('a deleted account is signed out at once', async () => {
  const world = await makeWorld()
  const guest = await world.as('guest')
  expect((await guest.request('GET', '/api/auth/me')).status).toBe(200)
  await world.sql('delete from users where id = ?', guest.user?.id)
  expect(await guest.request('GET', '/api/auth/me')).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
})

import type { User } from '@garba/shared/contracts/people/user'
import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { admitAtGate, buyer, must } from '../../src/testing/desk.ts'
import { buy, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

const person = (name: string, email = `${name.length}-${name.codePointAt(0)}@example.org`) => ({
  uid: `uid-${email}`,
  email,
  name,
})

async function search(client: Client, query: string): Promise<string[]> {
  const { users } = await must(client.request('GET', `/api/admin/users?search=${encodeURIComponent(query)}`))
  return (users as User[]).map(({ name }) => name)
}

async function peopled(): Promise<World> {
  const world = await makeWorld()
  for (const guest of [
    person('Zoë D’Souza', 'zoe@example.org'),
    person('Radha Patel', 'r.patel@example.org'),
    person('રાધા પટેલ', 'radhika@example.org'),
    person('100% Garba', 'percent@example.org'),
  ])
    await world.as('guest', guest)
  return world
}

test('a search ignores accents, case and word order', async () => {
  const admin = await (await peopled()).as('admin')
  expect(await search(admin, 'ZOE')).toEqual(['Zoë D’Souza'])
  expect(await search(admin, 'zoë')).toEqual(['Zoë D’Souza'])
  expect(await search(admin, 'patel radha')).toEqual(['Radha Patel'])
  expect(await search(admin, 'R.PATEL@example')).toEqual(['Radha Patel'])
})

testOnSqlite('a search finds Gujarati names by their letters and vowel signs', async () => {
  const admin = await (await peopled()).as('admin')
  expect(await search(admin, 'પટેલ')).toEqual(['રાધા પટેલ'])
  expect(await search(admin, 'રાધા')).toEqual(['રાધા પટેલ'])
  expect(await search(admin, 'પટલ')).toEqual([])
})

test('database wildcards are literal in a search', async () => {
  const admin = await (await peopled()).as('admin')
  expect(await search(admin, '100%')).toEqual(['100% Garba'])
  // Signs count as nothing, so they find nobody by themselves.
  expect(await search(admin, '%')).toEqual([])
  expect(await search(admin, '_')).toEqual([])
  expect(await search(admin, "' or 7=7 --")).toEqual([])
})

test('users are listed newest first, by page, with the number of pages', async () => {
  const world = await makeWorld()
  const manager = await world.as('manager')
  for (let i = 1; i <= 5; i++) {
    world.clock.forward(1000)
    await world.as('guest', person(`Guest ${i}`, `guest${i}@example.org`))
  }
  const page = await must(manager.request('GET', '/api/admin/users?role=guest&limit=2&page=3'))
  expect(page).toMatchObject({
    users: [{ name: 'Guest 1' }],
    pagination: { current: 3, total: 3, count: 1, totalUsers: 5 },
  })
  const first = await must(manager.request('GET', '/api/admin/users?limit=2'))
  expect(first).toMatchObject({ users: [{ name: 'Guest 5' }, { name: 'Guest 4' }], pagination: { totalUsers: 6 } })
  expect(await must(manager.request('GET', '/api/admin/users?role=&search=nobody'))).toMatchObject({
    users: [],
    pagination: { current: 1, total: 0, count: 0, totalUsers: 0 },
  })
  expect(await must(manager.request('GET', '/api/admin/users/count'))).toMatchObject({ count: 6 })
})

test.each(['limit=0', 'limit=101', 'page=0', 'page=x', 'role=boss'])('?%s is refused', async (query) => {
  const admin = await (await makeWorld()).as('admin')
  const answer = await admin.request('GET', `/api/admin/users?${query}`)
  expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
})

testOnSqlite('a new role takes effect on the next request and is audited', async () => {
  const world = await makeWorld()
  const admin = await world.as('admin')
  const manager = await world.as('manager')
  expect((await manager.request('GET', '/api/admin/users')).status).toBe(200)
  const answer = await must(admin.request('PATCH', `/api/admin/users/${manager.user?.id}/role`, { role: 'guest' }))
  expect(answer.user).toMatchObject({ role: 'guest', name: 'Manav Manager' })
  expect(await manager.request('GET', '/api/admin/users')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  const { rows } = await must(admin.request('GET', '/api/admin/audit?action=user.role'))
  expect(rows).toMatchObject([
    {
      actorName: 'Asha Admin',
      subject: manager.user?.id,
      subjectName: 'Manav Manager (manager@garba.test)',
      detail: 'Role Manager -> Guest',
    },
  ])
})

testOnSqlite('a manager is refused because only administrators change roles', async () => {
  const world = await makeWorld()
  const [manager, guest] = [await world.as('manager'), await world.as('guest')]
  const answer = await manager.request('PATCH', `/api/admin/users/${guest.user?.id}/role`, { role: 'admin' })
  expect(answer).toMatchObject({
    status: 403,
    body: { code: 'ROLES_ADMIN_ONLY', message: 'Only administrators can change user roles' },
  })
})

testOnSqlite('admins cannot change their own role or delete their own account', async () => {
  const admin = await (await makeWorld()).as('admin')
  const own = `/api/admin/users/${admin.user?.id}`
  expect(await admin.request('PATCH', `${own}/role`, { role: 'guest' })).toMatchObject({
    status: 403,
    body: { code: 'OWN_ROLE' },
  })
  expect(await admin.request('DELETE', own)).toMatchObject({ status: 403, body: { code: 'OWN_ACCOUNT' } })
})

test('when two admins demote each other at once, one stays', async () => {
  const world = await makeWorld()
  const [one, other] = [
    await world.as('admin'),
    await world.as('admin', { uid: 'uid-2', email: '2@garba.test', name: 'Second' }),
  ]
  const demote = (by: Client, whom: Client) =>
    by.request('PATCH', `/api/admin/users/${whom.user?.id}/role`, { role: 'guest' })
  const answers = await Promise.all([demote(one, other), demote(other, one)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
})

testOnSqlite('setting the same role changes nothing and is not audited', async () => {
  const world = await makeWorld()
  const [admin, guest] = [await world.as('admin'), await world.as('guest')]
  await must(admin.request('PATCH', `/api/admin/users/${guest.user?.id}/role`, { role: 'guest' }))
  expect(await must(admin.request('GET', '/api/admin/audit'))).toMatchObject({ rows: [] })
})

testOnSqlite("a deleted user's tickets stay valid, with the buyer's name and email on them", async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const admin = await world.as('admin')
  const { client, tickets } = await buyer(world, { name: 'Radha Patel', email: 'radha@example.org', quantity: 2 })
  await must(admin.request('DELETE', `/api/admin/users/${client.user?.id}`))
  expect((await client.request('GET', '/api/auth/me')).status).toBe(401)
  const list = await must(admin.request('GET', '/api/admin/tickets/management?search=radha@example.org'))
  expect(list.tickets).toMatchObject([
    { user: { _id: null, name: 'Radha Patel', email: 'radha@example.org' }, status: 'active' },
    { user: { _id: null, name: 'Radha Patel', email: 'radha@example.org' }, status: 'active' },
  ])
  const checker = await world.as('qrchecker')
  const verified = await must(checker.request('POST', '/api/tickets/verify-qr', { qrCode: tickets[0]?.qrCode }))
  expect(verified.ticket).toMatchObject({ status: 'active', user: { name: 'Radha Patel' } })
  expect(await must(admin.request('GET', '/api/admin/audit?action=user.deleted'))).toMatchObject({
    rows: [
      {
        subject: client.user?.id,
        subjectName: 'Radha Patel (radha@example.org)',
        detail: 'Role Guest; tickets kept: 2',
      },
    ],
  })
})

testOnSqlite('an account deleted while its purchase is being signed buys nothing', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [admin, guest] = [await world.as('admin'), await world.as('guest')]
  const { now } = world.deps.signer
  world.deps.signer.now = async () => {
    const keys = await now()
    const sign: typeof keys.sign = async (ticket) => {
      await must(admin.request('DELETE', `/api/admin/users/${guest.user?.id}`))
      return keys.sign(ticket)
    }
    return { ...keys, sign }
  }
  expect(await buy(guest, 1)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
  expect(await must(admin.request('GET', '/api/tickets/admin/stats'))).toMatchObject({ total: 0 })
})

testOnSqlite("a deleted checker's scans, devices and audit rows stay readable", async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [admin, checker] = [await world.as('admin'), await world.as('qrchecker')]
  const { tickets } = await buyer(world, {})
  await must(checker.request('GET', '/api/scanner/roster?deviceId=phone-1&deviceName=Gate%20A'))
  await must(admitAtGate(checker, tickets[0], { deviceId: 'phone-1', deviceName: 'Gate A' }))
  await must(admin.request('DELETE', `/api/admin/users/${checker.user?.id}`))
  expect(await must(admin.request('GET', '/api/admin/gate'))).toMatchObject({
    data: { admitted: 1, devices: [{ deviceName: 'Gate A', checkerName: 'Chetan Checker', admitted: 1 }] },
  })
  const list = await must(admin.request('GET', '/api/admin/tickets/management'))
  expect(list.tickets).toMatchObject([{ status: 'used', scannedBy: { name: 'Chetan Checker' } }])
  const trail = await must(admin.request('GET', '/api/admin/audit?action=ticket.admitted'))
  expect(trail.rows).toMatchObject([{ actorName: 'Chetan Checker' }])
})

testOnSqlite('a user who does not exist is not found, and nothing changes', async () => {
  const admin = await (await makeWorld()).as('admin')
  for (const id of ['01K50000000000000000000000', 'nonsense', '%'])
    expect(await admin.request('DELETE', `/api/admin/users/${encodeURIComponent(id)}`)).toMatchObject({
      status: 404,
      body: { code: 'USER_NOT_FOUND' },
    })
  const role = await admin.request('PATCH', '/api/admin/users/01K50000000000000000000000/role', { role: 'guest' })
  expect(role).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
})

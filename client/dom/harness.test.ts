import { describe } from 'vitest'
import { expect, test } from './support/fixtures.ts'

describe('in a process of its own', () => {
  test.override({ serverOptions: { ownProcess: true } })

  test('a server that was killed comes back on its port with its data', async ({ server }) => {
    const guest = await server.api('guest')
    const url = server.url
    await server.kill()
    expect(server.isRunning).toBe(false)
    await server.start()
    expect(server.url).toBe(url)
    expect((await guest.call('me')).body).toMatchObject({ user: { _id: guest.user._id, role: 'guest' } })
    expect(server.rows('select name from users order by name')).toHaveLength(4)
    expect((await fetch(new URL('/healthz', server.url))).status).toBe(200)
  })
})

test('each demo account has its role', async ({ server }) => {
  for (const [account, role] of [
    ['admin', 'admin'],
    ['manager', 'manager'],
    ['checker', 'qrchecker'],
    ['guest', 'guest'],
  ] as const) {
    expect((await server.api(account)).user.role).toBe(role)
  }
})

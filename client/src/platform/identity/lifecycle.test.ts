import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serveHere } from '../../../../server/src/testing/serveHere.ts'
import { payloadOf, sign } from '../../../../server/src/testing/tokens.ts'
import { makeWorld } from '../../../../server/src/testing/world.ts'
import { setTokenSource } from '../http/tokens.ts'
import { markOffline, markOnline } from '../net/connectivity.ts'
import { markSignedIn, wasSignedIn } from '../store/local.ts'
import './lifecycle.ts'
import { stubLocalStorage } from '../testing/localStorage.ts'
import { useSessionStore } from './session.ts'

const RADHA = { uid: 'uid-radha', email: 'radha@garba.test', name: 'Radha Patel' }

beforeEach(() => stubLocalStorage())
afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['emailUnverified', { email_verified: false }],
  ['notGoogle', { firebase: { sign_in_provider: 'password' } }],
] as const)('a kept user whose token is refused (%s) is signed out and sees why', async (reason, claims) => {
  const world = await makeWorld()
  const { user } = (await (await world.as('guest', RADHA)).request('GET', '/api/auth/me')).body as { user: never }
  const token = await sign(payloadOf(RADHA, world.clock.now(), claims))
  serveHere(world)
  setTokenSource(async () => ({ token: async () => token }))
  markSignedIn(true)
  markOffline()
  useSessionStore.setState({ session: { type: 'signedIn', user, confirmed: false }, failure: null })

  markOnline()

  await vi.waitFor(() => expect(useSessionStore.getState().failure?.kind).toBe(reason), { timeout: 10_000 })
  expect(useSessionStore.getState().session).toEqual({ type: 'signedOut' })
  expect(wasSignedIn()).toBe(false)
})

import 'fake-indexeddb/auto'
import type { User } from '@garba/shared/contracts/people/user'
import { openDB } from 'idb'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeWorld } from '../../../../server/src/testing/world.ts'
import { forgetUser, readKeptUser } from '../store/kept.ts'
import { markSignedIn } from '../store/local.ts'
import { stubLocalStorage } from '../testing/localStorage.ts'
import { forgetUserData, readUserOfDevice, setCurrentUser } from './device.ts'
import { onCheckerLost } from './hooks.ts'
import { setSession, userNow, useSessionStore } from './session.ts'

beforeEach(() => {
  stubLocalStorage()
  markSignedIn(true)
})
afterEach(() => void vi.unstubAllGlobals())

const aChecker = async (): Promise<User> => {
  const checker = await (await makeWorld()).as('qrchecker')
  return ((await checker.request('GET', '/api/auth/me')).body as { user: User }).user
}

test('a new role is kept on the device before any page acts on it, or two pages would send the user to each other', async () => {
  const checker = await aChecker()
  setSession({ type: 'signedIn', user: checker, confirmed: true })
  const keptWhenSet = new Promise((resolve) => {
    const stop = useSessionStore.subscribe(() => {
      stop()
      resolve(readKeptUser())
    })
  })
  await setCurrentUser({ ...checker, role: 'guest' })
  expect(await keptWhenSet).toMatchObject({ user: { _id: checker._id, role: 'guest' } })
  expect(userNow()?.role).toBe('guest')
})

test('a user who signs out while the role is being stored stays signed out', async () => {
  const checker = await aChecker()
  setSession({ type: 'signedIn', user: checker, confirmed: true })
  const setting = setCurrentUser({ ...checker, role: 'guest' })
  setSession({ type: 'signedOut' })
  await setting
  expect(useSessionStore.getState().session).toEqual({ type: 'signedOut' })
})

test('a user who signs out while a former checker’s list is being cleared leaves nothing on the device', async () => {
  const checker = await aChecker()
  setSession({ type: 'signedIn', user: checker, confirmed: true })
  await forgetUser()
  const clearing = Promise.withResolvers<void>()
  const unregister = onCheckerLost(() => clearing.promise)
  onTestFinished(() => void unregister())
  const setting = setCurrentUser({ ...checker, role: 'guest' })
  markSignedIn(false)
  clearing.resolve()
  await setting
  expect(await readKeptUser()).toBeNull()
})

test('while the transaction of an earlier page never ends, nobody waits for ever: not a start, a new role or signing out', async () => {
  const checker = await aChecker()
  await setCurrentUser(checker)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const waits = setInterval(() => void vi.advanceTimersByTime(1_000), 10)
  onTestFinished(() => clearInterval(waits))
  const db = await openDB('garba-session')
  const tx = db.transaction('session', 'readwrite')
  let hangs = true
  const hang = (): Promise<unknown> =>
    tx
      .objectStore('session')
      .count()
      .then(() => (hangs ? hang() : undefined))
  const hanging = hang()

  expect(await readUserOfDevice()).toBeNull()
  await setCurrentUser({ ...checker, role: 'guest' })
  expect(userNow()?.role).toBe('guest')
  markSignedIn(false)
  await forgetUserData(checker._id)

  hangs = false
  await hanging
  await tx.done
  db.close()
  await vi.waitFor(async () => expect(await readKeptUser()).toBeNull())
})

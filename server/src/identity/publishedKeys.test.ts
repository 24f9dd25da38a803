import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../app.ts'
import { keyShelf } from '../flows/authenticate.ts'
import { makeLog } from '../log.ts'
import { BEGINNING, makeClock } from '../testing/clock.ts'
import { makeDatabase, type TestDatabase } from '../testing/database.ts'
import { startKeyServer } from '../testing/keyServer.ts'
import { googleKeys, payloadOf, sign, TEST_PROJECT } from '../testing/tokens.ts'
import { testSettings } from '../testing/world.ts'
import { publishedKeys } from './publishedKeys.ts'
import { makeVerifier } from './verifier.ts'

const RADHA = { uid: 'radha', email: 'radha@example.org', name: 'Radha' }
const HOUR = 60 * 60 * 1000

/** A verifier whose keys come from `address` and are stored in the database. */
async function opened({ database, address }: { database: TestDatabase; address: string }) {
  const store = await database.openAgain()
  onTestFinished(() => store.close())
  const clock = makeClock(BEGINNING)
  const lines: string[] = []
  const log = makeLog({ logLevel: 'info' }, { write: (line) => lines.push(line) })
  const keys = publishedKeys({ address, shelf: keyShelf({ store }), now: clock.now, log })
  const verify = makeVerifier({ projectId: TEST_PROJECT, emulatorHost: null, now: clock.now, keys: keys.find })
  return { verify, keys, clock, lines, close: store.close }
}

async function ownDatabase(): Promise<TestDatabase> {
  const database = await makeDatabase()
  onTestFinished(database.remove)
  return database
}
const tokenAt = (now: Date) => sign(payloadOf(RADHA, now))
const tokenOfUnknownKey = (now: Date) => sign(payloadOf(RADHA, now), googleKeys.privateKey, 'RS256', 'never-published')

test('a server that lost the internet at noon still recognises its checkers at midnight, even after a restart', async () => {
  const google = await startKeyServer()
  const database = await ownDatabase()
  const noon = await opened({ database, address: google.address })
  await noon.verify(await tokenAt(noon.clock.now()))
  await google.stop()
  noon.clock.forward(12 * HOUR)
  await expect(noon.verify(await tokenAt(noon.clock.now()))).resolves.toMatchObject({ uid: 'radha' })
  await noon.close()

  const restarted = await opened({ database, address: google.address })
  restarted.clock.forward(13 * HOUR)
  await expect(restarted.verify(await tokenAt(restarted.clock.now()))).resolves.toMatchObject({ uid: 'radha' })
})

test('a server that cannot fetch uses the keys that another server on its database fetched', async () => {
  const google = await startKeyServer()
  const database = await ownDatabase()
  const cutOff = await opened({ database, address: 'http://127.0.0.1:1/keys' })
  const token = await tokenAt(cutOff.clock.now())
  await expect(cutOff.verify(token)).rejects.toMatchObject({ name: 'KeysUnavailable' })
  const connected = await opened({ database, address: google.address })
  await connected.verify(token)
  cutOff.clock.forward(60_000)
  await expect(cutOff.verify(await tokenAt(cutOff.clock.now()))).resolves.toMatchObject({ uid: 'radha' })
})

test('the whole app recognises a known caller after a restart without internet', async () => {
  const google = await startKeyServer()
  const database = await ownDatabase()
  const idToken = await tokenAt(new Date())
  const ask = async (path: string, init: RequestInit) => {
    const store = await database.openAgain()
    const stopping = new AbortController()
    const { app } = await openApp({
      store,
      settings: testSettings(),
      publicUrl: () => 'http://localhost:8080',
      log: makeLog({ logLevel: 'silent' }),
      stopping: stopping.signal,
      keysAddress: google.address,
    })
    const { status } = await app.request(path, init)
    stopping.abort()
    await store.close()
    return status
  }
  const headers = { 'Content-Type': 'application/json' }
  const signIn = { method: 'POST', headers, body: JSON.stringify({ idToken }) }
  expect(await ask('/api/auth/google-signin', signIn)).toBe(200)
  await google.stop()
  expect(await ask('/api/auth/me', { headers: { Authorization: `Bearer ${idToken}` } })).toBe(200)
})

test('keys are fetched once an hour, however many requests need them', async () => {
  const google = await startKeyServer()
  const { verify, keys, clock } = await opened({ database: await ownDatabase(), address: google.address })
  const token = await tokenAt(clock.now())
  await Promise.all(Array.from({ length: 20 }, () => verify(token)))
  await keys.refresh()
  expect(google.calls()).toBe(1)
  clock.forward(HOUR)
  await keys.refresh()
  await keys.refresh()
  expect(google.calls()).toBe(2)
})

test('a clock that was ahead keeps nobody from fetching keys once it is set back', async () => {
  const google = await startKeyServer()
  const { verify, keys, clock } = await opened({ database: await ownDatabase(), address: google.address })
  clock.forward(24 * HOUR)
  await verify(await tokenAt(clock.now()))
  clock.forward(-24 * HOUR)
  await keys.refresh()
  expect(google.calls()).toBe(2)
  clock.forward(60_000)
  await expect(verify(await tokenOfUnknownKey(clock.now()))).rejects.toMatchObject({ name: 'TokenRefused' })
  expect(google.calls()).toBe(3)
})

test('tokens with unknown keys are refused and cause one fetch per half minute', async () => {
  const google = await startKeyServer()
  const { verify, clock } = await opened({ database: await ownDatabase(), address: google.address })
  await verify(await tokenAt(clock.now()))
  clock.forward(60_000)
  const forged = await tokenOfUnknownKey(clock.now())
  for (let tries = 0; tries < 10; tries += 1)
    await expect(verify(forged)).rejects.toMatchObject({ name: 'TokenRefused' })
  expect(google.calls()).toBe(2)
})

test('without internet a token with an unknown key is not refused as invalid, and known keys keep working', async () => {
  const google = await startKeyServer()
  const { verify, clock } = await opened({ database: await ownDatabase(), address: google.address })
  await verify(await tokenAt(clock.now()))
  await google.stop()
  clock.forward(60_000)
  await expect(verify(await tokenOfUnknownKey(clock.now()))).rejects.toMatchObject({ name: 'KeysUnavailable' })
  await expect(verify(await tokenAt(clock.now()))).resolves.toMatchObject({ uid: 'radha' })
})

test('an evening of failed fetches logs one line an hour, not one per request', async () => {
  const google = await startKeyServer()
  await google.stop()
  const { verify, clock, lines } = await opened({ database: await ownDatabase(), address: google.address })
  for (let minute = 0; minute < 120; minute += 1) {
    await expect(verify(await tokenAt(clock.now()))).rejects.toMatchObject({ name: 'KeysUnavailable' })
    clock.forward(60_000)
  }
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(Array(2).fill('identity keys not refreshed'))
})

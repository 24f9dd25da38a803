import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { signedIn } from '../src/testing/caller.ts'
import { runServer, temporaryFolder } from '../src/testing/process.ts'
import { startPushService } from '../src/testing/pushService.ts'
import { eventForm } from '../src/testing/scenes.ts'

const ADMIN = 'admin@garba.test'
const PATIENCE = { timeout: 20_000, interval: 50 }

test('killed while it sends, the server sends no notification twice, to either of two phones', async () => {
  const folder = temporaryFolder()
  const service = await startPushService()
  onTestFinished(service.close)
  const serve = async () => {
    const run = await runServer({
      PAYMENTS: 'none',
      DATA_DIR: folder,
      ADMIN_EMAILS: ADMIN,
      FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9',
    })
    if (run.url === '') throw new Error(run.stderr())
    return run
  }
  let run = await serve()
  const admin = await signedIn(run.url, ADMIN)
  const guest = await signedIn(run.url, 'guest@garba.test')
  const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  expect(await admin(run.url, '/api/event', eventForm({ date }))).toMatchObject({ status: 201 })
  const key = () => ({ 'idempotency-key': randomUUID() })
  expect(await guest(run.url, '/api/tickets', { quantity: 1 }, key())).toMatchObject({ status: 201 })
  const phones = [service.subscribe(), service.subscribe()]
  for (const phone of phones)
    expect(await guest(run.url, '/api/push/subscriptions', { ...phone, language: 'en' })).toMatchObject({ status: 201 })

  // The push service has taken both messages, and its answers are lost with the server.
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let waiting = 0
  service.hold(async () => {
    waiting += 1
    if (waiting === phones.length) reached.resolve()
    await released.promise
    return false
  })
  const delay = { state: 'delayed', startTime: '19:30', reason: 'Rain.', now: true }
  expect(await admin(run.url, '/api/admin/event/state', delay, key())).toMatchObject({ status: 200 })
  await reached.promise
  run.child.kill('SIGKILL')
  await run.ended
  released.resolve()
  service.hold(async () => true)

  run = await serve()
  // A later change still arrives, after all that was left to do.
  const move = { ...delay, state: 'moved', date: new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10) }
  expect(await admin(run.url, '/api/admin/event/state', move, key())).toMatchObject({ status: 200 })
  const bodies = (endpoint: string) =>
    service.delivered.filter((one) => one.endpoint === endpoint).map((one) => one.message.notification.body)
  for (const { endpoint } of phones) {
    await expect.poll(() => bodies(endpoint).length, PATIENCE).toBe(2)
    expect(bodies(endpoint)).toEqual([expect.stringMatching(/^It now starts/), expect.stringMatching(/^It now takes/)])
  }
  expect(service.faults).toEqual([])
}, 90_000)

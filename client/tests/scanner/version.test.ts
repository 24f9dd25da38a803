import 'fake-indexeddb/auto'
import { expect, onTestFinished, test, vi } from 'vitest'

test('each question for the list tells the server which version runs on the phone', async () => {
  vi.stubEnv('APP_VERSION', '1.0.0+4f9c2ab')
  onTestFinished(() => void vi.unstubAllEnvs())
  // A page reads it when it starts.
  const { takePhone } = await import('../../src/scanner/testing/phone.ts')
  const { world } = await takePhone()
  expect(await world.sql('select app_version from devices')).toEqual([{ app_version: '1.0.0+4f9c2ab' }])
})

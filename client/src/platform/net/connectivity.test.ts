import { expect, onTestFinished, test, vi } from 'vitest'
import { markOffline, markOnline, useConnectivity } from './connectivity.ts'

test('calls that keep failing while offline do not put off the probe that notices the server is back', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async () => Response.json({ success: true }))
  onTestFinished(() => {
    markOnline()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  markOffline()
  for (let ms = 0; ms < 1_000; ms += 200) {
    await vi.advanceTimersByTimeAsync(200)
    if (ms < 800) markOffline()
  }
  expect(useConnectivity.getState().state).toBe('online')
})

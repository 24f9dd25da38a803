import { afterEach, expect, test, vi } from 'vitest'
import { askPersistence } from './storage.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([true, false])('a browser that decides by itself is believed: %s', async (answer) => {
  vi.stubGlobal('navigator', { storage: { persist: async () => answer } })
  expect(await askPersistence()).toBe(answer)
})

test('a browser that asks the person, who does not answer, holds nothing up', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { storage: { persist: () => new Promise(() => undefined) } })
  const asked = askPersistence()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await asked).toBeNull()
})

test('a browser that cannot be asked has not agreed', async () => {
  vi.stubGlobal('navigator', {})
  expect(await askPersistence()).toBe(false)
})

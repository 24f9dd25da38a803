import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadAhead, whenQuiet } from './ahead.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what somebody waits for comes first, also what they ask for while the browser is busy', async () => {
  const [screen, camera] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done: string[] = []
  void loadAhead(() => screen.promise)
  const quiet = whenQuiet(900).then(() => done.push('network'))
  screen.resolve()
  await vi.advanceTimersByTimeAsync(100)
  void loadAhead(() => camera.promise)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(done).toEqual([])
  camera.resolve()
  await quiet
  expect(done).toEqual(['network'])
})

test('what hangs or fails holds the rest up for a second and a half at most', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
  void loadAhead(() => new Promise(() => undefined))
  void loadAhead(() => Promise.reject(new Error('No camera')))
  let done = false
  void whenQuiet(0).then(() => {
    done = true
  })
  await vi.advanceTimersByTimeAsync(1_400)
  expect(done).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(done).toBe(true)
})

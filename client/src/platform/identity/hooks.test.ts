import { expect, test, vi } from 'vitest'
import { onSignOut, runSignOutHooks } from './hooks.ts'

test('one part that fails or hangs keeps nobody from leaving, and the others are cleared', async () => {
  vi.useFakeTimers()
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const cleared: (string | null)[] = []
  const ways = [
    onSignOut(() => {
      throw new Error('broken')
    }),
    onSignOut(() => new Promise(() => undefined)),
    onSignOut(({ uid }) => void cleared.push(uid)),
  ]
  const left = runSignOutHooks('u1')
  await vi.advanceTimersByTimeAsync(5_000)
  await left
  expect(cleared).toEqual(['u1'])
  expect(said).toHaveBeenCalledOnce()
  for (const unregister of ways) unregister()
  await runSignOutHooks('u2')
  expect(cleared).toEqual(['u1'])
  vi.useRealTimers()
  said.mockRestore()
})

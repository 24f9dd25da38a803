import { expect, test } from 'vitest'
import { abortable } from './abortable.ts'

const never = new Promise<string>(() => undefined)

test('the value comes through', async () => {
  expect(await abortable(Promise.resolve('here'), { ms: 1000 })).toBe('here')
})

test('what was given up before is not waited for', async () => {
  await expect(abortable(never, { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left')
})

test('giving up later ends the waiting with the reason', async () => {
  const leaving = new AbortController()
  const waiting = abortable(never, { signal: leaving.signal })
  leaving.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
})

test('patience ends', async () => {
  await expect(abortable(never, { ms: 1 })).rejects.toMatchObject({ name: 'TimeoutError' })
})

import { expect, test, vi } from 'vitest'
import { codeOf } from '../../../../server/src/testing/scenes.ts'
import { listed, takePhone } from '../testing/phone.ts'
import { dismissVerdict, seeCode, useScan } from './machine.ts'

const verdictNow = () => useScan.getState().verdict

test('a verdict fills the screen for three seconds or until it is tapped; scanning resumes after two', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  seeCode(codeOf(first))
  await vi.waitFor(() =>
    expect(verdictNow()).toMatchObject({ title: 'Entry Allowed!', detail: 'Welcome Garima Guest' }),
  )
  const since = performance.now()
  await vi.waitFor(() => expect(useScan.getState().state.type).toBe('aiming'), { timeout: 5_000 })
  expect(performance.now() - since).toBeGreaterThan(1_800)
  expect(verdictNow()).not.toBeNull()
  await vi.waitFor(() => expect(verdictNow()).toBeNull(), { timeout: 5_000 })
  expect(performance.now() - since).toBeGreaterThan(2_800)

  seeCode(codeOf(second))
  await vi.waitFor(() => expect(verdictNow()).not.toBeNull())
  dismissVerdict()
  expect(verdictNow()).toBeNull()
  expect(useScan.getState().state.type).toBe('aiming')
})

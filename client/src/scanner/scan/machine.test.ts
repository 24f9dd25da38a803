import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { codeOf } from '../../../../server/src/testing/scenes.ts'
import { listed, takePhone } from '../testing/phone.ts'
import { dismissVerdict, seeCode, seeTyped, useScan } from './machine.ts'
import { AIMING } from './step.ts'

// The scan before is too near otherwise: the next code would be ignored.
beforeEach(() => {
  dismissVerdict()
  useScan.setState({ state: AIMING })
})

const verdictNow = () => useScan.getState().verdict

test('a verdict fills the screen for three seconds or until it is tapped; scanning resumes after two', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  // Noted as they happen: a busy machine looks too late.
  const at = new Map<string, number>()
  const stop = useScan.subscribe(({ state, verdict }) => {
    const moment = verdict === null ? 'gone' : state.type === 'aiming' ? 'aiming' : 'shown'
    if (state.type === 'shown') at.set('until', state.until)
    if (moment === 'shown' || at.has('shown')) at.set(moment, at.get(moment) ?? Date.now())
  })
  seeCode(codeOf(first))
  await vi.waitFor(() => expect(at.has('gone')).toBe(true), { timeout: 20_000 })
  stop()
  const moments = ['shown', 'until', 'aiming', 'gone'].map((moment) => at.get(moment))
  const [shown = 0, until = 0, aiming = 0, gone = 0] = moments
  expect(until).toBeGreaterThan(shown)
  // By the clock a timer can be a moment early.
  expect(aiming).toBeGreaterThanOrEqual(until - 10)
  expect(gone - shown).toBeGreaterThan(2_900)
  expect(gone).toBeGreaterThan(aiming)

  seeCode(codeOf(second))
  await vi.waitFor(
    () => expect(verdictNow()).toMatchObject({ title: 'Entry Allowed!', detail: 'Welcome Garima Guest' }),
    { timeout: 20_000 },
  )
  dismissVerdict()
  expect(verdictNow()).toBeNull()
  expect(useScan.getState().state.type).toBe('aiming')
})

test('scanning resumes although the clock is behind the timer', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone, 1)
  const stateNow = () => useScan.getState().state
  seeCode(codeOf(ticket))
  await vi.waitFor(() => expect(stateNow().type).toBe('shown'), { timeout: 20_000 })
  const state = stateNow()
  if (state.type !== 'shown') throw new Error('The verdict is gone already')
  vi.setSystemTime(state.until - 1)
  onTestFinished(() => void vi.useRealTimers())
  await vi.waitFor(() => expect(stateNow().type).toBe('aiming'), { timeout: 20_000 })
})

test('codes that a hardware scanner read one after the other each get their verdict, and the same one later gets another', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  const verdicts: string[] = []
  onTestFinished(
    useScan.subscribe(({ verdict }, before) => {
      if (verdict !== null && verdict !== before.verdict) verdicts.push(`${verdict.ticketId} ${verdict.look}`)
    }),
  )
  const [one, two] = [codeOf(first), codeOf(second)]
  // The trigger was pulled twice, and the second code came before the first was judged.
  for (const text of [one, one, two]) seeTyped({ type: 'code', text })
  await vi.waitFor(() => expect(verdicts).toHaveLength(2), { timeout: 20_000 })
  await vi.waitFor(() => expect(useScan.getState().state.type).toBe('aiming'), { timeout: 20_000 })
  seeTyped({ type: 'code', text: one })
  await vi.waitFor(() => expect(verdicts).toHaveLength(3), { timeout: 20_000 })
  const [a, b] = [first, second].map((ticket) => ticket.id)
  expect(verdicts).toEqual([`${a} allowed`, `${b} allowed`, `${a} refused`])
})

test('a verdict stays readable when a hardware scanner has already read the next code', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  seeTyped({ type: 'code', text: codeOf(first) })
  await vi.waitFor(() => expect(verdictNow()).toMatchObject({ ticketId: first.id }), { timeout: 20_000 })
  seeTyped({ type: 'code', text: codeOf(second) })
  expect(verdictNow()).toMatchObject({ ticketId: first.id })
  dismissVerdict()
  await vi.waitFor(() => expect(verdictNow()).toMatchObject({ ticketId: second.id }), { timeout: 20_000 })
})

test('a code in another keyboard layout is not judged, and says what to set', async () => {
  await takePhone()
  seeTyped({ type: 'otherLayout' })
  await vi.waitFor(() => expect(verdictNow()).toMatchObject({ look: 'refused', title: 'Another Keyboard Layout' }), {
    timeout: 20_000,
  })
})

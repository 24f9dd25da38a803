import { describe, expect, test } from 'vitest'
import type { ShownScan } from '../core/scan.ts'
import { AIMING, LEFT_MS, type ScanEvent, type ScanState, stepScan } from './step.ts'

const A = 'GR1:A'
const B = 'GR1:B'
let ids = 0
const seen = (text: string, at: number): ScanEvent => {
  ids += 1
  return { type: 'seen', text, scanId: `scan-${ids}`, at }
}
const shown = (scanId: string, ending: ShownScan['ending'] = 'admitted'): ShownScan => ({
  scanId,
  look: 'allowed',
  title: 'Entry Allowed!',
  detail: 'Welcome Garima Guest',
  name: 'Garima Guest',
  ticketId: null,
  manual: false,
  by: 'server',
  status: 'valid',
  ending,
})
const judged = (state: ScanState, at: number, ending: ShownScan['ending'] = 'admitted'): ScanState => {
  if (state.type !== 'judging') throw new Error(`Nothing is being judged: ${state.type}`)
  return stepScan(state, { type: 'judged', scanId: state.scan.scanId, shown: shown(state.scan.scanId, ending), at })
}
const run = (state: ScanState, ...events: ScanEvent[]) => events.reduce(stepScan, state)
const afterVerdict = (ending: ShownScan['ending'] = 'admitted') => judged(run(AIMING, seen(A, 0)), 100, ending)

describe('the steps of a scan', () => {
  test('while one scan is processing further scans are ignored', () => {
    const judging = run(AIMING, seen(A, 0))
    expect(run(judging, seen(B, 5_000), seen(B, 9_000))).toMatchObject({
      type: 'judging',
      scan: { subject: { text: A } },
    })
  })

  test('the scanner pauses two seconds after a verdict', () => {
    const state = afterVerdict()
    expect(run(state, seen(B, 1_500)).type).toBe('shown')
    expect(run(state, { type: 'clock', at: 2_099 }).type).toBe('shown')
    expect(run(state, { type: 'clock', at: 2_100 }, seen(B, 2_101)).type).toBe('judging')
  })

  test('a clock that is set back during the evening holds nothing up', () => {
    const shownAtNoon = judged(run(AIMING, seen(A, 600_000)), 600_100)
    const earlier = run(shownAtNoon, { type: 'clock', at: 2_100 })
    expect(earlier.type).toBe('aiming')
    expect(run(earlier, seen(B, 2_101)).type).toBe('judging')
  })

  test('a tap ends the pause early', () => {
    const state = run(afterVerdict(), { type: 'dismissed', at: 1_200 })
    expect(state.type).toBe('aiming')
    expect(run(state, seen(B, 1_201)).type).toBe('judging')
  })

  test('a scan less than a second after the previous is ignored, whatever its code', () => {
    const state = run(afterVerdict(), { type: 'dismissed', at: 300 })
    expect(run(state, seen(B, 999)).type).toBe('aiming')
    expect(run(state, seen(B, 1_000)).type).toBe('judging')
  })

  test('one scan a second at most, whatever is held before the camera: the guard is stricter than the interval', () => {
    let state = AIMING
    let scans = 0
    for (let at = 0; at < 60_000; at += 16) {
      const next = stepScan(state, seen(`${A}${at}`, at))
      if (next.type === 'judging') scans += 1
      state = next.type === 'judging' ? stepScan(judged(next, at), { type: 'dismissed', at }) : next
    }
    expect(scans).toBe(60)
  })
})

describe('a code that was judged and stays in view', () => {
  const nothing = (at: number): ScanEvent => ({ type: 'nothing', at })
  /** Frames every 100 ms, each with this event. */
  const frames = (state: ScanState, [from, to]: [number, number], event: (at: number) => ScanEvent) => {
    let next = state
    for (let at = from; at <= to; at += 100) next = run(next, { type: 'clock', at }, event(at))
    return next
  }
  const staying = (at: number) => seen(A, at)

  test.each(['admitted', 'refused', 'failed'] as const)('is judged once, however long it stays: %s', (ending) => {
    expect(frames(afterVerdict(ending), [100, 600_000], staying).type).toBe('aiming')
  })

  test('is judged again once the camera has not found it for 1.5 s', () => {
    const held = frames(afterVerdict(), [100, 5_000], staying)
    const away = frames(held, [5_100, 5_100 + LEFT_MS], nothing)
    expect(run(away, seen(A, 5_200 + LEFT_MS)).type).toBe('judging')
    const briefly = frames(held, [5_100, 5_000 + LEFT_MS], nothing)
    expect(run(briefly, seen(A, 5_100 + LEFT_MS)).type).toBe('aiming')
  })

  test('leaving counts during the pause too, so the next person with the same code is judged at once', () => {
    const away = frames(afterVerdict(), [200, 2_200], nothing)
    expect(run(away, seen(A, 2_300)).type).toBe('judging')
  })

  test('frames in which it is not read do not add up', () => {
    const every = (at: number) => (at % 1_400 === 0 ? seen(A, at) : nothing(at))
    expect(frames(afterVerdict(), [100, 60_000], every).type).toBe('aiming')
  })

  test('time without a read frame does not count as time away', () => {
    expect(run(afterVerdict(), { type: 'clock', at: 2_100 }, seen(A, 120_000)).type).toBe('aiming')
  })

  test('another code is judged right after the pause, and then neither of the two in view is judged again', () => {
    const state = run(afterVerdict(), { type: 'clock', at: 2_100 }, seen(B, 2_110))
    expect(state).toMatchObject({ type: 'judging', scan: { subject: { text: B } } })
    const both = (at: number) => seen(at % 200 === 0 ? A : B, at)
    expect(frames(judged(state, 2_200), [2_300, 60_000], both).type).toBe('aiming')
  })

  test('a code that left while another stayed is judged when it comes back', () => {
    const state = judged(run(afterVerdict(), { type: 'clock', at: 2_100 }, seen(B, 2_110)), 2_200)
    const alone = frames(state, [2_300, 6_000], (at) => seen(B, at))
    expect(run(alone, seen(A, 6_100))).toMatchObject({ type: 'judging', scan: { subject: { text: A } } })
  })

  test('is judged again when the checker asks, or starts the scanner again', () => {
    const held = frames(afterVerdict(), [100, 5_000], staying)
    expect(run(held, { type: 'again' }, seen(A, 5_100)).type).toBe('judging')
  })

  test('with the clock set back the time away starts again', () => {
    const away = run(afterVerdict(), nothing(600_000), nothing(1_000))
    expect(run(away, { type: 'clock', at: 600_000 }, nothing(2_400), seen(A, 2_450)).type).toBe('aiming')
    expect(run(away, { type: 'clock', at: 600_000 }, nothing(1_000 + LEFT_MS), seen(A, 2_600)).type).toBe('judging')
  })
})

describe('by hand', () => {
  const chosen: ScanEvent = { type: 'chosen', ticketId: 'T', scanId: 'hand', at: 50 }

  test('a choice is judged even during the pause, for a checker made it', () => {
    expect(run(afterVerdict(), chosen)).toMatchObject({ type: 'judging', scan: { subject: { type: 'hand' } } })
  })

  test('but not while another scan is being judged', () => {
    expect(run(AIMING, seen(A, 0), chosen)).toMatchObject({ type: 'judging', scan: { subject: { type: 'code' } } })
  })
})

test('a verdict of an earlier scan cannot be shown for a later one', () => {
  const judging = run(AIMING, seen(A, 0))
  expect(stepScan(judging, { type: 'judged', scanId: 'other', shown: shown('other'), at: 10 })).toBe(judging)
})

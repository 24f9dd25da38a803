import { describe, expect, test } from 'vitest'
import type { Shown } from './shown.ts'
import { AIMING, HELD_MS, type ScanEvent, type ScanState, step } from './step.ts'

const A = 'GR1:A'
const B = 'GR1:B'
let ids = 0
const seen = (text: string, at: number): ScanEvent => {
  ids += 1
  return { is: 'seen', text, scanId: `scan-${ids}`, at }
}
const shown = (scanId: string, ending: Shown['ending'] = 'admitted'): Shown => ({
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
const judged = (state: ScanState, at: number, ending: Shown['ending'] = 'admitted'): ScanState => {
  if (state.at !== 'judging') throw new Error(`Nothing is being judged: ${state.at}`)
  return step(state, { is: 'judged', scanId: state.scan.scanId, shown: shown(state.scan.scanId, ending), at })
}
const run = (state: ScanState, ...events: ScanEvent[]) => events.reduce(step, state)
const afterVerdict = (ending: Shown['ending'] = 'admitted') => judged(run(AIMING, seen(A, 0)), 100, ending)

describe('SPEC 4, scan flow', () => {
  test('while one scan is processing further scans are ignored', () => {
    const judging = run(AIMING, seen(A, 0))
    expect(run(judging, seen(B, 5_000), seen(B, 9_000))).toMatchObject({
      at: 'judging',
      scan: { subject: { text: A } },
    })
  })

  test('the scanner pauses two seconds after a verdict', () => {
    const state = afterVerdict()
    expect(run(state, seen(B, 1_500)).at).toBe('shown')
    expect(run(state, { is: 'clock', at: 2_099 }).at).toBe('shown')
    expect(run(state, { is: 'clock', at: 2_100 }, seen(B, 2_101)).at).toBe('judging')
  })

  test('a clock that is set back during the evening holds nothing up', () => {
    const shownAtNoon = judged(run(AIMING, seen(A, 600_000)), 600_100)
    const earlier = run(shownAtNoon, { is: 'clock', at: 2_100 })
    expect(earlier.at).toBe('aiming')
    expect(run(earlier, seen(B, 2_101)).at).toBe('judging')
    expect(run(earlier, seen(A, 2_200)).at).toBe('aiming')
  })

  test('a tap ends the pause early', () => {
    const state = run(afterVerdict(), { is: 'dismissed', at: 1_200 })
    expect(state.at).toBe('aiming')
    expect(run(state, seen(B, 1_201)).at).toBe('judging')
  })

  test('a scan less than a second after the previous is ignored, whatever its code', () => {
    const state = run(afterVerdict(), { is: 'dismissed', at: 300 })
    expect(run(state, seen(B, 999)).at).toBe('aiming')
    expect(run(state, seen(B, 1_000)).at).toBe('judging')
  })

  test('no more than two scans a second, whatever is held before the camera', () => {
    let state = AIMING
    let scans = 0
    for (let at = 0; at < 60_000; at += 16) {
      const next = step(state, seen(`${A}${at}`, at))
      if (next.at === 'judging') scans += 1
      state = next.at === 'judging' ? step(judged(next, at), { is: 'dismissed', at }) : next
    }
    expect(scans).toBe(60)
  })
})

describe('the same code again', () => {
  const hold = (state: ScanState, from: number, to: number) => {
    let next = state
    for (let at = from; at <= to; at += 100) next = run(next, { is: 'clock', at }, seen(A, at))
    return next
  }

  test('a slow hand does not turn its own green into red', () => {
    expect(hold(afterVerdict(), 100, 2_100 + HELD_MS - 100).at).toBe('aiming')
  })

  test('a code that stays is read out again', () => {
    expect(hold(afterVerdict(), 100, 2_100 + HELD_MS).at).toBe('judging')
  })

  test('a code that leaves and comes back is read out at once', () => {
    const gone = run(afterVerdict(), { is: 'clock', at: 2_100 })
    expect(run(gone, seen(A, 3_099)).at).toBe('aiming')
    expect(run(gone, seen(A, 3_100)).at).toBe('judging')
  })

  test('another code is read at once after the pause', () => {
    expect(run(afterVerdict(), { is: 'clock', at: 2_100 }, seen(B, 2_110)).at).toBe('judging')
  })

  test('after "please try again" the same code may at once', () => {
    const state = run(hold(afterVerdict('failed'), 100, 2_000), { is: 'clock', at: 2_100 })
    expect(run(state, seen(A, 2_110)).at).toBe('judging')
  })
})

describe('by hand', () => {
  const chosen: ScanEvent = { is: 'chosen', ticketId: 'T', scanId: 'hand', at: 50 }

  test('a choice is judged even during the pause, for a checker made it', () => {
    expect(run(afterVerdict(), chosen)).toMatchObject({ at: 'judging', scan: { subject: { by: 'hand' } } })
  })

  test('but not while another scan is being judged', () => {
    expect(run(AIMING, seen(A, 0), chosen)).toMatchObject({ at: 'judging', scan: { subject: { by: 'code' } } })
  })
})

test('a verdict of an earlier scan cannot be shown for a later one', () => {
  const judging = run(AIMING, seen(A, 0))
  expect(step(judging, { is: 'judged', scanId: 'other', shown: shown('other'), at: 10 })).toBe(judging)
})

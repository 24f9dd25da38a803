import { expect, test } from 'vitest'
import { CHECKS } from '../core/readiness.ts'
import {
  NOTHING_TESTED,
  openChecks,
  type Results,
  reportAbsent,
  reportGood,
  reportWeak,
  TESTING,
} from './useReadiness.ts'

const all = (over: Partial<Results> = {}): Results => ({
  ...(Object.fromEntries(CHECKS.map((name) => [name, reportGood('tested')])) as Results),
  ...over,
})

test('a device is ready only when every check was made and none is doubtful', () => {
  // Only who has a scanner that types tests it.
  expect(openChecks(NOTHING_TESTED)).toEqual(CHECKS.filter((name) => name !== 'handScanner'))
  expect(openChecks(all())).toEqual([])
  expect(openChecks(all({ sound: TESTING, persistence: reportWeak('may be cleared') }))).toEqual([
    'sound',
    'persistence',
  ])
})

test('a camera without a torch can still be ready', () => {
  expect(openChecks(all({ torch: reportAbsent('no torch') }))).toEqual([])
})

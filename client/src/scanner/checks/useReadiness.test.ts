import { expect, test } from 'vitest'
import { absent, CHECKS, good, NOTHING_TESTED, openChecks, type Results, TESTING, weak } from './useReadiness.ts'

const all = (over: Partial<Results> = {}): Results => ({
  ...(Object.fromEntries(CHECKS.map((name) => [name, good('tested')])) as Results),
  ...over,
})

test('a device is ready only when every check was made and none is doubtful', () => {
  expect(openChecks(NOTHING_TESTED)).toEqual([...CHECKS])
  expect(openChecks(all())).toEqual([])
  expect(openChecks(all({ sound: TESTING, persistence: weak('may be cleared') }))).toEqual(['sound', 'persistence'])
})

test('a camera without a torch can still be ready', () => {
  expect(openChecks(all({ torch: absent('no torch') }))).toEqual([])
})

import { expect, test } from 'vitest'
import { formatSlowestTests, lastLine, ofPlaywright, ofVitest, passedOnce, skippedLine, withExitCode } from './tally.ts'

const none = { passed: 0, failed: 0, skipped: 0, failures: [] }

test('a step that ran no tests counts as failed', () => {
  expect(withExitCode(none, 0)).toEqual({ ...none, failed: 1, failures: ['no tests ran'] })
})

test('a step whose process failed after all tests passed counts as failed', () => {
  expect(withExitCode(passedOnce, 1).failed).toBe(1)
  expect(withExitCode(passedOnce, 0)).toEqual(passedOnce)
})

test('the last line adds up all steps; skipped tests have a line of their own, if there are any', () => {
  expect(lastLine([passedOnce, passedOnce])).toBe('2 passed, 0 failed')
  const tallies = [{ ...none, passed: 3, failed: 1, skipped: 2 }, passedOnce]
  expect(lastLine(tallies)).toBe('4 passed, 1 failed')
  expect(skippedLine(tallies)).toBe('2 skipped')
  expect(skippedLine([passedOnce])).toBeNull()
})

test('a Vitest file that could not be loaded counts as a failure', () => {
  const tally = ofVitest({
    testResults: [
      { name: 'a.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
      {
        name: 'b.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'one', status: 'passed' },
          { fullName: 'two', status: 'failed', failureMessages: ['expected 1'] },
          { fullName: 'three', status: 'pending' },
          { fullName: 'four', status: 'passed', failureMessages: ['too late'] },
        ],
      },
    ],
  })
  expect(tally).toMatchObject({ passed: 2, failed: 2, skipped: 1, flaky: ['b.test.ts: four\ntoo late'] })
  expect(tally.failures).toEqual(['a.test.ts: SyntaxError', 'b.test.ts: two\nexpected 1'])
})

test('a browser test that passed at its second try is named', () => {
  const spec = (title: string, status: string) => ({
    title,
    file: 'a.spec.ts',
    line: 3,
    tests: [{ status, results: [{ error: { message: 'boom' } }, {}] }],
  })
  const tally = ofPlaywright({
    errors: [{ message: 'global set-up failed' }],
    suites: [
      { specs: [spec('one', 'expected')], suites: [{ specs: [spec('two', 'flaky'), spec('three', 'unexpected')] }] },
    ],
  })
  expect(tally).toMatchObject({ passed: 2, failed: 2, skipped: 0, flaky: ['a.spec.ts:3 two\nboom'] })
  expect(tally.failures).toEqual(['global set-up failed', 'a.spec.ts:3 three\nboom'])
})

test('the slowest tests of all steps are listed, slowest first', () => {
  const unit = ofVitest({
    testResults: [
      {
        name: 'a.test.ts',
        status: 'passed',
        assertionResults: [
          { fullName: 'quick', status: 'passed', duration: 4 },
          { fullName: 'slow', status: 'passed', duration: 2_340 },
        ],
      },
    ],
  })
  const spec = {
    title: 'slower',
    file: 'b.spec.ts',
    line: 7,
    tests: [{ status: 'expected', results: [{ duration: 12_000 }] }],
  }
  const browser = ofPlaywright({ suites: [{ specs: [spec] }] })
  expect(formatSlowestTests([unit, passedOnce, browser], 2)).toEqual([
    '  12.0 s  b.spec.ts:7 slower',
    '   2.3 s  a.test.ts: slow',
  ])
})

import { relative } from 'node:path'

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly string[]
  readonly flaky?: readonly string[]
  readonly timed?: readonly TestDuration[]
}

export interface TestDuration {
  readonly name: string
  readonly ms: number
}

export const passedOnce: Tally = { passed: 1, failed: 0, skipped: 0, failures: [] }
export const failedOnce = (why: string): Tally => ({ passed: 0, failed: 1, skipped: 0, failures: [why] })

/** Counts a run without tests, or whose process failed although no test did, as failed. */
export function withExitCode(tally: Tally, exitCode: number): Tally {
  const more = (why: string): Tally => ({ ...tally, failed: tally.failed + 1, failures: [...tally.failures, why] })
  if (tally.passed + tally.failed === 0) return more('no tests ran')
  if (exitCode !== 0 && tally.failed === 0) return more(`ended with exit code ${exitCode} though no test failed`)
  return tally
}

const sumTallies = (tallies: readonly Tally[], key: 'passed' | 'failed' | 'skipped'): number =>
  tallies.reduce((total, tally) => total + tally[key], 0)

/** Machines read this line too, so it has nothing else. */
export const lastLine = (tallies: readonly Tally[]): string =>
  `${sumTallies(tallies, 'passed')} passed, ${sumTallies(tallies, 'failed')} failed`

/** The line above the last, with the number of skipped tests; null if there were none. */
export function skippedLine(tallies: readonly Tally[]): string | null {
  const skipped = sumTallies(tallies, 'skipped')
  return skipped === 0 ? null : `${skipped} skipped`
}

export function formatSlowestTests(tallies: readonly Tally[], count: number): string[] {
  const all = tallies.flatMap(({ timed }) => timed ?? []).toSorted((a, b) => b.ms - a.ms)
  return all.slice(0, count).map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
}

interface VitestReport {
  readonly testResults?: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly duration?: number | null
      readonly failureMessages?: readonly string[] | null
    }[]
  }[]
}

/** Tallies Vitest's JSON report. A file that could not be loaded counts as one failure. */
export function ofVitest(report: VitestReport): Tally {
  const files = (report.testResults ?? []).map((file) => ({ ...file, name: relative('', file.name) }))
  const tests = files.flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ file: name, ...test })))
  const failed = tests.filter(({ status }) => status === 'failed')
  const isFlaky = (test: (typeof tests)[number]) => test.status === 'passed' && (test.failureMessages ?? []).length > 0
  const unloaded = files.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failed.length + unloaded.length,
    skipped: tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length,
    failures: [
      ...unloaded.map(({ name, message }) => `${name}: ${firstLines(message ?? 'could not be loaded')}`),
      ...failed.map((test) => `${test.file}: ${test.fullName}\n${firstLines(test.failureMessages?.[0] ?? '')}`),
    ],
    flaky: tests
      .filter(isFlaky)
      .map((test) => `${test.file}: ${test.fullName}\n${firstLines(test.failureMessages?.[0] ?? '')}`),
    timed: tests.map(({ file, fullName, duration }) => ({ name: `${file}: ${fullName}`, ms: duration ?? 0 })),
  }
}

interface PlaywrightSuite {
  readonly specs?: readonly {
    readonly title: string
    readonly file: string
    readonly line: number
    readonly tests: readonly {
      readonly status: string
      readonly results: readonly { readonly duration?: number; readonly error?: { readonly message?: string } }[]
    }[]
  }[]
  readonly suites?: readonly PlaywrightSuite[]
}
interface PlaywrightReport extends PlaywrightSuite {
  readonly errors?: readonly { readonly message?: string }[]
}

export function ofPlaywright(report: PlaywrightReport): Tally {
  const tests = listSpecs(report).flatMap((spec) => spec.tests.map((test) => ({ ...spec, ...test })))
  const failed = tests.filter(({ status }) => status === 'unexpected')
  const flaky = tests.filter(({ status }) => status === 'flaky')
  const count = (status: string) => tests.filter((test) => test.status === status).length
  const name = ({ file, line, title }: { file: string; line: number; title: string }) => `${file}:${line} ${title}`
  const why = (test: (typeof tests)[number]) =>
    firstLines(test.results.findLast((result) => result.error)?.error?.message ?? '')
  const errors = report.errors ?? []
  return {
    passed: count('expected') + flaky.length,
    failed: failed.length + errors.length,
    skipped: count('skipped'),
    failures: [
      ...errors.map(({ message }) => firstLines(message ?? 'the run failed')),
      ...failed.map((test) => `${name(test)}\n${why(test)}`),
    ],
    flaky: flaky.map((test) => `${name(test)}\n${why(test)}`),
    timed: tests.map((test) => ({ name: name(test), ms: test.results.at(-1)?.duration ?? 0 })),
  }
}

const listSpecs = (suite: PlaywrightSuite): NonNullable<PlaywrightSuite['specs']> => [
  ...(suite.specs ?? []),
  ...(suite.suites ?? []).flatMap(listSpecs),
]

const firstLines = (text: string) => text.split('\n').slice(0, 12).join('\n')

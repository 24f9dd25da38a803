import { SetUpError } from '../setup.mjs'
import type { Step } from './steps.ts'
import { failedOnce, formatSlowestTests, lastLine, skippedLine, type Tally } from './tally.ts'

const SLOWEST = 10

interface Done {
  readonly step: Step
  readonly tally: Tally
}

/** A step that cannot run counts as failed; the others still run. */
export async function runStep(step: Step, options: RunOptions): Promise<Done> {
  // Quick steps run side by side and print when they are done.
  if (!step.quick) console.log(`\n=== ${step.title}`)
  const from = performance.now()
  const tally = await step.run(options).catch((error: unknown) => {
    const why = error instanceof SetUpError ? error.message : String(error instanceof Error ? error.stack : error)
    console.error(why)
    return failedOnce(why)
  })
  const counts = [lastLine([tally]), skippedLine([tally])].filter(Boolean).join(', ')
  console.log(`--- ${step.title}: ${counts} (${((performance.now() - from) / 1000).toFixed(1)} s)`)
  return { step, tally }
}
type RunOptions = Parameters<Step['run']>[0]

export function printSummary(done: readonly Done[]): void {
  console.log('\n=== Result')
  for (const { step, tally } of done) {
    for (const flaky of tally.flaky ?? []) console.log(`\nPASSED AT THE SECOND TRY ${step.title}: ${flaky}`)
    for (const failure of tally.failures) console.log(`\nFAILED ${step.title}: ${failure}`)
  }
  const tallies = done.map(({ tally }) => tally)
  const slow = formatSlowestTests(tallies, SLOWEST)
  if (slow.length > 0) console.log(`\nSlowest tests:\n${slow.join('\n')}`)
  const skipped = skippedLine(tallies)
  if (skipped !== null) console.log(`\n${skipped}`)
  console.log(`\n${lastLine(tallies)}`)
  process.exitCode = tallies.some(({ failed }) => failed > 0) ? 1 : 0
}

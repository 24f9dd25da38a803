import { STEPS, type Step } from './checks/steps.ts'
import { failedOnce, lastLine, type Tally } from './checks/tally.ts'
import { SetUpError } from './setup.mjs'

/** A step that cannot be run has failed; the others still run. */
async function run(step: Step): Promise<Tally> {
  console.log(`\n=== ${step.title}`)
  const from = performance.now()
  const tally = await step.run().catch((error: unknown) => {
    const why = error instanceof SetUpError ? error.message : String(error instanceof Error ? error.stack : error)
    console.error(why)
    return failedOnce(why)
  })
  console.log(`--- ${step.title}: ${lastLine([tally])} (${((performance.now() - from) / 1000).toFixed(1)} s)`)
  return tally
}

function summary(done: readonly { step: Step; tally: Tally }[]): void {
  console.log('\n=== Result')
  for (const { step, tally } of done) {
    for (const flaky of tally.flaky ?? []) console.log(`\nFLAKY ${step.title}: ${flaky}`)
    for (const failure of tally.failures) console.log(`\nFAILED ${step.title}: ${failure}`)
  }
  const tallies = done.map(({ tally }) => tally)
  console.log(`\n${lastLine(tallies)}`)
  process.exitCode = tallies.some(({ failed }) => failed > 0) ? 1 : 0
}

/** `npm test` runs every step; `npm test -- NAME ...` those of these names; `npm run check` the quick ones. */
const names = process.argv.slice(2)
const unknown = names.filter((name) => name !== '--quick' && !STEPS.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. Steps: ${[...new Set(STEPS.map(({ name }) => name))].join(', ')}`)
  process.exitCode = 1
} else {
  const chosen = STEPS.filter((step) =>
    names.includes('--quick') ? step.quick : names.length === 0 || names.includes(step.name),
  )
  const done = []
  for (const step of chosen) done.push({ step, tally: await run(step) })
  summary(done)
}

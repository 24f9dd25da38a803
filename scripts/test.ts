import { chosenOf, STEPS, type Step } from './checks/steps.ts'
import { failedOnce, lastLine, slowest, type Tally } from './checks/tally.ts'
import { SetUpError } from './setup.mjs'

const SLOWEST = 10

interface Done {
  readonly step: Step
  readonly tally: Tally
}

/** A step that cannot run counts as failed; the others still run. */
async function run(step: Step, options: RunOptions): Promise<Done> {
  // Quick steps run side by side and print when they are done.
  if (!step.quick) console.log(`\n=== ${step.title}`)
  const from = performance.now()
  const tally = await step.run(options).catch((error: unknown) => {
    const why = error instanceof SetUpError ? error.message : String(error instanceof Error ? error.stack : error)
    console.error(why)
    return failedOnce(why)
  })
  console.log(`--- ${step.title}: ${lastLine([tally])} (${((performance.now() - from) / 1000).toFixed(1)} s)`)
  return { step, tally }
}
type RunOptions = Parameters<Step['run']>[0]

function summary(done: readonly Done[]): void {
  console.log('\n=== Result')
  for (const { step, tally } of done) {
    for (const failure of tally.failures) console.log(`\nFAILED ${step.title}: ${failure}`)
  }
  const tallies = done.map(({ tally }) => tally)
  const slow = slowest(tallies, SLOWEST)
  if (slow.length > 0) console.log(`\nSlowest tests:\n${slow.join('\n')}`)
  console.log(`\n${lastLine(tallies)}`)
  process.exitCode = tallies.some(({ failed }) => failed > 0) ? 1 : 0
}

/**
 * `npm test` runs every step, `npm test -- NAME ...` the named ones, and `npm run check` the quick ones. `--trace` keeps
 * traces of failed browser tests.
 */
const given = process.argv.slice(2)
const names = given.filter((one) => one !== '--quick' && one !== '--trace')
const known = new Set(STEPS.flatMap((step) => step.names))
const unknown = names.filter((name) => !known.has(name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. Steps: ${[...known].join(', ')}`)
  process.exitCode = 1
} else {
  const chosen = given.includes('--quick') ? STEPS.filter(({ quick }) => quick) : chosenOf(STEPS, names)
  const options = { names, trace: given.includes('--trace') }
  const done = await Promise.all(chosen.filter(({ quick }) => quick).map((step) => run(step, options)))
  for (const step of chosen.filter(({ quick }) => !quick)) done.push(await run(step, options))
  summary(done)
}

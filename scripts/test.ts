import { runStep, summary } from './checks/report.ts'
import { chosenOf, STEPS } from './checks/steps.ts'

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
  for (const { prepare } of chosen) prepare?.().catch(() => undefined)
  const done = await Promise.all(chosen.filter(({ quick }) => quick).map((step) => runStep(step, options)))
  for (const step of chosen.filter(({ quick }) => !quick)) done.push(await runStep(step, options))
  summary(done)
}

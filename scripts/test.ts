import { runStep, summary } from './checks/report.ts'
import { chosenOf, STEPS } from './checks/steps.ts'
import { command, UsageError } from './lib/say.ts'

/** Runs every step, the named ones, or the quick ones. */
await command('test', async ({ words: names, has }) => {
  const known = new Set(STEPS.flatMap((step) => step.names))
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new UsageError(`No such step: ${unknown.join(', ')}. Steps: ${[...known].join(', ')}`)
  const chosen = has('quick') ? STEPS.filter(({ quick }) => quick) : chosenOf(STEPS, names)
  const options = { names, trace: has('trace') }
  for (const { prepare } of chosen) prepare?.().catch(() => undefined)
  const done = await Promise.all(chosen.filter(({ quick }) => quick).map((step) => runStep(step, options)))
  for (const step of chosen.filter(({ quick }) => !quick)) done.push(await runStep(step, options))
  summary(done)
})

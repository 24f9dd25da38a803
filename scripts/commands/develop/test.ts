import { printSummary, runStep } from '../../checks/report.ts'
import { STEPS, selectSteps } from '../../checks/steps.ts'
import { runCommand, UsageError } from '../../lib/say.ts'

await runCommand('test', async ({ words: names, has }) => {
  const known = new Set(STEPS.flatMap((step) => step.names))
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new UsageError(`No such step: ${unknown.join(', ')}. Steps: ${[...known].join(', ')}`)
  const chosen = has('quick') ? STEPS.filter(({ quick }) => quick) : selectSteps(STEPS, names)
  const options = { names, trace: has('trace') }
  for (const { prepare } of chosen) prepare?.().catch(() => undefined)
  const done = await Promise.all(chosen.filter(({ quick }) => quick).map((step) => runStep(step, options)))
  for (const step of chosen.filter(({ quick }) => !quick)) done.push(await runStep(step, options))
  printSummary(done)
})

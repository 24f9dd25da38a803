import { printSummary, runStep } from '../../checks/report.ts'
import { inEngines } from '../../checks/steps.ts'
import { ENGINE_NAMES, type EngineName } from '../../lib/engines.ts'
import { runCommand, UsageError } from '../../lib/say.ts'

const ENGINES = Object.keys(ENGINE_NAMES) as EngineName[]
await runCommand('engines', async ({ words: names }) => {
  const engines = ENGINES.filter((engine) => names.length === 0 || names.includes(engine))
  if (names.length > 0 && engines.length !== names.length) throw new UsageError()
  printSummary([await runStep(inEngines(engines), { names, trace: false })])
})

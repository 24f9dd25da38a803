import { runStep, summary } from './checks/report.ts'
import { inEngines } from './checks/steps.ts'
import { ENGINE_NAMES, type EngineName } from './lib/engines.ts'
import { command, UsageError } from './lib/say.ts'

const ENGINES = Object.keys(ENGINE_NAMES) as EngineName[]
const USAGE = `npm run engines           the guest's way, the desk and the scanner in Firefox and in WebKit, and Chromium through Caddy over HTTPS
npm run engines -- NAME   one of them: ${ENGINES.join(', ')}`

await command(async () => {
  const names = process.argv.slice(2)
  const asked = ENGINES.filter((engine) => names.length === 0 || names.includes(engine))
  if (names.length > 0 && asked.length !== names.length) throw new UsageError(USAGE)
  summary([await runStep(inEngines(asked), { names, trace: false })])
})

import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { command } from './lib/say.ts'

const USAGE = `npm run storm -- NAME: the full version of what npm test does briefly

  fuzz [--seed N] [--requests N]   10,000 requests made from the API's own document, by all roles, against a server in
                                   this process; seed and number of requests repeat a run`

const REQUESTS = 10_000
const SEED_MAX = 2 ** 31 - 1

/** A whole number from the command line, at least `min`; throws RangeError for anything else. */
function whole(text: string, min: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min && number <= SEED_MAX)) throw new RangeError(text)
  return number
}

/** The requested storm, or null if the arguments are wrong. */
function asked(): { seed: number; requests: number } | null {
  const options = { seed: { type: 'string' }, requests: { type: 'string' } } as const
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    if (positionals.length !== 1 || positionals[0] !== 'fuzz') return null
    return {
      seed: values.seed === undefined ? randomInt(SEED_MAX) : whole(values.seed, 0),
      requests: values.requests === undefined ? REQUESTS : whole(values.requests, 1),
    }
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

async function storm({ seed, requests }: { seed: number; requests: number }): Promise<void> {
  const again = `npm run storm -- fuzz --seed ${seed} --requests ${requests}`
  console.log(`Fuzzing the API with ${requests} requests. To repeat this run: ${again}`)
  // Imported late, so that wrong arguments are reported at once.
  const { fuzz, describeFindings } = await import('../server/src/testing/fuzz/fuzz.ts')
  const undos: (() => void)[] = []
  const from = performance.now()
  try {
    const progress = (done: number) => {
      if (done % 1_000 === 0) console.log(`  ${done} of ${requests}`)
    }
    const report = await fuzz({ seed, requests, progress, whenOver: (undo) => undos.push(undo) })
    for (const finding of describeFindings(report)) console.error(`\n${finding}`)
    const { findings, slowest } = report
    const seconds = ((performance.now() - from) / 1000).toFixed(0)
    process.exitCode = findings.length === 0 ? 0 : 1
    console.log(
      `${findings.length === 0 ? 'Passed' : 'Failed'}: ${report.done} requests in ${seconds} s, ${findings.length} findings, ` +
        `slowest response ${slowest.ms} ms (${slowest.what}), seed ${seed}`,
    )
  } finally {
    for (const undo of undos.toReversed()) undo()
  }
}

const wanted = asked()
if (wanted) await command(() => storm(wanted))
else {
  console.error(USAGE)
  process.exitCode = 2
}

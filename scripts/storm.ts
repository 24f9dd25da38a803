import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { command } from './lib/say.ts'

const USAGE = `npm run storm -- NAME: the full version of what npm test does briefly

  fuzz [--seed N] [--requests N]   10,000 requests made from the API's own document, by all roles, against a server in
                                   this process; seed and number of requests repeat a run
  money [--seed N] [--orders N]    10,000 orders that are paid, fail, are paid late or twice, lapse and go back, while the
                                   provider and the network show 5 % of each fault; then the Books must balance and agree
                                   with the provider; seed and number of orders repeat a run`

const REQUESTS = 10_000
const ORDERS = 10_000
const FAULTS = 0.05
const SEED_MAX = 2 ** 31 - 1

/** A whole number from the command line, at least `min`; throws RangeError for anything else. */
function whole(text: string, min: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min && number <= SEED_MAX)) throw new RangeError(text)
  return number
}

type Asked = { name: 'fuzz'; seed: number; requests: number } | { name: 'money'; seed: number; orders: number }

/** The requested storm, or null if the arguments are wrong. */
function asked(): Asked | null {
  const text = { type: 'string' } as const
  try {
    const { values, positionals } = parseArgs({
      options: { seed: text, requests: text, orders: text },
      allowPositionals: true,
    })
    const [name] = positionals
    if (positionals.length !== 1) return null
    const seed = values.seed === undefined ? randomInt(SEED_MAX) : whole(values.seed, 0)
    const many = (given: string | undefined, usual: number) => (given === undefined ? usual : whole(given, 1))
    if (name === 'fuzz' && values.orders === undefined) return { name, seed, requests: many(values.requests, REQUESTS) }
    if (name === 'money' && values.requests === undefined) return { name, seed, orders: many(values.orders, ORDERS) }
    return null
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

type Undo = () => void | Promise<void>
/** Says what was found as it goes, and resolves with the number of findings and what the last line says of the rest. */
type Storm = (whenOver: (undo: Undo) => void) => Promise<{ findings: number; done: string; rest?: string }>

const progressOf = (all: number) => (done: number) => {
  if (done % 1_000 === 0) console.log(`  ${done} of ${all}`)
}

// The servers are imported late, so that wrong arguments are reported at once.
const fuzzing =
  ({ seed, requests }: { seed: number; requests: number }): Storm =>
  async (whenOver) => {
    const { fuzz, describeFindings } = await import('../server/src/testing/fuzz/fuzz.ts')
    const report = await fuzz({ seed, requests, progress: progressOf(requests), whenOver })
    for (const finding of describeFindings(report)) console.error(`\n${finding}`)
    const { findings, slowest } = report
    const rest = `slowest response ${slowest.ms} ms (${slowest.what}), `
    return { findings: findings.length, done: `${report.done} requests`, rest }
  }

const paying =
  ({ seed, orders }: { seed: number; orders: number }): Storm =>
  async (whenOver) => {
    const { moneyStorm } = await import('../server/src/testing/moneyStorm.ts')
    const findings = await moneyStorm({ seed, orders, faults: FAULTS, progress: progressOf(orders), whenOver })
    for (const finding of findings) console.error(`\n${finding}`)
    return { findings: findings.length, done: `${orders} orders` }
  }

async function run(wanted: Asked): Promise<void> {
  const { name, seed } = wanted
  const count = wanted.name === 'fuzz' ? `--requests ${wanted.requests}` : `--orders ${wanted.orders}`
  const what =
    wanted.name === 'fuzz' ? `Fuzzing the API with ${wanted.requests} requests` : `Storming ${wanted.orders} orders`
  console.log(`${what}. To repeat this run: npm run storm -- ${name} --seed ${seed} ${count}`)
  const storm = wanted.name === 'fuzz' ? fuzzing(wanted) : paying(wanted)
  const undos: Undo[] = []
  const from = performance.now()
  try {
    const { findings, done, rest = '' } = await storm((undo) => undos.push(undo))
    const seconds = ((performance.now() - from) / 1000).toFixed(0)
    process.exitCode = findings === 0 ? 0 : 1
    console.log(
      `${findings === 0 ? 'Passed' : 'Failed'}: ${done} in ${seconds} s, ${findings} findings, ${rest}seed ${seed}`,
    )
  } finally {
    for (const undo of undos.toReversed()) await undo()
  }
}

const wanted = asked()
if (wanted) await command(() => run(wanted))
else {
  console.error(USAGE)
  process.exitCode = 2
}

import { randomInt } from 'node:crypto'
import { type CommandArguments, runCommand, UsageError } from '../../lib/say.ts'
import { compileCache } from '../../setup.mjs'

const SEED_MAX = 2 ** 31 - 1

type Undo = () => void | Promise<void>
type Numbers<Name extends string = string> = Readonly<Record<Name, number>>

interface StormContext {
  seed: number
  /** The address of the PostgreSQL server that this storm uses; undefined on SQLite. */
  postgres: string | undefined
  whenOver: (undo: Undo) => void
  progress: (done: number) => void
}

interface StormResult {
  findings: readonly string[]
  done: string
  rest?: string
  tables?: Readonly<Record<string, Numbers>>
}

interface Storm {
  /** The options with their usual values; the first is the number of its steps. */
  numbers: Numbers
  onPostgres?: true
  /** The steps between two lines of progress. */
  every: number
  run(context: StormContext, numbers: Numbers): Promise<StormResult>
}

const makeStorm = <Name extends string>(
  storm: Omit<Storm, 'numbers' | 'run'> & {
    numbers: Numbers<Name>
    run: (context: StormContext, numbers: Numbers<Name>) => Promise<StormResult>
  },
): Storm => storm

const sumCalls = (calls: ReadonlyMap<string, number>) => [...calls.values()].reduce((sum, count) => sum + count, 0)

// The storms are imported late, so that wrong arguments are reported at once.
const STORMS: Readonly<Record<string, Storm>> = {
  fuzz: makeStorm({
    numbers: { requests: 10_000 },
    every: 1_000,
    run: async ({ whenOver, ...context }, { requests }) => {
      const { fuzz, describeFindings } = await import('../../../server/src/testing/fuzz/fuzz.ts')
      const report = await fuzz({ ...context, requests, whenOver: whenOver as never })
      const { slowest } = report
      const rest = `slowest response ${slowest.ms} ms (${slowest.what})`
      return { findings: describeFindings(report), done: `${report.done} requests`, rest }
    },
  }),
  sale: makeStorm({
    numbers: { buyers: 20_000, seconds: 60, kills: 2, payments: 1 },
    onPostgres: true,
    every: 1_000,
    run: async (context, { buyers, payments, ...how }) => {
      const { saleStorm } = await import('../../../server/src/testing/storms/saleStorm.ts')
      const sale = { buyers, seats: Math.ceil(buyers / 4), payments: payments > 0, ...how }
      const { findings, ...counts } = await saleStorm({ ...context, ...sale })
      return { findings, done: `${buyers} buyers`, tables: { sale: counts } }
    },
  }),
  types: makeStorm({
    numbers: { buyers: 4_000 },
    every: 400,
    run: async ({ whenOver, ...context }, { buyers }) => {
      const { typesStorm } = await import('../../../server/src/testing/storms/typesStorm.ts')
      const { findings, ...counts } = await typesStorm({ ...context, buyers, whenOver: whenOver as never })
      return { findings, done: `${buyers} buyers`, tables: { types: counts } }
    },
  }),
  evening: makeStorm({
    numbers: { tickets: 12_000 },
    onPostgres: true,
    every: 1_000,
    run: async (context, { tickets }) => {
      const { crewStorm } = await import('../../../server/src/testing/crew/crewStorm.ts')
      const crew = await crewStorm({ ...context, steps: tickets, faults: 0.05 })
      const { eveningStorm } = await import('../../../server/src/testing/storms/eveningStorm.ts')
      const how = { tickets, phones: 60, doubles: 0.03, kills: 3, takeover: true, paceMs: 250 }
      const { findings, shown, ...evening } = await eveningStorm({ ...context, ...how })
      const { steps, accepted, refused, inside } = crew
      const calls = { steps, accepted: sumCalls(accepted), refused: sumCalls(refused), inside }
      const tables = { crew: calls, evening }
      return { findings: [...crew.findings, ...findings], done: `${shown} people let in`, tables }
    },
  }),
  calledOff: makeStorm({
    numbers: { tickets: 5_000, kills: 3 },
    every: 1,
    run: async (context, numbers) => {
      const { calledOffStorm } = await import('../../../server/src/testing/storms/calledOffStorm.ts')
      const { findings, ...counts } = await calledOffStorm({ ...context, ...numbers })
      return { findings, done: `${counts.tickets} tickets`, tables: { 'called off': counts } }
    },
  }),
  power: makeStorm({
    numbers: { moments: 200 },
    every: 20,
    run: async (context, { moments }) => {
      const { powerStorm } = await import('../../../server/src/testing/storms/powerStorm.ts')
      const { findings, moments: done, ...counts } = await powerStorm({ ...context, moments, sales: 600 })
      return { findings, done: `${done} power cuts`, tables: { power: counts } }
    },
  }),
  protocol: makeStorm({
    numbers: { sequences: 100_000, from: 0, minutes: 120 },
    every: 100,
    run: async (context, numbers) => {
      const { protocolStorm } = await import('../../../server/src/testing/protocol/protocolStorm.ts')
      const { findings, gate, money, upTo } = await protocolStorm({ ...context, ...numbers })
      const tried = (gate.sequences ?? 0) + (money.sequences ?? 0)
      const rest = upTo < numbers.sequences ? { rest: `go on with --from ${upTo}` } : {}
      return { findings, done: `${tried} sequences`, tables: { gate, money }, ...rest }
    },
  }),
}

interface StormRequest {
  storm: Storm
  seed: number
  numbers: Numbers
  onPostgres: boolean
  /** The command that repeats this run. */
  repeat: string
}

const OPTIONS = ['seed', 'on', ...Object.values(STORMS).flatMap(({ numbers }) => Object.keys(numbers))]

function parseRequest({ words: [name = ''], text }: CommandArguments): StormRequest {
  const storm = Object.hasOwn(STORMS, name) ? STORMS[name] : undefined
  if (!storm) throw new UsageError()
  const number = (option: string, usual: number, min: number): number => {
    const given = Number(text(option) ?? usual)
    if (!Number.isInteger(given) || given < min || given > SEED_MAX) throw new UsageError()
    return given
  }
  const seed = number('seed', randomInt(SEED_MAX), 0)
  const numbers = Object.fromEntries(
    Object.entries(storm.numbers).map(([option, usual], at) => [option, number(option, usual, at === 0 ? 1 : 0)]),
  )
  const allowed = ['seed', ...Object.keys(numbers), ...(storm.onPostgres ? ['on'] : [])]
  const on = text('on') ?? 'sqlite'
  const isWrong = OPTIONS.some((option) => text(option) !== undefined && !allowed.includes(option))
  if (isWrong || (on !== 'sqlite' && on !== 'postgres')) throw new UsageError()
  const options = Object.entries({ seed, ...numbers, on }).map(([option, value]) => `--${option} ${value}`)
  if (!storm.onPostgres) options.pop()
  const repeat = ['npm run storm --', name, ...options].join(' ')
  return { storm, seed, numbers, onPostgres: on === 'postgres', repeat }
}

async function startPostgres(whenOver: (undo: Undo) => void): Promise<string> {
  const { worldPostgres } = await import('../../../server/src/testing/postgresSetup.ts')
  const { makeWorldsOn } = await import('../../../server/src/testing/database.ts')
  const server = await worldPostgres()
  whenOver(server.stop)
  makeWorldsOn(server.url)
  return server.url
}

function printTables(tables: NonNullable<StormResult['tables']>): void {
  for (const [name, counts] of Object.entries(tables))
    for (const [what, count] of Object.entries(counts))
      console.log(`  ${`${name}: ${what}`.padEnd(40)} ${count.toLocaleString('en', { maximumFractionDigits: 1 })}`)
}

await runCommand('storm', async (parsed) => {
  const { storm, seed, numbers, onPostgres, repeat } = parseRequest(parsed)
  console.log(`To repeat this run: ${repeat}`)
  const undos: Undo[] = []
  const whenOver = (undo: Undo) => void undos.push(undo)
  const from = performance.now()
  const [total] = Object.values(numbers)
  const progress = (done: number) => {
    if (done % storm.every === 0) console.log(`  ${done} of ${total}`)
  }
  // Servers that a storm starts inherit it.
  Object.assign(process.env, compileCache())
  try {
    const postgres = onPostgres ? await startPostgres(whenOver) : undefined
    const { findings, done, rest, tables = {} } = await storm.run({ seed, postgres, whenOver, progress }, numbers)
    for (const finding of findings) console.error(`\n${finding}`)
    printTables(tables)
    process.exitCode = findings.length === 0 ? 0 : 1
    const seconds = ((performance.now() - from) / 1000).toFixed(0)
    const facts = [`${done} in ${seconds} s`, `${findings.length} findings`, ...(rest ? [rest] : []), `seed ${seed}`]
    console.log(`${findings.length === 0 ? 'Passed' : 'Failed'}: ${facts.join(', ')}`)
  } finally {
    for (const undo of undos.toReversed()) await undo()
  }
})

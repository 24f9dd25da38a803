import { randomInt } from 'node:crypto'
import { type CommandArguments, runCommand, UsageError } from '../../lib/say.ts'
import { compileCache } from '../../setup.mjs'

const FAULTS = 0.05
const PROTOCOL_MINUTES = 120
const SEED_MAX = 2 ** 31 - 1

type Undo = () => void | Promise<void>

interface StormContext {
  seed: number
  count: number
  /** The address of the PostgreSQL server that this storm uses; undefined on SQLite. */
  postgres: string | undefined
  whenOver: (undo: Undo) => void
  progress: (done: number) => void
  option: (name: string, usual: number) => number
}

interface StormResult {
  findings: readonly string[]
  done: string
  rest?: string
  table?: readonly (readonly [what: string, figure: string])[]
}

interface Storm {
  count: readonly [option: string, usual: number]
  options?: readonly string[]
  onPostgres?: true
  every?: number
  what: (count: number) => string
  run: (running: StormContext) => Promise<StormResult>
}

const sumCalls = (calls: ReadonlyMap<string, number>) => [...calls.values()].reduce((sum, count) => sum + count, 0)
const buildCountRows = (name: string, counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(
    ([what, count]) => [`${name}: ${what}`, count.toLocaleString('en', { maximumFractionDigits: 1 })] as const,
  )

// The storms are imported late, so that wrong arguments are reported at once.
const STORMS: Readonly<Record<string, Storm>> = {
  fuzz: {
    count: ['requests', 10_000],
    what: (count) => `Fuzzing the API with ${count} requests.`,
    run: async ({ seed, count, progress, whenOver }) => {
      const { fuzz, describeFindings } = await import('../../../server/src/testing/fuzz/fuzz.ts')
      const report = await fuzz({ seed, requests: count, progress, whenOver: whenOver as never })
      const { slowest } = report
      const rest = `slowest response ${slowest.ms} ms (${slowest.what})`
      return { findings: describeFindings(report), done: `${report.done} requests`, rest }
    },
  },
  sale: {
    count: ['buyers', 20_000],
    onPostgres: true,
    options: ['seconds', 'kills', 'payments'],
    what: (count) => `${count} buyers at once for a quarter as many seats.`,
    run: async ({ seed, count, option, ...how }) => {
      const { saleStorm } = await import('../../../server/src/testing/storms/saleStorm.ts')
      const sale = { seconds: option('seconds', 60), kills: option('kills', 2), payments: option('payments', 1) > 0 }
      const seats = Math.ceil(count / 4)
      const { findings, ...counts } = await saleStorm({ seed, buyers: count, seats, ...sale, ...how })
      return { findings, done: `${count} buyers`, table: buildCountRows('sale', counts) }
    },
  },
  types: {
    count: ['buyers', 4_000],
    every: 400,
    what: (count) => `${count} buyers of all ticket types, in phases and with codes.`,
    run: async ({ seed, count, progress, whenOver }) => {
      const { typesStorm } = await import('../../../server/src/testing/storms/typesStorm.ts')
      const { findings, ...counts } = await typesStorm({ seed, buyers: count, progress, whenOver: whenOver as never })
      return { findings, done: `${count} buyers`, table: buildCountRows('types', counts) }
    },
  },
  evening: {
    count: ['tickets', 12_000],
    onPostgres: true,
    what: (count) =>
      `The crew in ${count} steps, and ${count} tickets at 60 gates with kills, a restore and a takeover.`,
    run: async ({ seed, count, progress, ...how }) => {
      const { crewStorm } = await import('../../../server/src/testing/crew/crewStorm.ts')
      const crew = await crewStorm({ seed, steps: count, faults: FAULTS, progress, ...how })
      const { eveningStorm } = await import('../../../server/src/testing/storms/eveningStorm.ts')
      const evening = { seed, tickets: count, phones: 60, doubles: 0.03, kills: 3, takeover: true, paceMs: 250 }
      const { findings, shown, ...counts } = await eveningStorm({ ...evening, progress, ...how })
      const { steps, accepted, refused, inside } = crew
      const calls = { steps, accepted: sumCalls(accepted), refused: sumCalls(refused), inside }
      const table = [...buildCountRows('crew', calls), ...buildCountRows('evening', counts)]
      return { findings: [...crew.findings, ...findings], done: `${shown} people let in`, table }
    },
  },
  calledOff: {
    count: ['tickets', 5_000],
    every: 1,
    options: ['kills'],
    what: (count) => `Calling off an event with ${count} paid tickets.`,
    run: async ({ seed, count, option, ...how }) => {
      const { calledOffStorm } = await import('../../../server/src/testing/storms/calledOffStorm.ts')
      const { findings, ...counts } = await calledOffStorm({ seed, tickets: count, kills: option('kills', 3), ...how })
      return { findings, done: `${counts.tickets} tickets`, table: buildCountRows('called off', counts) }
    },
  },
  power: {
    count: ['moments', 200],
    every: 20,
    what: (count) => `Cutting the power of a busy server at ${count} moments.`,
    run: async ({ seed, count, ...how }) => {
      const { powerStorm } = await import('../../../server/src/testing/storms/powerStorm.ts')
      const { findings, moments, ...counts } = await powerStorm({ seed, moments: count, sales: 600, ...how })
      return { findings, done: `${moments} power cuts`, table: buildCountRows('power', counts) }
    },
  },
  protocol: {
    count: ['sequences', 100_000],
    options: ['from', 'minutes'],
    every: 100,
    what: (count) => `Trying ${count} sequences of up to 40 steps at the gate and with money.`,
    run: async ({ seed, count, progress, option }) => {
      const { protocolStorm } = await import('../../../server/src/testing/protocol/protocolStorm.ts')
      const how = { from: option('from', 0), minutes: option('minutes', PROTOCOL_MINUTES), progress }
      const { findings, gate, money, upTo } = await protocolStorm({ seed, sequences: count, ...how })
      const tried = (gate.sequences ?? 0) + (money.sequences ?? 0)
      const rest = upTo < count ? `go on with --from ${upTo}` : undefined
      const table = [...buildCountRows('gate', gate), ...buildCountRows('money', money)]
      return { findings, done: `${tried} sequences`, table, ...(rest === undefined ? {} : { rest }) }
    },
  },
}

/** A whole number from the command line, at least `min`. Throws UsageError for anything else. */
function whole(text: string, min: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min && number <= SEED_MAX)) throw new UsageError()
  return number
}

interface StormRequest {
  name: string
  storm: Storm
  seed: number
  count: number
  onPostgres: boolean
  option: StormContext['option']
  given: string
}

const OPTIONS = [
  ...new Set([
    'seed',
    'on',
    ...Object.values(STORMS).flatMap(({ count: [option], options = [] }) => [option, ...options]),
  ]),
]

function requested({ words: [name = ''], text }: CommandArguments): StormRequest {
  const storm = Object.hasOwn(STORMS, name) ? STORMS[name] : undefined
  if (!storm) throw new UsageError()
  const { count, onPostgres, options = [] } = storm
  const [option, usual] = count
  const allowed = [option, ...options, 'seed', ...(onPostgres ? ['on'] : [])]
  if (OPTIONS.some((given) => text(given) !== undefined && !allowed.includes(given))) throw new UsageError()
  const on = text('on') ?? 'sqlite'
  if (on !== 'sqlite' && on !== 'postgres') throw new UsageError()
  const [seed, many] = [text('seed'), text(option)]
  const further = new Map(
    options.flatMap((one) => {
      const value = text(one)
      return value === undefined ? [] : [[one, whole(value, 0)] as const]
    }),
  )
  return {
    ...{ name, storm, onPostgres: on === 'postgres' },
    seed: seed === undefined ? randomInt(SEED_MAX) : whole(seed, 0),
    count: many === undefined ? usual : whole(many, 1),
    given: [...further].map(([name, value]) => ` --${name} ${value}`).join(''),
    option: (name, usual) => further.get(name) ?? usual,
  }
}

async function startedPostgres(whenOver: (undo: Undo) => void): Promise<string> {
  const { worldPostgres } = await import('../../../server/src/testing/postgresSetup.ts')
  const { makeWorldsOn } = await import('../../../server/src/testing/database.ts')
  const server = await worldPostgres()
  whenOver(server.stop)
  makeWorldsOn(server.url)
  return server.url
}

function printTable(rows: NonNullable<StormResult['table']>): void {
  const width = Math.max(...rows.map(([what]) => what.length))
  const figures = Math.max(...rows.map(([, figure]) => figure.length))
  for (const [what, figure] of rows) console.log(`  ${what.padEnd(width)}  ${figure.padStart(figures)}`)
}

async function run({ name, storm, seed, count, onPostgres, option, given }: StormRequest): Promise<void> {
  const { count: counted, every = 1_000, what } = storm
  const again = `npm run storm -- ${name} --seed ${seed} --${counted[0]} ${count}${given}${onPostgres ? ' --on postgres' : ''}`
  console.log(`${what(count)} To repeat this run: ${again}`)
  const undos: Undo[] = []
  const whenOver = (undo: Undo) => void undos.push(undo)
  const from = performance.now()
  // Servers that a storm starts inherit it.
  Object.assign(process.env, compileCache())
  try {
    const address = onPostgres ? await startedPostgres(whenOver) : undefined
    const progress = (done: number) => {
      if (done % every === 0) console.log(`  ${done} of ${count}`)
    }
    const stormed = await storm.run({ seed, count, postgres: address, whenOver, progress, option })
    const { findings, done, rest, table = [] } = stormed
    for (const finding of findings) console.error(`\n${finding}`)
    if (table.length > 0) printTable(table)
    const seconds = ((performance.now() - from) / 1000).toFixed(0)
    process.exitCode = findings.length === 0 ? 0 : 1
    const facts = [`${done} in ${seconds} s`, `${findings.length} findings`, rest, `seed ${seed}`]
    console.log(
      `${findings.length === 0 ? 'Passed' : 'Failed'}: ${facts.filter((fact) => fact !== undefined).join(', ')}`,
    )
  } finally {
    for (const undo of undos.toReversed()) await undo()
  }
}

await runCommand('storm', (asked) => run(requested(asked)))

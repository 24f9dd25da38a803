import { randomInt } from 'node:crypto'
import { type CommandArguments, command, UsageError } from './lib/say.ts'
import { quickOptions } from './setup.mjs'

const FAULTS = 0.05
const GATES = 20
/** Sales and scans between two restarts (ms). */
const BETWEEN_MS = 3_000
const PROTOCOL_MINUTES = 120
const SEED_MAX = 2 ** 31 - 1

type Undo = () => void | Promise<void>

interface Running {
  seed: number
  /** The number of requests, orders, steps or other units of this storm. */
  count: number
  /** The address of the PostgreSQL server that this storm uses; undefined on SQLite. */
  postgres: string | undefined
  whenOver: (undo: Undo) => void
  progress: (done: number) => void
  /** The value of a further option, or its default. */
  option: (name: string, usual: number) => number
}

interface Stormed {
  findings: readonly string[]
  /** The amount of work done, for the last line. */
  done: string
  rest?: string
  /** The figures that were measured, each with its name. */
  table?: readonly (readonly [what: string, figure: string])[]
}

interface Storm {
  /** The option for the count, and its default. */
  count: readonly [option: string, usual: number]
  seeded: boolean
  /** Further options, all numbers. */
  options?: readonly string[]
  /** Whether it can run on PostgreSQL. `own`: it makes its test worlds there. */
  postgres?: 'own' | 'server'
  /** Counts from one reported progress to the next. */
  every?: number
  what: (count: number) => string
  run: (running: Running) => Promise<Stormed>
}

const total = (calls: ReadonlyMap<string, number>) => [...calls.values()].reduce((sum, count) => sum + count, 0)
const rowsOf = (name: string, counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(
    ([what, count]) => [`${name}: ${what}`, count.toLocaleString('en', { maximumFractionDigits: 1 })] as const,
  )

// The storms are imported late, so that wrong arguments are reported at once.
const STORMS: Readonly<Record<string, Storm>> = {
  fuzz: {
    count: ['requests', 10_000],
    seeded: true,
    what: (count) => `Fuzzing the API with ${count} requests.`,
    run: async ({ seed, count, progress, whenOver }) => {
      const { fuzz, describeFindings } = await import('../server/src/testing/fuzz/fuzz.ts')
      const report = await fuzz({ seed, requests: count, progress, whenOver: whenOver as never })
      const { slowest } = report
      const rest = `slowest response ${slowest.ms} ms (${slowest.what})`
      return { findings: describeFindings(report), done: `${report.done} requests`, rest }
    },
  },
  money: {
    count: ['orders', 10_000],
    seeded: true,
    postgres: 'own',
    what: (count) => `Storming ${count} orders.`,
    run: async ({ seed, count, ...how }) => {
      const { moneyStorm } = await import('../server/src/testing/moneyStorm.ts')
      const findings = await moneyStorm({ seed, orders: count, faults: FAULTS, ...how })
      return { findings, done: `${count} orders` }
    },
  },
  door: {
    count: ['steps', 10_000],
    seeded: true,
    postgres: 'own',
    what: (count) => `Storming the door in ${count} steps.`,
    run: async ({ seed, count, ...how }) => {
      const { doorStorm } = await import('../server/src/testing/doorStorm.ts')
      return { findings: await doorStorm({ seed, steps: count, ...how }), done: `${count} steps` }
    },
  },
  crew: {
    count: ['steps', 10_000],
    seeded: true,
    postgres: 'own',
    what: (count) => `Storming the crew in ${count} steps.`,
    run: async ({ seed, count, ...how }) => {
      const { crewStorm } = await import('../server/src/testing/crew/crewStorm.ts')
      const { findings, steps, accepted, refused, inside } = await crewStorm({
        seed,
        steps: count,
        faults: FAULTS,
        ...how,
      })
      const rest = `${total(accepted)} calls accepted, ${total(refused)} refused, ${inside} people inside`
      return { findings, done: `${steps} steps`, rest }
    },
  },
  heal: {
    count: ['scans', 10_000],
    seeded: true,
    what: (count) => `Losing the server in an evening of ${count} turns.`,
    run: async ({ seed, count, ...how }) => {
      const { healStorm } = await import('../server/src/testing/healStorm.ts')
      const healed = await healStorm({ seed, scans: count, gates: GATES, ...how })
      const { findings, restores, admissions, undone, twiceLetIn, onLostTickets } = healed
      const rest = `${restores} restores, ${undone} undone, ${twiceLetIn} let in twice, ${onLostTickets} on lost tickets`
      return { findings, done: `${admissions} admissions`, rest }
    },
  },
  restart: {
    count: ['restarts', 10],
    seeded: false,
    every: 1,
    what: (count) => `Restarting a selling and scanning server ${count} times.`,
    run: async ({ count, ...how }) => {
      const { restartStorm } = await import('../server/src/testing/restartStorm.ts')
      const report = await restartStorm({ restarts: count, everyMs: BETWEEN_MS, ...how })
      const [shortest, longest] = [Math.min(...report.gaps), Math.max(...report.gaps)].map(Math.round)
      const rest = `${report.repeated} requests repeated, ${shortest} to ${longest} ms without answers`
      const done = `${count} restarts with ${report.sales} sales and ${report.admissions} admissions`
      return { findings: report.findings, done, rest }
    },
  },
  sale: {
    count: ['buyers', 20_000],
    seeded: true,
    postgres: 'server',
    options: ['seconds', 'kills', 'payments'],
    what: (count) => `${count} buyers at once for a quarter as many seats.`,
    run: async ({ seed, count, option, ...how }) => {
      const { saleStorm } = await import('../server/src/testing/storms/saleStorm.ts')
      const sale = { seconds: option('seconds', 60), kills: option('kills', 2), payments: option('payments', 1) > 0 }
      const seats = Math.ceil(count / 4)
      const { findings, ...counts } = await saleStorm({ seed, buyers: count, seats, ...sale, ...how })
      return { findings, done: `${count} buyers`, table: rowsOf('sale', counts) }
    },
  },
  evening: {
    count: ['tickets', 12_000],
    seeded: true,
    postgres: 'server',
    what: (count) => `An evening of ${count} tickets at 60 gates, with three kills, a restore and a takeover.`,
    run: async ({ seed, count, ...how }) => {
      const { eveningStorm } = await import('../server/src/testing/storms/eveningStorm.ts')
      const evening = { seed, tickets: count, phones: 60, doubles: 0.03, kills: 3, takeover: true, paceMs: 250 }
      const { findings, shown, ...counts } = await eveningStorm({ ...evening, ...how })
      return { findings, done: `${shown} people let in`, table: rowsOf('evening', counts) }
    },
  },
  power: {
    count: ['moments', 200],
    seeded: true,
    every: 20,
    what: (count) => `Cutting the power of a busy server at ${count} moments.`,
    run: async ({ seed, count, ...how }) => {
      const { powerStorm } = await import('../server/src/testing/storms/powerStorm.ts')
      const { findings, moments, ...counts } = await powerStorm({ seed, moments: count, sales: 600, ...how })
      return { findings, done: `${moments} power cuts`, table: rowsOf('power', counts) }
    },
  },
  soak: {
    count: ['scans', 5_000],
    seeded: false,
    postgres: 'server',
    what: (count) => `Soaking a server, a desk and a scanner in ${count} scans.`,
    run: async ({ count, ...how }) => {
      const { soakStorm } = await import('../server/src/testing/storms/soakStorm.ts')
      const { findings, table } = await soakStorm({ scans: count, ...how })
      return { findings, done: `${count} scans`, table }
    },
  },
  protocol: {
    count: ['sequences', 100_000],
    seeded: true,
    options: ['from', 'minutes'],
    every: 100,
    what: (count) => `Trying ${count} sequences of up to 40 steps at the gate and with money.`,
    run: async ({ seed, count, progress, option }) => {
      const { protocolStorm } = await import('../server/src/testing/protocol/protocolStorm.ts')
      const how = { from: option('from', 0), minutes: option('minutes', PROTOCOL_MINUTES), progress }
      const { findings, gate, money, upTo } = await protocolStorm({ seed, sequences: count, ...how })
      const tried = (gate.sequences ?? 0) + (money.sequences ?? 0)
      const rest = upTo < count ? `go on with --from ${upTo}` : undefined
      const table = [...rowsOf('gate', gate), ...rowsOf('money', money)]
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

interface Storming {
  name: string
  storm: Storm
  seed: number
  count: number
  onPostgres: boolean
  option: Running['option']
  /** The further options as given on the command line. */
  given: string
}

const OPTIONS = [
  ...new Set([
    'seed',
    'on',
    ...Object.values(STORMS).flatMap(({ count: [option], options = [] }) => [option, ...options]),
  ]),
]

/** The requested storm. Throws UsageError. */
function requested({ words: [name = ''], text }: CommandArguments): Storming {
  const storm = Object.hasOwn(STORMS, name) ? STORMS[name] : undefined
  if (!storm) throw new UsageError()
  const { count, seeded, postgres, options = [] } = storm
  const [option, usual] = count
  const allowed = [option, ...options, ...(seeded ? ['seed'] : []), ...(postgres ? ['on'] : [])]
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

async function startedPostgres(own: boolean, whenOver: (undo: Undo) => void): Promise<string> {
  const { worldPostgres } = await import('../server/src/testing/postgresSetup.ts')
  const { makeWorldsOn } = await import('../server/src/testing/database.ts')
  const server = await worldPostgres()
  whenOver(server.stop)
  if (own) makeWorldsOn(server.url)
  return server.url
}

function printTable(rows: NonNullable<Stormed['table']>): void {
  const width = Math.max(...rows.map(([what]) => what.length))
  const figures = Math.max(...rows.map(([, figure]) => figure.length))
  for (const [what, figure] of rows) console.log(`  ${what.padEnd(width)}  ${figure.padStart(figures)}`)
}

async function run({ name, storm, seed, count, onPostgres, option, given }: Storming): Promise<void> {
  const { count: counted, seeded, postgres, every = 1_000, what } = storm
  const again = `npm run storm -- ${name} --seed ${seed} --${counted[0]} ${count}${given}${onPostgres ? ' --on postgres' : ''}`
  console.log(`${what(count)}${seeded ? ` To repeat this run: ${again}` : ''}`)
  const undos: Undo[] = []
  const whenOver = (undo: Undo) => void undos.push(undo)
  const from = performance.now()
  // Servers that a storm starts inherit it.
  process.env.NODE_OPTIONS = quickOptions()
  try {
    const address = onPostgres ? await startedPostgres(postgres === 'own', whenOver) : undefined
    const progress = (done: number) => {
      if (done % every === 0) console.log(`  ${done} of ${count}`)
    }
    const stormed = await storm.run({ seed, count, postgres: address, whenOver, progress, option })
    const { findings, done, rest, table = [] } = stormed
    for (const finding of findings) console.error(`\n${finding}`)
    if (table.length > 0) printTable(table)
    const seconds = ((performance.now() - from) / 1000).toFixed(0)
    process.exitCode = findings.length === 0 ? 0 : 1
    const facts = [`${done} in ${seconds} s`, `${findings.length} findings`, rest, seeded ? `seed ${seed}` : undefined]
    console.log(
      `${findings.length === 0 ? 'Passed' : 'Failed'}: ${facts.filter((fact) => fact !== undefined).join(', ')}`,
    )
  } finally {
    for (const undo of undos.toReversed()) await undo()
  }
}

await command('storm', (asked) => run(requested(asked)))

import { randomInt } from 'node:crypto'
import { type CommandArguments, command, UsageError } from './lib/say.ts'
import { quickOptions } from './setup.mjs'

const REQUESTS = 10_000
const ORDERS = 10_000
const STEPS = 10_000
const SCANS = 10_000
const GATES = 20
const FAULTS = 0.05
const RESTARTS = 10
/** Sales and scans between two restarts (ms). */
const BETWEEN_MS = 3_000
const OPTIONS = ['seed', 'requests', 'orders', 'steps', 'scans', 'restarts']
const SEED_MAX = 2 ** 31 - 1

/** A whole number from the command line, at least `min`. Throws UsageError for anything else. */
function whole(text: string, min: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min && number <= SEED_MAX)) throw new UsageError()
  return number
}

type Storming =
  | { name: 'fuzz'; seed: number; requests: number }
  | { name: 'money'; seed: number; orders: number }
  | { name: 'door'; seed: number; steps: number }
  | { name: 'crew'; seed: number; steps: number }
  | { name: 'heal'; seed: number; scans: number }
  | { name: 'restart'; restarts: number }

/** The requested storm. Throws UsageError. */
function wanted({ words: [name], text }: CommandArguments): Storming {
  const given = OPTIONS.filter((option) => text(option) !== undefined)
  const only = (...allowed: string[]) => given.every((option) => allowed.includes(option))
  const many = (option: string, usual: number) => {
    const typed = text(option)
    return typed === undefined ? usual : whole(typed, 1)
  }
  const typed = text('seed')
  const seed = () => (typed === undefined ? randomInt(SEED_MAX) : whole(typed, 0))
  if (name === 'fuzz' && only('seed', 'requests')) return { name, seed: seed(), requests: many('requests', REQUESTS) }
  if (name === 'money' && only('seed', 'orders')) return { name, seed: seed(), orders: many('orders', ORDERS) }
  if (name === 'door' && only('seed', 'steps')) return { name, seed: seed(), steps: many('steps', STEPS) }
  if (name === 'crew' && only('seed', 'steps')) return { name, seed: seed(), steps: many('steps', STEPS) }
  if (name === 'heal' && only('seed', 'scans')) return { name, seed: seed(), scans: many('scans', SCANS) }
  if (name === 'restart' && only('restarts')) return { name, restarts: many('restarts', RESTARTS) }
  throw new UsageError()
}

type Undo = () => void | Promise<void>
/** Prints findings as they occur, and resolves with their number and the text for the last line. */
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
    const rest = `slowest response ${slowest.ms} ms (${slowest.what})`
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

const atDoor =
  ({ seed, steps }: { seed: number; steps: number }): Storm =>
  async (whenOver) => {
    const { doorStorm } = await import('../server/src/testing/doorStorm.ts')
    const findings = await doorStorm({ seed, steps, progress: progressOf(steps), whenOver })
    for (const finding of findings) console.error(`\n${finding}`)
    return { findings: findings.length, done: `${steps} steps` }
  }

const crewing =
  ({ seed, steps }: { seed: number; steps: number }): Storm =>
  async (whenOver) => {
    const { crewStorm } = await import('../server/src/testing/crew/crewStorm.ts')
    const stormed = await crewStorm({ seed, steps, faults: FAULTS, progress: progressOf(steps), whenOver })
    for (const finding of stormed.findings) console.error(`\n${finding}`)
    const counted = (calls: ReadonlyMap<string, number>) => [...calls.values()].reduce((sum, count) => sum + count, 0)
    const { accepted, refused, inside, findings } = stormed
    const rest = `${counted(accepted)} calls accepted, ${counted(refused)} refused, ${inside} people inside`
    return { findings: findings.length, done: `${stormed.steps} steps`, rest }
  }

const healing =
  ({ seed, scans }: { seed: number; scans: number }): Storm =>
  async (whenOver) => {
    const { healStorm } = await import('../server/src/testing/healStorm.ts')
    const healed = await healStorm({ seed, scans, gates: GATES, progress: progressOf(scans), whenOver })
    for (const finding of healed.findings) console.error(`\n${finding}`)
    const { restores, admissions, undone, twiceLetIn, onLostTickets } = healed
    const rest = `${restores} restores, ${undone} undone, ${twiceLetIn} let in twice, ${onLostTickets} on lost tickets`
    return { findings: healed.findings.length, done: `${admissions} admissions`, rest }
  }

const restarting =
  ({ restarts }: { restarts: number }): Storm =>
  async (whenOver) => {
    const { restartStorm } = await import('../server/src/testing/restartStorm.ts')
    process.env.NODE_OPTIONS = quickOptions()
    const progress = (done: number) => console.log(`  ${done} of ${restarts}`)
    const report = await restartStorm({ restarts, everyMs: BETWEEN_MS, progress, whenOver })
    for (const finding of report.findings) console.error(`\n${finding}`)
    const [shortest, longest] = [Math.min(...report.gaps), Math.max(...report.gaps)].map(Math.round)
    const rest = `${report.repeated} requests repeated, ${shortest} to ${longest} ms without answers`
    const done = `${restarts} restarts with ${report.sales} sales and ${report.admissions} admissions`
    return { findings: report.findings.length, done, rest }
  }

/** Returns the opening line, the storm, and the seed that repeats it, if it has one. */
function stormOf(wanted: Storming): { what: string; storm: Storm; seed?: number } {
  const again = (seed: number, count: string) =>
    `To repeat this run: npm run storm -- ${wanted.name} --seed ${seed} ${count}`
  switch (wanted.name) {
    case 'fuzz': {
      const { seed, requests } = wanted
      const what = `Fuzzing the API with ${requests} requests. ${again(seed, `--requests ${requests}`)}`
      return { what, storm: fuzzing(wanted), seed }
    }
    case 'money': {
      const { seed, orders } = wanted
      return { what: `Storming ${orders} orders. ${again(seed, `--orders ${orders}`)}`, storm: paying(wanted), seed }
    }
    case 'door': {
      const { seed, steps } = wanted
      return {
        what: `Storming the door in ${steps} steps. ${again(seed, `--steps ${steps}`)}`,
        storm: atDoor(wanted),
        seed,
      }
    }
    case 'crew': {
      const { seed, steps } = wanted
      return {
        what: `Storming the crew in ${steps} steps. ${again(seed, `--steps ${steps}`)}`,
        storm: crewing(wanted),
        seed,
      }
    }
    case 'heal': {
      const { seed, scans } = wanted
      return {
        what: `Losing the server in an evening of ${scans} turns. ${again(seed, `--scans ${scans}`)}`,
        storm: healing(wanted),
        seed,
      }
    }
    case 'restart':
      return { what: `Restarting a selling and scanning server ${wanted.restarts} times.`, storm: restarting(wanted) }
  }
}

async function run(wanted: Storming): Promise<void> {
  const { what, storm, seed } = stormOf(wanted)
  console.log(what)
  const undos: Undo[] = []
  const from = performance.now()
  try {
    const { findings, done, rest } = await storm((undo) => undos.push(undo))
    const seconds = ((performance.now() - from) / 1000).toFixed(0)
    process.exitCode = findings === 0 ? 0 : 1
    const facts = [
      `${done} in ${seconds} s`,
      `${findings} findings`,
      rest,
      seed === undefined ? undefined : `seed ${seed}`,
    ]
    console.log(`${findings === 0 ? 'Passed' : 'Failed'}: ${facts.filter((fact) => fact !== undefined).join(', ')}`)
  } finally {
    for (const undo of undos.toReversed()) await undo()
  }
}

await command('storm', (asked) => run(wanted(asked)))

import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

type Part = 'gate' | 'money'
type Counts = Record<string, number>

interface Storm {
  seed: number
  /** Half of them of the gate, half of the money. */
  sequences: number
  /** The number that an earlier run with this seed has tried; they are left out. */
  from: number
  /** The storm ends after this many minutes and reports what it has done. */
  minutes: number
  progress?: (done: number) => void
}

interface Stormed {
  findings: string[]
  gate: Counts
  money: Counts
  /** Where another run with this seed continues: everything before has been tried. */
  upTo: number
}

/** Some sequences of one part, with their own seed, for one process. */
interface Shard {
  part: Part
  seed: number
  sequences: number
}

type Told = { progress: number } | { counts: Counts; finding: string | null }

const MAIN = fileURLToPath(new URL('protocolMain.ts', import.meta.url))
/** A process takes some seconds to start, and its memory grows. */
const SHARD = 1_000
/** After this many findings, more would only repeat them. */
const ENOUGH = 5

function shardsOf(seed: number, sequences: number): Shard[] {
  const each = Math.max(1, Math.min(SHARD, Math.ceil(sequences / 2)))
  const pairs = Math.ceil(sequences / 2 / each)
  return Array.from({ length: pairs }, (_, pair) =>
    (['gate', 'money'] as const).map((part) => {
      const left = Math.max(1, Math.round(sequences / 2)) - pair * each
      return { part, seed: (seed + pair) % 2 ** 31, sequences: Math.min(each, left) }
    }),
  ).flat()
}

/**
 * Random sequences of up to 40 steps at the gate (three real scanners and the real server, with cut, late and foreign networks, full
 * disks, pages that close, wrong clocks, exits, counts, undos, swaps, sales at the door, new codes, changes by the desk, lost rights, revocations and
 * restores) and with money (orders, payments, facts in any order and twice, refunds in
 * doubt). What fails is reported with the shortest steps that still fail. As many processes as there are processors share them.
 */
export async function protocolStorm({
  seed,
  sequences,
  from,
  minutes,
  progress = () => undefined,
}: Storm): Promise<Stormed> {
  const until = Date.now() + minutes * 60_000
  const shards = shardsOf(seed, sequences)
  const before = (index: number) => shards.slice(0, index).reduce((sum, shard) => sum + shard.sequences, 0)
  const whole = new Set([...shards.keys()].filter((index) => before(index + 1) <= from))
  const waiting = [...shards.entries()].filter(([index]) => !whole.has(index))
  const findings: string[] = []
  const counts: Record<Part, Counts> = { gate: {}, money: {} }
  let done = 0

  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, shard] = next
      if (Date.now() >= until || findings.length >= ENOUGH) return
      const told = await tried(shard, until, () => {
        done += 1
        progress(done)
      })
      if (told.finding !== null) findings.push(told.finding)
      if (told.finding !== null || told.counts.sequences === shard.sequences) whole.add(index)
      const sums = counts[shard.part]
      for (const [what, count] of Object.entries(told.counts)) sums[what] = (sums[what] ?? 0) + count
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), waiting.length) }, worker))
  const open = shards.findIndex((_, index) => !whole.has(index))
  return { findings, ...counts, upTo: open === -1 ? sequences : before(open) }
}

/** One shard in a process of its own, because the gate's model takes the clock and the network of its process. */
function tried({ part, seed, sequences }: Shard, until: number, onSequence: () => void) {
  const minutes = Math.max(0, until - Date.now()) / 60_000
  return new Promise<{ counts: Counts; finding: string | null }>((resolve, reject) => {
    const child = fork(MAIN, [part, String(seed), String(sequences), String(minutes)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Most of what a step makes is garbage at once, so a larger nursery saves a tenth of the time.
      execArgv: ['--max-semi-space-size=64', '--no-deprecation'],
    })
    let said = ''
    let result: { counts: Counts; finding: string | null } | undefined
    child.stderr?.on('data', (text) => {
      said = `${said}${text}`.slice(-4_000)
    })
    child.on('message', (told: Told) => {
      if ('counts' in told) result = told
      else for (let n = 0; n < told.progress; n += 1) onSequence()
    })
    child.on('close', () => {
      if (result) resolve(result)
      else reject(new Error(`The model of the ${part} with seed ${seed} ended: ${said}`))
    })
  })
}

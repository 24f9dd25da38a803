import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { type BenchRow, computeMedian, formatFigure } from '../../scripts/lib/benchRow.ts'
import { bearer, markCall, saleCall, sell } from './support/calls.ts'
import { type Call, type Load, load } from './support/load.ts'
import { type BenchServer, startBenchServer } from './support/servers.ts'

const CONNECTIONS = 64
/** Rounds of both servers by turns, after one that warms them up; odd, for the median. */
const ROUNDS = 7
/** Calls of each kind in a round. */
const CALLS = 1_000
const ALONE = 60
/** Sync time of a common cloud volume, added to this machine's own. */
const SLOW_COMMIT_MS = 5
const READS_WANTED_MS = 50

/** What one server did in one round. */
interface Round {
  sales: Load
  marks: Load
  alone: Load
  /** Beside the sales; the bare server has none. */
  reads?: Load
}
interface Pair {
  ours: Round
  floor: Round
}
interface Runner {
  round: () => Promise<Round>
  stop: () => Promise<void>
}

/**
 * Sales and admissions per second through the whole application, compared with the same SQL behind a bare route. The figures
 * are medians of rounds and the ratios medians of the rounds' own: what slows the machine for a while slows both.
 */
export default async function throughput(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const commitMs of [0, SLOW_COMMIT_MS]) {
    const pairs = await pairsOf(commitMs)
    const disk = commitMs === 0 ? '' : `, each commit ${commitMs} ms slower`
    rows.push(rateRow(`Sales of one ticket${disk}`, 'sales', pairs))
    rows.push(rateRow(`Marked used${disk}`, 'marks', pairs))
    rows.push(aloneRow(`One mark at a time${disk}`, pairs))
    rows.push(readsRow(`Reads beside the sales${disk}`, pairs))
  }
  return rows
}

async function pairsOf(commitMs: number): Promise<Pair[]> {
  const [floor, ours] = [await floorRunner(commitMs), await realRunner(commitMs)]
  try {
    const pairs: Pair[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      // Each goes first in every other round.
      if (round % 2 === 0) pairs.push({ floor: await floor.round(), ours: await ours.round() })
      else pairs.push({ ours: await ours.round(), floor: await floor.round() })
    }
    return pairs.slice(1)
  } finally {
    await floor.stop()
    await ours.stop()
  }
}

const medianOf = (pairs: readonly Pair[], figure: (pair: Pair) => number): number => computeMedian(pairs.map(figure))

function rateRow(name: string, kind: 'sales' | 'marks', pairs: readonly Pair[]): BenchRow {
  const floor = medianOf(pairs, (pair) => pair.floor[kind].perSecond)
  const times = (of: keyof Pair) => {
    const [p50, p99] = [medianOf(pairs, (pair) => pair[of][kind].p50), medianOf(pairs, (pair) => pair[of][kind].p99)]
    return `p50 ${formatFigure(p50)} ms, p99 ${formatFigure(p99)} ms`
  }
  return {
    name,
    figure: medianOf(pairs, ({ ours }) => ours[kind].perSecond),
    unit: `${kind}/s`,
    comparedWith: `two statements, one commit a request, bare Hono: ${formatFigure(floor)}/s`,
    ratio: medianOf(pairs, (pair) => pair.ours[kind].perSecond / pair.floor[kind].perSecond),
    note: `${times('ours')} (floor ${times('floor')}); ${ROUNDS} rounds of ${CALLS} calls, ${CONNECTIONS} connections, RS256 tokens, synchronous=FULL`,
  }
}

const aloneRow = (name: string, pairs: readonly Pair[]): BenchRow => ({
  name,
  figure: medianOf(pairs, ({ ours }) => ours.alone.p50),
  unit: 'ms',
  comparedWith: `bare Hono: ${formatFigure(medianOf(pairs, ({ floor }) => floor.alone.p50))} ms`,
  ratio: medianOf(pairs, ({ ours, floor }) => ours.alone.p50 / floor.alone.p50),
  note: `p99 ${formatFigure(medianOf(pairs, ({ ours }) => ours.alone.p99))} ms; ${ALONE} calls a round one by one, nothing else under way`,
})

function readsRow(name: string, pairs: readonly Pair[]): BenchRow {
  const reads = pairs.flatMap(({ ours }) => ours.reads ?? [])
  const p99 = computeMedian(reads.map((read) => read.p99))
  return {
    name,
    figure: p99,
    unit: 'ms, p99',
    comparedWith: `${READS_WANTED_MS} ms wanted at most`,
    ratio: p99 / READS_WANTED_MS,
    note: `p50 ${formatFigure(computeMedian(reads.map(({ p50 }) => p50)))} ms; reads of the own tickets, one by one`,
  }
}

async function floorRunner(commitMs: number): Promise<Runner> {
  const { port, stop } = await startBenchServer('floorServer.ts', [String(commitMs)])
  const sale: Call = { path: '/sale', body: '{"quantity":1}' }
  const markOf = (ticketId: string): Call => ({
    path: '/mark',
    body: JSON.stringify({ ticketId, scanId: randomUUID() }),
  })
  const round = async () => {
    const sold: string[] = []
    const take = (body: string) => sold.push((JSON.parse(body) as { tickets: { id: string }[] }).tickets[0]?.id ?? '')
    const calls = Array.from({ length: CALLS }, () => sale)
    const sales = await load({ port, calls, connections: CONNECTIONS, wanted: 201, take })
    const marking = sold.map(markOf)
    const marks = await load({ port, calls: marking.slice(ALONE), connections: CONNECTIONS, wanted: 200 })
    const alone = await load({ port, calls: marking.slice(0, ALONE), connections: 1, wanted: 200 })
    return { sales, marks, alone }
  }
  return { round, stop }
}

async function realRunner(commitMs: number): Promise<Runner> {
  const server = await startBenchServer('realServer.ts', ['rs256', String(commitMs)])
  const { port, stop } = server
  const round = async () => {
    const calls = Array.from({ length: CALLS }, (_, index) => saleCall(server, { index, quantity: 1 }))
    const reading = readUntilStopped(server)
    const sales = await load({ port, calls, connections: CONNECTIONS, wanted: 201 })
    const reads = await reading.stop()
    const sold: Ticket[] = []
    while (sold.length < CALLS) sold.push(...(await sell(server, sold.length)))
    const marking = sold.map(({ qrCode }) => markCall(server, qrCode ?? ''))
    const marks = await load({ port, calls: marking.slice(ALONE), connections: CONNECTIONS, wanted: 200 })
    const alone = await load({ port, calls: marking.slice(0, ALONE), connections: 1, wanted: 200 })
    return { sales, marks, alone, reads }
  }
  return { round, stop }
}

/** A guest who keeps loading their tickets on a separate connection. */
function readUntilStopped(server: BenchServer): { stop: () => Promise<Load> } {
  let stopped = false
  const call: Call = { path: '/api/tickets/my-tickets', method: 'GET', headers: bearer(server.tokens.at(-1)) }
  const calls = (function* () {
    while (!stopped) yield call
  })()
  const done = load({ port: server.port, calls, connections: 1, wanted: 200 })
  return {
    stop: () => {
      stopped = true
      return done
    },
  }
}

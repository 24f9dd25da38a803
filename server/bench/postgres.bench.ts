import type { Ticket } from '@garba/shared/contracts/ticket'
import { type BenchRow, formatFigure } from '../../scripts/lib/benchRow.ts'
import { ask, databaseAt, startPostgres } from '../src/testing/postgres.ts'
import { markCall, saleCall, sell } from './support/calls.ts'
import { atDistance } from './support/distance.ts'
import { type Load, load } from './support/load.ts'
import { type BenchServer, pinTo, startBenchServer } from './support/servers.ts'

/** Each server gets this many. */
const CONNECTIONS = 64
/** How long answers of the database are on their way (ms): from the same machine, the same building, the same region. */
const DISTANCES = [0, 1, 5]
/** So far away that waiting, and not the cores, is what limits one server: two share the cores of one here. */
const FAR_MS = 20
const ROUNDS = 3
/** Calls of a round for each server. */
const CALLS = 400
/** Where `pinned`: the servers have this core, SQLite's too, and everything else has the other. */
const SERVERS_CORE = 0
const OTHERS_CORE = 1

type What = 'sales' | 'marks'
type Round = Record<What, Load>
/** Servers of one database under load at the same time, and what they managed in each round. */
interface Running {
  servers: readonly BenchServer[]
  roundTripMs: number
  rounds: Round[]
}

/**
 * Sales and admissions per second on PostgreSQL at several distances, compared with SQLite; and far away with two servers,
 * each under the load of one, compared with one. All take turns, one round to warm up: figures are medians of the rounds,
 * ratios medians of the rounds' own ratios. With the word `pinned` every server, SQLite's too, keeps to one core, and
 * PostgreSQL, the distance and the load to another, so that the ratios compare servers and not the scheduler's luck.
 */
export default async function onPostgres(words: readonly string[]): Promise<BenchRow[]> {
  const pinned = words.includes('pinned')
  // What starts later inherits it.
  if (pinned) pinTo(OTHERS_CORE, process.pid)
  const postgres = await startPostgres({ durable: true })
  const undos: (() => Promise<unknown>)[] = [postgres.stop]
  try {
    const startServers = async (databases: readonly string[][]) => {
      const servers = await startEach(databases, undos)
      if (pinned) for (const { pid } of servers) pinTo(SERVERS_CORE, pid)
      return servers
    }
    const started = async (servers: number, delayMs: number): Promise<Running> => {
      const name = `bench_${servers}_${delayMs}`
      await ask(postgres.url, `create database ${name}`)
      const { url, roundTripMs, stop } = await atDistance({ url: databaseAt(postgres.url, name), delayMs })
      undos.push(stop)
      return { servers: await startServers(Array<string[]>(servers).fill([url])), roundTripMs, rounds: [] }
    }
    const sqlite = { servers: await startServers([[]]), roundTripMs: 0, rounds: [] }
    const near: Running[] = []
    for (const delayMs of [...DISTANCES, FAR_MS]) near.push(await started(1, delayMs))
    const two = await started(2, FAR_MS)
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const running of [sqlite, ...near, two]) {
        const measured = await roundOf(running.servers)
        if (round > 0) running.rounds.push(measured)
      }
    const pairs = near.map((ours) => ({ ours, servers: 'one server', peer: sqlite, beside: 'SQLite' }))
    const far = near.at(-1) ?? two
    return [...pairs, { ours: two, servers: 'two servers', peer: far, beside: 'one server' }].flatMap((compared) => [
      rowOf('sales', compared, pinned),
      rowOf('marks', compared, pinned),
    ])
  } finally {
    for (const undo of undos.toReversed()) await undo()
  }
}

interface Compared {
  ours: Running
  servers: string
  peer: Running
  beside: string
}

function rowOf(what: What, { ours, servers, peer, beside }: Compared, pinned: boolean): BenchRow {
  const each = (running: Running, of: keyof Load) => median(running.rounds.map((round) => round[what][of]))
  const ratios = ours.rounds.map((round, n) => round[what].perSecond / (peer.rounds[n]?.[what].perSecond ?? Number.NaN))
  return {
    name: `${what === 'sales' ? 'Sales of one ticket' : 'Marked used'}, PostgreSQL ${formatFigure(ours.roundTripMs)} ms away, ${servers}`,
    figure: each(ours, 'perSecond'),
    unit: `${what}/s`,
    comparedWith: `${beside}: ${formatFigure(each(peer, 'perSecond'))}/s`,
    ratio: median(ratios),
    note: `p50 ${formatFigure(each(ours, 'p50'))} ms, p99 ${formatFigure(each(ours, 'p99'))} ms; ${CONNECTIONS} connections a server, fsync=on, everything on one machine${pinned ? `, servers on core ${SERVERS_CORE}, the rest on core ${OTHERS_CORE}` : ''}`,
  }
}

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN

/** Starts them one after the other, because the first creates what they share. */
async function startEach(databases: readonly string[][], undos: (() => Promise<unknown>)[]): Promise<BenchServer[]> {
  const servers: BenchServer[] = []
  for (const database of databases) {
    const server = await startBenchServer('realServer.ts', ['rs256', '0', ...database])
    undos.push(server.stop)
    servers.push(server)
  }
  return servers
}

async function roundOf(servers: readonly BenchServer[]): Promise<Round> {
  const all = async (calls: (server: BenchServer) => Promise<Load>) => together(await Promise.all(servers.map(calls)))
  const sales = await all((server) => {
    const calls = Array.from({ length: CALLS }, (_, index) => saleCall(server, { index, quantity: 1 }))
    return load({ port: server.port, calls, connections: CONNECTIONS, wanted: 201 })
  })
  const marks = await all(async (server) => {
    const sold: Ticket[] = []
    while (sold.length < CALLS) sold.push(...(await sell(server, sold.length)))
    const calls = sold.slice(0, CALLS).map(({ qrCode }) => markCall(server, qrCode ?? ''))
    return load({ port: server.port, calls, connections: CONNECTIONS, wanted: 200 })
  })
  return { sales, marks }
}

const together = (loads: readonly Load[]): Load => ({
  perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
  p50: Math.max(...loads.map(({ p50 }) => p50)),
  p99: Math.max(...loads.map(({ p99 }) => p99)),
  count: loads.reduce((sum, { count }) => sum + count, 0),
})

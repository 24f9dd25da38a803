import type { Ticket } from '@garba/shared/contracts/ticket'
import { type BenchRow, readable } from '../../scripts/lib/benchRow.ts'
import { startPostgres } from '../src/testing/postgres.ts'
import { COUNT, markCall, saleCall, sell } from './support/calls.ts'
import { atDistance } from './support/distance.ts'
import { type Load, load } from './support/load.ts'
import { type BenchServer, startBenchServer } from './support/servers.ts'

const CONNECTIONS = 64

interface Measured {
  sales: Load
  marks: Load
}

/** Round trips to the database (ms): on the same machine, in the same building, in the same region. */
const DISTANCES = [0, 1, 5]

/**
 * Sales and admissions per second on PostgreSQL at several distances, compared with one server on SQLite, and with two
 * servers instead of one.
 */
export default async function onPostgres(): Promise<BenchRow[]> {
  const sqlite = await measured(await startServers([[]]))
  const rows: BenchRow[] = []
  for (const delayMs of DISTANCES) {
    const one = await measuredOn({ servers: 1, delayMs })
    const two = await measuredOn({ servers: 2, delayMs })
    for (const what of ['sales', 'marks'] as const)
      rows.push(
        rowOf(what, { ours: one, servers: 'one server', peer: sqlite, beside: 'SQLite' }),
        rowOf(what, { ours: two, servers: 'two servers', peer: one, beside: 'one server' }),
      )
  }
  return rows
}

interface Compared {
  ours: Measured & { roundTripMs: number }
  servers: string
  peer: Measured
  beside: string
}

function rowOf(what: 'sales' | 'marks', { ours, servers, peer, beside }: Compared): BenchRow {
  const away = ours.roundTripMs
  return {
    name: `${what === 'sales' ? 'Sales of one ticket' : 'Marked used'}, PostgreSQL ${readable(away)} ms away, ${servers}`,
    figure: ours[what].perSecond,
    unit: `${what}/s`,
    comparedWith: `${beside}: ${readable(peer[what].perSecond)}/s`,
    ratio: ours[what].perSecond / peer[what].perSecond,
    note: `p50 ${readable(ours[what].p50)} ms, p99 ${readable(ours[what].p99)} ms; ${CONNECTIONS} connections, fsync=on, everything on one machine`,
  }
}

async function measuredOn({ servers, delayMs }: { servers: number; delayMs: number }) {
  const postgres = await startPostgres({ durable: true })
  const { url, roundTripMs, stop } = await atDistance({ url: postgres.url, delayMs })
  try {
    return { ...(await measured(await startServers(Array<string[]>(servers).fill([url])))), roundTripMs }
  } finally {
    await stop()
    await postgres.stop()
  }
}

/** Starts them one after the other, because the first creates what they share. */
async function startServers(databases: readonly string[][]): Promise<BenchServer[]> {
  const servers: BenchServer[] = []
  for (const database of databases) servers.push(await startBenchServer('realServer.ts', ['rs256', '0', ...database]))
  return servers
}

/** Sends the calls to all servers at once, an equal share to each. */
async function measured(servers: readonly BenchServer[]): Promise<Measured> {
  const share = COUNT / servers.length
  const connections = CONNECTIONS / servers.length
  const all = async (calls: (server: BenchServer) => Promise<Load>) => together(await Promise.all(servers.map(calls)))
  try {
    const sales = await all((server) => {
      const calls = Array.from({ length: share }, (_, index) => saleCall(server, { index, quantity: 1 }))
      return load({ port: server.port, calls, connections, wanted: 201 })
    })
    const marks = await all(async (server) => {
      const sold: Ticket[] = []
      while (sold.length < share) sold.push(...(await sell(server, sold.length)))
      const calls = sold.slice(0, share).map(({ qrCode }) => markCall(server, qrCode ?? ''))
      return load({ port: server.port, calls, connections, wanted: 200 })
    })
    return { sales, marks }
  } finally {
    for (const server of servers) await server.stop()
  }
}

const together = (loads: readonly Load[]): Load => ({
  perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
  p50: Math.max(...loads.map(({ p50 }) => p50)),
  p99: Math.max(...loads.map(({ p99 }) => p99)),
  count: loads.reduce((sum, { count }) => sum + count, 0),
})

import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { type BenchRow, readable } from '../../scripts/lib/benchRow.ts'
import { bearer, COUNT, markCall, saleCall, sell } from './support/calls.ts'
import { type Call, type Load, load } from './support/load.ts'
import { type BenchServer, startBenchServer } from './support/servers.ts'

const CONNECTIONS = 64
const ALONE = 300
/** Sync time of a common cloud volume, added to this machine's own. */
const SLOW_COMMIT_MS = 5
const READS_WANTED_MS = 50

interface Measured {
  sales: Load
  marks: Load
}

/** Sales and admissions per second through the whole application, compared with the same SQL behind a bare route. */
export default async function throughput(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const commitMs of [0, SLOW_COMMIT_MS]) {
    const floor = await measureFloor(commitMs)
    const real = await measureReal(commitMs)
    const disk = commitMs === 0 ? '' : `, each commit ${commitMs} ms slower`
    rows.push(row({ name: `Sales of one ticket${disk}`, unit: 'sales/s', ours: real.sales, floor: floor.sales }))
    rows.push(row({ name: `Marked used${disk}`, unit: 'marks/s', ours: real.marks, floor: floor.marks }))
    rows.push(aloneRow(`One mark at a time${disk}`, real.alone, floor.alone))
    rows.push(readsRow(`Reads beside the sales${disk}`, real.reads))
  }
  return rows
}

function row(given: { name: string; unit: string; ours: Load; floor: Load }): BenchRow {
  const { name, unit, ours, floor } = given
  const times = ({ p50, p99 }: Load) => `p50 ${readable(p50)} ms, p99 ${readable(p99)} ms`
  return {
    name,
    figure: ours.perSecond,
    unit,
    comparedWith: `two statements, one commit a request, bare Hono: ${readable(floor.perSecond)}/s`,
    ratio: ours.perSecond / floor.perSecond,
    note: `${times(ours)} (floor ${times(floor)}); ${ours.count} calls, ${CONNECTIONS} connections, RS256 tokens, synchronous=FULL`,
  }
}

const aloneRow = (name: string, ours: Load, floor: Load): BenchRow => ({
  name,
  figure: ours.p50,
  unit: 'ms',
  comparedWith: `bare Hono: ${readable(floor.p50)} ms`,
  ratio: ours.p50 / floor.p50,
  note: `p99 ${readable(ours.p99)} ms; ${ours.count} calls one by one, nothing else under way`,
})

const readsRow = (name: string, { p50, p99, count }: Load): BenchRow => ({
  name,
  figure: p99,
  unit: 'ms, p99',
  comparedWith: `${READS_WANTED_MS} ms wanted at most`,
  ratio: p99 / READS_WANTED_MS,
  note: `p50 ${readable(p50)} ms; ${count} reads of the own tickets, one by one`,
})

async function measureFloor(commitMs: number): Promise<Measured & { alone: Load }> {
  const server = await startBenchServer('floorServer.ts', [String(commitMs)])
  try {
    const sale: Call = { path: '/sale', body: '{"quantity":1}' }
    const { port } = server
    const sold: string[] = []
    const take = (body: string) => sold.push((JSON.parse(body) as { tickets: { id: string }[] }).tickets[0]?.id ?? '')
    const calls = Array.from({ length: COUNT + ALONE }, () => sale)
    const sales = await load({ port, calls, connections: CONNECTIONS, wanted: 201, take })
    const marking = sold.map((ticketId) => ({
      path: '/mark',
      body: JSON.stringify({ ticketId, scanId: randomUUID() }),
    }))
    const marks = await load({ port, calls: marking.slice(ALONE), connections: CONNECTIONS, wanted: 200 })
    const alone = await load({ port, calls: marking.slice(0, ALONE), connections: 1, wanted: 200 })
    return { sales, marks, alone }
  } finally {
    await server.stop()
  }
}

async function measureReal(commitMs: number): Promise<Measured & { alone: Load; reads: Load }> {
  const server = await startBenchServer('realServer.ts', ['rs256', String(commitMs)])
  try {
    const { port } = server
    const calls = Array.from({ length: COUNT }, (_, index) => saleCall(server, { index, quantity: 1 }))
    const reading = readUntilStopped(server)
    const sales = await load({ port, calls, connections: CONNECTIONS, wanted: 201 })
    const reads = await reading.stop()
    const sold: Ticket[] = []
    while (sold.length < COUNT + ALONE) sold.push(...(await sell(server, sold.length)))
    const marking = sold.map(({ qrCode }) => markCall(server, qrCode ?? ''))
    const marks = await load({ port, calls: marking.slice(ALONE), connections: CONNECTIONS, wanted: 200 })
    const alone = await load({ port, calls: marking.slice(0, ALONE), connections: 1, wanted: 200 })
    return { sales, marks, alone, reads }
  } finally {
    await server.stop()
  }
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

import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { type BenchRow, readable } from '../../scripts/lib/benchRow.ts'
import { type Call, type Load, load } from './support/load.ts'
import { type BenchServer, startBenchServer } from './support/servers.ts'

const COUNT = 4000
const CONNECTIONS = 32
const PER_ORDER = 100

/** Sales and admissions a second through the whole application, beside the same two SQL statements behind a bare route. */
export default async function throughput(): Promise<BenchRow[]> {
  const floor = await measureFloor()
  const rows: BenchRow[] = []
  for (const tokens of ['rs256', 'unsigned'] as const) {
    const { sales, marks } = await measureReal(tokens)
    const name = tokens === 'rs256' ? 'RS256 tokens verified' : "emulator's tokens"
    rows.push(row({ name: `Sales of one ticket, ${name}`, unit: 'sales/s', ours: sales, floor: floor.sales }))
    rows.push(row({ name: `Marked used, ${name}`, unit: 'marks/s', ours: marks, floor: floor.marks }))
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
    comparedWith: `two statements, bare Hono: ${readable(floor.perSecond)}/s`,
    ratio: ours.perSecond / floor.perSecond,
    note: `${times(ours)} (floor ${times(floor)}); ${ours.count} calls, ${CONNECTIONS} connections, synchronous=FULL`,
  }
}

async function measureFloor(): Promise<{ sales: Load; marks: Load }> {
  const server = await startBenchServer('floorServer.ts')
  try {
    const sale: Call = { path: '/sale', body: '{"quantity":1}' }
    const sales = await load({
      port: server.port,
      calls: Array.from({ length: COUNT }, () => sale),
      connections: CONNECTIONS,
      wanted: 201,
    })
    const ids = await Promise.all(Array.from({ length: COUNT }, () => soldAtFloor(server)))
    const calls = ids.map((ticketId) => ({ path: '/mark', body: JSON.stringify({ ticketId, scanId: randomUUID() }) }))
    return { sales, marks: await load({ port: server.port, calls, connections: CONNECTIONS, wanted: 200 }) }
  } finally {
    await server.stop()
  }
}

async function soldAtFloor({ port }: BenchServer): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/sale`, { method: 'POST', body: '{"quantity":1}' })
  const { tickets } = (await answer.json()) as { tickets: { id: string }[] }
  return tickets[0]?.id ?? ''
}

async function measureReal(tokens: 'rs256' | 'unsigned'): Promise<{ sales: Load; marks: Load }> {
  const server = await startBenchServer('realServer.ts', [tokens])
  try {
    const calls = Array.from({ length: COUNT }, (_, index) => saleCall(server, { index, quantity: 1 }))
    const sales = await load({ port: server.port, calls, connections: CONNECTIONS, wanted: 201 })
    const sold: Ticket[] = []
    while (sold.length < COUNT) sold.push(...(await sell(server, sold.length)))
    const marks = sold.slice(0, COUNT).map(({ qrCode }) => markCall(server, qrCode ?? ''))
    return { sales, marks: await load({ port: server.port, calls: marks, connections: CONNECTIONS, wanted: 200 }) }
  } finally {
    await server.stop()
  }
}

const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` })

const saleCall = ({ tokens }: BenchServer, { index, quantity }: { index: number; quantity: number }): Call => ({
  path: '/api/tickets',
  body: JSON.stringify({ quantity }),
  headers: { ...bearer(tokens[index % tokens.length]), 'idempotency-key': randomUUID() },
})

async function sell(server: BenchServer, index: number): Promise<Ticket[]> {
  const { path, body, headers } = saleCall(server, { index, quantity: PER_ORDER })
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return ((await answer.json()) as { tickets: Ticket[] }).tickets
}

const markCall = ({ checkerToken }: BenchServer, qrCode: string): Call => ({
  path: '/api/tickets/mark-used',
  body: JSON.stringify({ qrCode, scanId: randomUUID(), deviceId: 'bench', deviceName: 'Gate A' }),
  headers: bearer(checkerToken),
})

import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import type { Call } from './load.ts'
import type { BenchServer } from './servers.ts'

const PER_ORDER = 100

export const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` })

/** The last buyer only reads. */
export const saleCall = ({ tokens }: BenchServer, { index, quantity }: { index: number; quantity: number }): Call => ({
  path: '/api/tickets',
  body: JSON.stringify({ quantity }),
  headers: { ...bearer(tokens[index % (tokens.length - 1)]), 'idempotency-key': randomUUID() },
})

/** Sells a full order to get tickets. */
export async function sell(server: BenchServer, index: number): Promise<Ticket[]> {
  const { path, body = '', headers } = saleCall(server, { index, quantity: PER_ORDER })
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return ((await answer.json()) as { tickets: Ticket[] }).tickets
}

export const markCall = ({ checkerToken }: BenchServer, qrCode: string): Call => ({
  path: '/api/tickets/mark-used',
  body: JSON.stringify({ qrCode, scanId: randomUUID(), deviceId: 'bench', deviceName: 'Gate A' }),
  headers: bearer(checkerToken),
})

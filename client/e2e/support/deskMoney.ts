import { join } from 'node:path'
import type { AttentionKind } from '@garba/shared/contracts/names'
import type { Order } from '@garba/shared/contracts/order'
import Database from 'better-sqlite3'
import type { Api } from './api.ts'
import type { TestServer } from './server.ts'

/** Guests pay by UPI, and the desk sells at its counter. */
export const UPI_AND_DESK = { PAYMENTS: 'upi,desk', UPI_ID: 'garba@bank', UPI_NAME: 'Garba Rass' } as const

interface Ordered {
  name?: string
  email?: string
  quantity?: number
  /** The bank's number, which the buyer has given. */
  utr?: string
}

/** Somebody orders tickets to be paid by UPI. Throws when the server refuses. */
export async function orderByUpi(
  server: TestServer,
  { name = 'Radha', email = `${crypto.randomUUID()}@buyers.test`, quantity = 1, utr }: Ordered = {},
): Promise<{ code: string; buyer: Api }> {
  const buyer = await server.apiAs({ uid: email, email, name })
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const { status, body } = await buyer.call('placeOrder', { body: { quantity, provider: 'upi' }, headers })
  if (status !== 201) throw new Error(`The order was refused: ${JSON.stringify(body)}`)
  const { code } = body.order as Order
  if (utr !== undefined) await must(buyer.call('giveUtr', { params: { code }, body: { utr } }))
  return { code, buyer }
}

/** The desk has found the payment of all that the order asks for in the bank's statement. */
export async function confirmUpi(server: TestServer, code: string, utr: string): Promise<void> {
  const [{ rupees } = { rupees: 0 }] = server.rows(
    `select total_paise / 100.0 as rupees from orders where code = '${code}'`,
  ) as { rupees: number }[]
  await must((await server.api('admin')).call('confirmOrder', { params: { code }, body: { amount: rupees, utr } }))
}

export async function must(asked: ReturnType<Api['call']>): Promise<void> {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`The server answered ${status}: ${JSON.stringify(body)}`)
}

/** Changes the database past the server, as only a fault could. */
export function spoil({ dataDir }: Pick<TestServer, 'dataDir'>, sql: string, ...values: unknown[]): void {
  const database = new Database(join(dataDir, 'garba.db'))
  database.prepare(sql).run(...values)
  database.close()
}

/** Something about an order's money, 100 rupees, that nobody has looked at yet: less came than was asked, unless said otherwise. */
export const leaveOpen = (
  server: TestServer,
  { code, detail, kind = 'short' }: { code: string; detail: string; kind?: AttentionKind },
): void =>
  spoil(
    server,
    `insert into attention (id, kind, dedupe_key, order_id, amount_paise, detail, created_at)
     select '01J00000000000000000000000', ?, 'one', id, 10000, ?, ? from orders where code = ?`,
    kind,
    detail,
    Date.now(),
    code,
  )

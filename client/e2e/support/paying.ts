import type { Api } from './api.ts'
import type { TestServer } from './server.ts'

/** Places an order as another phone of the buyer would. Returns its code. */
export async function placed(buyer: Api, quantity: number, provider?: 'demo' | 'upi'): Promise<string> {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const { status, body } = await buyer.call('placeOrder', { body: { quantity, provider }, headers })
  if (status !== 201) throw new Error(`The order was refused with ${status}: ${JSON.stringify(body)}`)
  return (body as { order: { code: string } }).order.code
}

/** The provider's link of an order. */
export function linkOf({ double }: TestServer, code: string) {
  const link = double.links().find(({ reference }) => reference === code)
  if (!link) throw new Error(`The provider has no link of order ${code}`)
  return link
}

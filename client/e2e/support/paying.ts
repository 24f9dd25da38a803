import { expect, type Page } from '@playwright/test'
import type { Api } from './api.ts'
import { openDashboard, order } from './guest.ts'
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

/** The latest link that the provider has made. */
export function lastLink({ double }: TestServer) {
  const link = double.links().at(-1)
  if (!link) throw new Error('The provider has made no link')
  return link
}

/** Buys up to the provider's page, as a guest does. Returns the order's code. */
export async function orderUpToPayment(page: Page, server: TestServer, quantity: number): Promise<string> {
  await openDashboard(page)
  const dialog = await order(page, quantity)
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect.poll(() => page.url()).toContain(`${server.double.url}/pay/`)
  return lastLink(server).reference
}

/** Where the provider sends a payer back to, with what it adds to the address. */
export const wayBack = (server: TestServer): string =>
  `${lastLink(server).callbackUrl}?razorpay_payment_id=pay_1&razorpay_payment_link_status=paid`

/** The provider's page for the latest link. */
export const payUrlOf = (server: TestServer): string => `${server.double.url}/pay/${lastLink(server).id}`

import type { TestServer } from '../../e2e/support/server.ts'
import { expect } from './expect.ts'
import { openDashboard, order } from './guest.ts'
import type { Page } from './page.ts'

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

import type { Settings } from '../../server/src/config.ts'
import type { RunningDouble } from '../../server/src/double/main.ts'
import { DOUBLE } from '../../server/src/paymentSettings.ts'
import { isTaken } from '../lib/net.ts'

/** PAYMENTS with `demo` starts a payment provider of its own unless the settings name one. */
export const needsDouble = ({ payments }: Settings): boolean =>
  payments.guest.includes('demo') && !process.env.RAZORPAY_API_URL

/** Starts the payment provider's double, which posts its webhooks to the server. It forgets its payments when it ends. */
export async function startDemoPayments(serverUrl: () => string): Promise<RunningDouble> {
  // Loaded only where it runs, because that takes a tenth of a second.
  const { startDouble } = await import('../../server/src/double/main.ts')
  // The same port as last time if possible, for payment pages that are still open.
  const port = (await isTaken({ port: DOUBLE.port, host: '127.0.0.1' })) ? 0 : DOUBLE.port
  const { keyId, keySecret, webhookSecret } = DOUBLE
  return startDouble({
    port,
    keyId,
    keySecret,
    webhookSecret,
    webhookUrl: () => `${serverUrl()}/api/webhooks/razorpay`,
  })
}

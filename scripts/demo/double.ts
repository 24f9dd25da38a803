import { join } from 'node:path'
import type { Settings } from '../../server/src/config.ts'
import type { RunningDouble } from '../../server/src/double/main.ts'
import { DOUBLE } from '../../server/src/settings/paymentSettings.ts'
import { isTaken } from '../lib/children.ts'
import { getDataDir } from '../lib/database.ts'

/** Whether a payment provider must be started: PAYMENTS has `demo`, and the settings name none. */
export const needsDouble = ({ payments }: Settings): boolean =>
  payments.guest.includes('demo') && !process.env.RAZORPAY_API_URL

/**
 * Starts the payment provider's double, which posts its webhooks to the server. Its payments are
 * kept beside the database, because orders outlive a restart.
 */
export async function startDemoPayments(settings: Settings, serverUrl: () => string): Promise<RunningDouble> {
  // Loaded only where it runs, because that takes a tenth of a second.
  const { startDouble } = await import('../../server/src/double/main.ts')
  // The port is the same as last time if possible, so that open payment pages still work.
  const port = (await isTaken({ port: DOUBLE.port, host: '127.0.0.1' })) ? 0 : DOUBLE.port
  const { keyId, keySecret, webhookSecret } = DOUBLE
  return startDouble({
    port,
    keyId,
    keySecret,
    webhookSecret,
    file: join(getDataDir(settings), 'demo-payments'),
    webhookUrl: () => `${serverUrl()}/api/webhooks/razorpay`,
  })
}

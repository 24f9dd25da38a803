import type { Faults } from '../double/bank.ts'
import { type Double, makeDouble } from '../double/double.ts'
import type { PaymentProvider } from '../providers/provider.ts'
import { makeRazorpay } from '../providers/razorpay.ts'
import type { RazorpaySettings } from '../settings/paymentSettings.ts'
import { BEGINNING, type Clock, makeClock } from './clock.ts'

export const DOUBLE_SETTINGS: RazorpaySettings = {
  keyId: 'rzp_test_double',
  keySecret: 'secret of the double',
  webhookSecret: 'webhook secret of the double',
  apiUrl: 'http://127.0.0.1:9',
  testMode: true,
}

export interface Webhook {
  body: string
  headers: Record<string, string>
}

interface Options {
  clock?: Clock
  faults?: Partial<Faults>
  seed?: string
  /** Receives the webhooks; without it they are only collected, and count as received. */
  send?: (webhook: Webhook) => Promise<boolean>
}

/** The provider's double in this process, under the clock of the test, and the client that asks it. */
export function aDouble({ clock = makeClock(BEGINNING), faults = {}, seed = 'test', send }: Options = {}): {
  double: Double
  provider: PaymentProvider
  clock: Clock
  /** Every webhook, in the order of delivery. */
  received: Webhook[]
} {
  const received: Webhook[] = []
  const double = makeDouble({
    ...DOUBLE_SETTINGS,
    baseUrl: DOUBLE_SETTINGS.apiUrl,
    now: clock.now,
    faults,
    seed,
    send: async (webhook) => {
      received.push(webhook)
      return send ? send(webhook) : true
    },
  })
  return { double, clock, received, provider: makeRazorpay(DOUBLE_SETTINGS, { fetch: double.fetch, now: clock.now }) }
}

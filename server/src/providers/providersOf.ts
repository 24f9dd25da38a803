import type { LinkProvider } from '@garba/shared/contracts/names'
import type { PaymentSettings } from '../paymentSettings.ts'
import type { PaymentProvider } from './provider.ts'
import { type CallDeps, razorpay } from './razorpay.ts'

export type Providers = Partial<Record<LinkProvider, PaymentProvider>>

/** The configured providers. The demo's is the same client with the double's address and keys. */
export function providersOf(settings: PaymentSettings, deps: CallDeps & { now: () => Date }): Providers {
  if (!settings.razorpay) return {}
  const name = settings.guest.includes('demo') ? 'demo' : 'razorpay'
  return { [name]: razorpay(settings.razorpay, deps) }
}

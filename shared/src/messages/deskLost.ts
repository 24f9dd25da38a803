import type { OrderProvider } from '../contracts/names.ts'

/** The audit trail's words about tickets that only their owners' devices knew. */
export const LOST_AUDIT = {
  confirmed: (order: string, price: string, provider: OrderProvider) =>
    `Lost ticket confirmed, order ${order}${provider === 'none' ? '' : `, ${price}`}`,
  refused: (ticket: string, note: string) => `Lost ticket ${ticket} refused; ${note}`,
} as const

export const LOST_PAYMENT = {
  how: 'Choose the payment, enter the UTR, or say why no payment is needed',
} as const

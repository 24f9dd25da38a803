/** Times are in milliseconds, amounts in paise. */
export interface Link {
  id: string
  orderId: string
  paise: number
  reference: string
  description: string
  customer: { name?: string | undefined; email?: string | undefined }
  callbackUrl: string
  expiresAt: number
  createdAt: number
  updatedAt: number
  status: 'created' | 'paid' | 'cancelled' | 'expired'
  payments: Payment[]
}

export interface Payment {
  id: string
  link: Link
  /** Tests alone pay less than the link asks: the provider rules that out. */
  paise: number
  createdAt: number
  /** The time the money is due, if known. */
  captureAt: number | null
  capturedAt: number | null
  status: 'authorized' | 'captured' | 'refunded' | 'failed'
  errorReason: string | null
  refunds: Refund[]
}

export interface Refund {
  id: string
  payment: Payment
  paise: number
  key: string | null
  receipt: string | null
  createdAt: number
  /** The time a pending refund ends; the outcome follows. */
  endsAt: number
  fails: boolean
  processedAt: number | null
  status: 'pending' | 'processed' | 'failed'
}

export type Happening =
  | { kind: `payment_link.${'cancelled' | 'expired'}`; link: Link }
  | { kind: 'payment_link.paid'; link: Link; payment: Payment }
  | { kind: `payment.${'authorized' | 'captured' | 'failed'}`; payment: Payment }
  | { kind: `refund.${'created' | 'processed' | 'failed'}`; refund: Refund }

export type LinkAsked = Pick<Link, 'paise' | 'reference' | 'description' | 'customer' | 'callbackUrl' | 'expiresAt'>
export interface RefundAsked {
  paymentId: string
  paise: number | undefined
  key: string | null
  receipt: string | null
}

/** A fee of 2 %, and 18 % tax on it. */
export const feeOf = (paise: number) => Math.round(paise * 0.02)
export const taxOf = (paise: number) => Math.round(feeOf(paise) * 0.18)

/** The sum of the refunds requested so far, without failed ones. */
export const refundedOf = ({ refunds }: Payment): number =>
  refunds.reduce((sum, { status, paise }) => (status === 'failed' ? sum : sum + paise), 0)

/** The provider refused, with its API's status and description. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: 400 | 401 | 404
  constructor(status: 400 | 401 | 404, description: string) {
    super(description)
    this.status = status
  }
}

import { type PaymentRow, paymentsOf } from '../../../store/payments.ts'
import { refundsOf } from '../../../store/refunds.ts'
import type { ReadTx } from '../../../store/sql.ts'

/** A captured payment, and the paise of it that neither went nor are going back; a failed refund leaves them here. */
export interface Captured {
  payment: PaymentRow
  leftPaise: number
}

/** The captured payments of an order, oldest first. */
export async function capturedMoney(tx: ReadTx, orderId: string): Promise<Captured[]> {
  const captured = (await paymentsOf(tx, orderId)).filter(({ state }) => state === 'captured')
  const ids = captured.map(({ id }) => id)
  const back = (await refundsOf(tx, ids)).filter(({ state }) => state !== 'failed')
  return captured.map((payment) => ({
    payment,
    leftPaise: back.reduce(
      (left, { paymentId, amountPaise }) => (paymentId === payment.id ? left - amountPaise : left),
      payment.amountPaise,
    ),
  }))
}

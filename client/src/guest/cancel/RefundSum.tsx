import { refundOf } from '@garba/shared/rules/cancellation'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { Line, Slip } from '../Slip.tsx'
import { useWords } from '../words.ts'

/** The refund with its sum spelled out: price minus gateway minus platform (DECISIONS 5). `price` in rupees. */
export const RefundSum = ({ price }: { price: number }) => {
  const { cancel: words } = useWords()
  const { gatewayPaise, platformPaise, refundPaise } = refundOf(toPaise(price))
  const minus = (paise: number) => `− ${formatRupees(toRupees(paise))}`
  return (
    <Slip>
      <dl>
        <Line label={words.paid}>{formatRupees(price)}</Line>
        <Line label={words.gateway}>{minus(gatewayPaise)}</Line>
        <Line label={words.platform}>{minus(platformPaise)}</Line>
        <Line label={words.refund} strong>
          {formatRupees(toRupees(refundPaise))}
        </Line>
      </dl>
    </Slip>
  )
}

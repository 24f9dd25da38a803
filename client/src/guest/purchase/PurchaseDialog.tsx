import type { GarbaEvent } from '@garba/shared/contracts/event'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { StepDialog } from '../StepDialog.tsx'
import { useWords } from '../words.ts'
import { ChooseStep } from './ChooseStep.tsx'
import { ConfirmStep } from './ConfirmStep.tsx'
import { priceOf, quantityProblem } from './order.ts'
import { usePurchase } from './usePurchase.ts'

interface PurchaseDialogProps {
  open: boolean
  event: GarbaEvent
  userId: string
  ticketsSavedAt: number
  onClose: () => void
  onBought: () => void
}

/** SPEC 2 "Purchase dialog": quantity and terms, then the order to confirm. */
export const PurchaseDialog = ({ open, event, userId, ticketsSavedAt, onClose, onBought }: PurchaseDialogProps) => {
  const words = useWords()
  const [quantity, setQuantity] = useState<number | null>(1)
  const [agreed, setAgreed] = useState(false)
  const purchase = usePurchase({ userId, ticketsSavedAt, onBought })
  const { step } = purchase
  const price = priceOf(quantity, event)
  const problem = quantityProblem(quantity, event, words)
  const choosing = step.at === 'choosing' || price === null || quantity === null
  const busy = step.at === 'buying'
  const unsure = step.at === 'confirming' && step.trouble?.kind === 'unsure'
  return (
    <StepDialog
      open={open}
      onClose={onClose}
      busy={busy}
      at={choosing ? 1 : 2}
      title={choosing ? words.purchase.title : words.purchase.confirmTitle}
      footer={
        choosing ? (
          <Button tone="primary" disabled={problem !== null || !agreed} onClick={purchase.confirm}>
            {words.purchase.next}
          </Button>
        ) : (
          <>
            <Button
              tone="primary"
              busy={busy}
              disabled={problem !== null && !unsure}
              onClick={() => purchase.buy(quantity)}
            >
              {busy ? words.purchase.buying : unsure ? words.purchase.retry : words.purchase.confirm}
            </Button>
            <Button disabled={busy} onClick={purchase.back}>
              {words.back}
            </Button>
          </>
        )
      }
    >
      {choosing ? (
        <ChooseStep
          event={event}
          quantity={quantity}
          price={price}
          problem={problem}
          refused={step.at === 'choosing' ? step.refused : null}
          agreed={agreed}
          onQuantity={setQuantity}
          onAgreed={setAgreed}
        />
      ) : (
        <ConfirmStep
          event={event}
          quantity={quantity}
          price={price}
          problem={unsure ? null : problem}
          trouble={step.at === 'confirming' ? step.trouble : null}
        />
      )}
    </StepDialog>
  )
}

import type { GarbaEvent } from '@garba/shared/contracts/event'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { StepDialog } from '../StepDialog.tsx'
import { useWords } from '../words.ts'
import { ChooseStep } from './ChooseStep.tsx'
import { ConfirmStep } from './ConfirmStep.tsx'
import { usePurchase } from './usePurchase.ts'
import { useQuantity } from './useQuantity.ts'

interface PurchaseDialogProps {
  open: boolean
  event: GarbaEvent
  userId: string
  ticketsSavedAt: number
  /** Active and used tickets the buyer has. */
  owned: number
  onClose: () => void
  onBought: () => void
}

/** SPEC 2 "Purchase dialog": quantity and terms, then the order to confirm. */
export const PurchaseDialog = ({
  open,
  event,
  userId,
  ticketsSavedAt,
  owned,
  onClose,
  onBought,
}: PurchaseDialogProps) => {
  const words = useWords()
  const wanted = useQuantity(event, owned)
  const { quantity, price, problem } = wanted
  const [agreed, setAgreed] = useState(false)
  const purchase = usePurchase({ userId, ticketsSavedAt, onBought })
  const { step } = purchase
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
          wanted={wanted}
          refused={step.at === 'choosing' ? step.refused : null}
          agreed={agreed}
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

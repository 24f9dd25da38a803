import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { GuestProvider } from '@garba/shared/contracts/names'
import type { WholeOrder } from '@garba/shared/contracts/order'
import { lazy, Suspense, useRef, useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { useConfig } from '../../platform/config.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { StepDialog } from '../StepDialog.tsx'
import { useWords } from '../words.ts'
import { ChooseStep } from './ChooseStep.tsx'
import styles from './ConfirmStep.module.css'
import { ConfirmStep } from './ConfirmStep.tsx'
import { type PurchaseOptions, usePurchase } from './usePurchase.ts'
import { useQuantity } from './useQuantity.ts'

// Only where tickets are paid for.
const PayChoice = lazy(async () => ({ default: (await import('../orders/PayChoice.tsx')).PayChoice }))
const WaitingDialog = lazy(async () => ({ default: (await import('../orders/WaitingDialog.tsx')).WaitingDialog }))

interface PurchaseDialogProps extends PurchaseOptions {
  open: boolean
  event: GarbaEvent
  /** The quantity to begin with. */
  quantity: number
  /** Active and used tickets the buyer has. */
  owned: number
  /** The buyer's order that is not paid yet: it comes before any other. */
  waiting: WholeOrder | null
  onClose: () => void
  onClosed: () => void
}

const NO_PROVIDERS: readonly GuestProvider[] = []

/** SPEC 2 "Purchase dialog": quantity and terms, then the order to confirm; where tickets are paid for, how to pay. */
export const PurchaseDialog = (props: PurchaseDialogProps) => {
  const { event, onClose, open, owned } = props
  const words = useWords()
  const online = useOnline()
  const field = useRef<HTMLInputElement>(null)
  const wanted = useQuantity({ event, owned, start: props.quantity })
  const { quantity, price, problem } = wanted
  const [agreed, setAgreed] = useState(false)
  const providers = useConfig(({ config }) => config?.payments.providers ?? NO_PROVIDERS)
  const [chosen, setChosen] = useState<GuestProvider | null>(null)
  const provider = providers.find((one) => one === chosen) ?? providers[0] ?? null
  const purchase = usePurchase(props)
  const { step } = purchase
  const choosing = step.type === 'choosing' || price === null || quantity === null
  const busy = step.type === 'buying'
  const unsure = step.type === 'confirming' && step.trouble?.type === 'unsure'
  if (props.waiting !== null && !busy)
    return (
      <Suspense fallback={null}>
        <WaitingDialog
          open={open}
          order={props.waiting}
          userId={props.userId}
          onClose={onClose}
          onClosed={props.onClosed}
        />
      </Suspense>
    )
  return (
    <StepDialog
      open={open}
      onClose={onClose}
      onClosed={props.onClosed}
      field={field}
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
              onClick={() => purchase.buy(quantity, provider)}
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
      {online ? null : (
        <Banner tone="warn" live="status">
          <p>{words.purchase.offline}</p>
        </Banner>
      )}
      {choosing ? (
        <ChooseStep
          event={event}
          wanted={wanted}
          refused={step.type === 'choosing' ? step.refused : null}
          agreed={agreed}
          onAgreed={setAgreed}
          field={field}
        />
      ) : (
        <ConfirmStep
          event={event}
          quantity={quantity}
          price={price}
          problem={unsure ? null : problem}
          trouble={step.type === 'confirming' ? step.trouble : null}
        >
          {provider === null ? (
            <p className={styles.note}>{words.purchase.delivered}</p>
          ) : (
            <Suspense fallback={null}>
              <PayChoice providers={providers} chosen={provider} disabled={busy} onChoose={setChosen} />
            </Suspense>
          )}
        </ConfirmStep>
      )}
    </StepDialog>
  )
}

import type { WholeOrder } from '@garba/shared/contracts/order'
import { Dialog } from '../../kit/Dialog.tsx'
import { useBackToClose } from '../useBackToClose.ts'
import { useWords } from '../words.ts'
import { OrderSlip } from './OrderParts.tsx'
import styles from './WaitingDialog.module.css'
import { WaitingActions, WaitingTime } from './WaitingOrder.tsx'
import { useOrderWords } from './words.ts'

interface WaitingDialogProps {
  open: boolean
  order: WholeOrder
  userId: string
  onClose: () => void
  onClosed: () => void
}

/** The dialog replaces a new purchase, because only one order at a time can wait for its payment. */
export const WaitingDialog = ({ open, order, userId, onClose, onClosed }: WaitingDialogProps) => {
  const { waiting } = useOrderWords()
  const words = useWords()
  useBackToClose({ open, busy: false, close: onClose })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      onClosed={onClosed}
      title={waiting.title}
      description={waiting.text}
      closeLabel={words.close}
      footer={<WaitingActions order={order} userId={userId} />}
    >
      <div className={styles.body}>
        <OrderSlip order={order} />
        <WaitingTime order={order} />
      </div>
    </Dialog>
  )
}

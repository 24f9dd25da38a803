import { last8 } from '@garba/shared/messages/common'
import { SELL_HERE } from '@garba/shared/messages/scannerSell'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { Surface } from '../../kit/Surface.tsx'
import { useWakeLock } from '../../platform/screen/wakeLock.ts'
import type { SaleRow } from '../../platform/store/scannerSchema.ts'
import styles from './Sell.module.css'

const words = SELL_HERE.codes

/** The codes of a sale on the whole screen, one after another, for the guest's camera. */
export const SoldCodes = ({ tickets, onClose }: { tickets: SaleRow['tickets']; onClose: () => void }) => {
  const coded = tickets.flatMap(({ id, qrCode }) => (qrCode === null ? [] : [{ id, qrCode }]))
  const [at, setAt] = useState(0)
  const shown = coded[at]
  const isLast = at >= coded.length - 1
  useWakeLock(true)
  return (
    <Surface tone="paper">
      <Dialog
        open
        size="full"
        onClose={onClose}
        title={words.title(at + 1, coded.length)}
        initialFocus="title"
        dismissOutside={false}
        footer={
          <>
            <Button
              tone="primary"
              size="lg"
              iconAfter={isLast ? null : <ChevronRight aria-hidden="true" />}
              onClick={() => (isLast ? onClose() : setAt(at + 1))}
            >
              {isLast ? words.done : words.next}
            </Button>
            {at === 0 ? null : (
              <Button size="lg" icon={<ChevronLeft aria-hidden="true" />} onClick={() => setAt(at - 1)}>
                {words.previous}
              </Button>
            )}
          </>
        }
      >
        {shown ? (
          <div className={styles.code}>
            <Qr text={shown.qrCode} label={words.of(last8(shown.id))} className={styles.qr} />
            <p className={styles.id}>{last8(shown.id)}</p>
          </div>
        ) : null}
      </Dialog>
    </Surface>
  )
}

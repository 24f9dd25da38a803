import { HOLDER } from '@garba/shared/messages/scanner'
import { UserCheck } from 'lucide-react'
import { useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { useRight } from '../core/pairing.ts'
import type { Shown } from '../core/scan.ts'
import { swapIn } from '../scan/machine.ts'
import { asksServer, useConnection } from '../sync/connection.ts'
import styles from './HolderCheck.module.css'

/** The refusal of a used ticket. */
export type Used = Shown & { ticketId: string }

/**
 * For a ticket that somebody else came in with: whose it is, and how to tell. Who supervises lets the holder in, and the first
 * admission is kept as disputed.
 */
export const HolderCheck = ({ shown }: { shown: Used }) => {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const supervises = useRight('supervise')
  const online = useConnection(({ connection }) => asksServer(connection))
  const letIn = () => {
    close()
    swapIn(shown.ticketId)
  }
  return (
    <>
      <Button
        size="sm"
        icon={<UserCheck aria-hidden="true" />}
        aria-label={HOLDER.openOf(shown.name ?? HOLDER.unknown)}
        onClick={() => setOpen(true)}
      >
        {HOLDER.open}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={HOLDER.title}
        footer={
          <>
            {supervises ? (
              <Button tone="primary" size="lg" disabled={!online} onClick={letIn}>
                {HOLDER.matches}
              </Button>
            ) : null}
            <Button size="lg" onClick={close}>
              {HOLDER.differs}
            </Button>
          </>
        }
      >
        <div className={styles.check}>
          <p className={styles.name}>{shown.name ?? HOLDER.unknown}</p>
          <p>{shown.detail}</p>
          <p>{HOLDER.ask}</p>
          {supervises ? (
            online ? (
              <p>{HOLDER.happens}</p>
            ) : (
              <Banner tone="warn">{HOLDER.offline}</Banner>
            )
          ) : (
            <Banner tone="warn">{HOLDER.callSupervisor}</Banner>
          )}
        </div>
      </Dialog>
    </>
  )
}

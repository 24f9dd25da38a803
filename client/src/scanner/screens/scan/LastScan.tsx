import { TOAST_MS, UNDO_WINDOW_MS } from '@garba/shared/constants'
import { ScanLine, Undo2, UserCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../../kit/Banner.tsx'
import { Button } from '../../../kit/Button.tsx'
import { Dialog } from '../../../kit/Dialog.tsx'
import { useUser } from '../../../platform/identity/session.ts'
import { useNow } from '../../../platform/screen/now.ts'
import type { HistoryRecord } from '../../../platform/store/scannerSchema.ts'
import { usePairingRow, useRight } from '../../core/pairing.ts'
import type { ShownScan } from '../../core/scan.ts'
import { scanAgain, swapIn, useScan } from '../../scan/machine.ts'
import { isInTimeToUndo } from '../../store/record.ts'
import { useStored } from '../../store/useStored.ts'
import { asksServer, useConnection } from '../../sync/connection.ts'
import { undoAdmission } from '../../sync/settle.ts'
import { HOLDER, RECENT } from '../../texts/scanner.ts'
import holderCheckStyles from './HolderCheck.module.css'
import styles from './LastScan.module.css'
import { useDetail } from './Verdict.tsx'

/**
 * The last scan's result and what can still be done: judge its code again while it stays in view, see whose a used ticket is, or
 * undo the checker's own last admission for a minute.
 */
export const LastScan = () => {
  const inView = useLastInView()
  const used = useLastUsed()
  const admission = useLastAdmission()
  const now = useNow(1_000)
  const left = admission === null ? 0 : Math.ceil((Date.parse(admission.timestamp) + UNDO_WINDOW_MS - now) / 1000)
  const inTime = admission !== null && isInTimeToUndo(admission.timestamp, now)
  const shown = inView ?? used
  const undoable = inTime && (shown === null || shown.ticketId === admission.ticket?.id) ? admission : null
  if (shown === null && undoable === null) return null
  return (
    <section className={styles.card} aria-label={RECENT.last}>
      <div className={styles.words}>
        {shown === null ? (
          <p className={styles.name}>{RECENT.letIn(undoable?.ticket?.name ?? RECENT.unknownTicket)}</p>
        ) : (
          <>
            <p className={styles.title}>{shown.title}</p>
            {shown.name === null ? null : <p className={styles.name}>{shown.name}</p>}
          </>
        )}
      </div>
      <div className={styles.actions}>
        {inView === null ? null : (
          <Button size="sm" icon={<ScanLine aria-hidden="true" />} onClick={scanAgain}>
            {RECENT.scanAgain}
          </Button>
        )}
        {used === null ? null : <HolderCheck shown={used} />}
        {undoable === null ? null : (
          <UndoButton admission={undoable}>
            <span className={styles.undo} data-left={left}>
              {RECENT.undo}
            </span>
          </UndoButton>
        )}
      </div>
    </section>
  )
}

interface UndoButtonProps {
  admission: HistoryRecord
  onUndone?: () => void
  children: ReactNode
}

/** Undoes the checker's own admission and shows whose it was. */
export const UndoButton = ({ admission, onUndone, children }: UndoButtonProps) => {
  const [busy, setBusy] = useState(false)
  const name = admission.ticket?.name ?? RECENT.unknownTicket
  const undo = async () => {
    setBusy(true)
    const undone = await undoAdmission(admission)
    setBusy(false)
    if (!undone.ok) return void toast.error(RECENT.undoFailed(undone.message), { duration: TOAST_MS })
    toast.success(`${undone.words.title}: ${name}`, { description: undone.words.detail })
    onUndone?.()
  }
  return (
    <Button
      size="sm"
      busy={busy}
      icon={<Undo2 aria-hidden="true" />}
      aria-label={RECENT.undoLabel(name)}
      onClick={() => void undo()}
    >
      {children}
    </Button>
  )
}

/** The last verdict, while a judged code is still in front of the camera. */
const useLastInView = (): ShownScan | null =>
  useScan(({ state }) => (state.type === 'aiming' && state.held.length > 0 ? state.last : null))

/** The last scan, if it was of one ticket that somebody had used before: until the next scan its holder may turn up. */
function useLastUsed(): Used | null {
  const last = useScan(({ state }) => (state.type === 'aiming' ? state.last : null))
  return last?.status === 'used' && last.ticketId !== null && !last.isGroup
    ? { ...last, ticketId: last.ticketId }
    : null
}

/** Only for the last admission, if it is stored and neither undone nor a double one, and only where this phone may undo. */
function useLastAdmission(): HistoryRecord | null {
  const checker = useUndoer()
  const history = useStored((store) => store.history)
  const shown = useScan(({ state }) => (state.type === 'aiming' ? state.last : null))
  const isOfOne = shown !== null && shown.look !== 'refused' && shown.ticketId !== null
  if (isOfOne && !history.some(({ scanId }) => scanId === shown.scanId)) return null
  const last = history.find(({ ending }) => ending !== 'refused' && ending !== 'failed')
  const isStanding = last?.ending === 'admitted' || last?.ending === 'pending'
  return isStanding && last.scannedBy === checker ? last : null
}

type Used = ShownScan & { ticketId: string }

/**
 * Shows whose ticket somebody else came in with, and how to check it. A supervisor can let the holder in, and the first
 * admission is kept as disputed.
 */
const HolderCheck = ({ shown }: { shown: Used }) => {
  const detail = useDetail(shown)
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
        <div className={holderCheckStyles.check}>
          <p className={holderCheckStyles.name}>{shown.name ?? HOLDER.unknown}</p>
          <p>{detail}</p>
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

/** The name whose admissions can be undone here, which is the current checker's; null if this phone may not undo. */
export function useUndoer(): string | null {
  const account = useUser()?.name ?? null
  const pairing = usePairingRow()
  const mayUndo = useRight('undo')
  if (!mayUndo) return null
  return pairing ? (pairing.shift?.name ?? pairing.device.name) : account
}

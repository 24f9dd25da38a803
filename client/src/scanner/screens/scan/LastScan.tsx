import { TOAST_MS, UNDO_WINDOW_MS } from '@garba/shared/constants'
import { ScanLine, Undo2, UserCheck } from 'lucide-react'
import { type CSSProperties, type ReactNode, useState } from 'react'
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
import { undoOwnAdmission } from '../../sync/undoAdmission.ts'
import { EXITS } from '../../texts/movement.ts'
import { HOLDER, RECENT } from '../../texts/scanner.ts'
import styles from './LastScan.module.css'
import { useDetail } from './Verdict.tsx'

export const LastScan = () => {
  const inView = useLastInView()
  const used = useLastUsed()
  const admission = useLastAdmission()
  const now = useNow(1_000)
  const left = admission === null ? 0 : (Date.parse(admission.timestamp) + UNDO_WINDOW_MS - now) / UNDO_WINDOW_MS
  const inTime = admission !== null && isInTimeToUndo(admission.timestamp, now)
  const shown = inView ?? used
  const undoable = inTime && (shown === null || shown.ticketId === admission.ticket?.id) ? admission : null
  if (shown === null && undoable === null) return null
  return (
    <section className={styles.card} aria-label={RECENT.last}>
      <div className={styles.words}>
        {shown === null ? (
          <p className={styles.name}>{undoable ? formatUndoable(undoable) : null}</p>
        ) : (
          <>
            <p className={styles.title}>{shown.title}</p>
            {shown.name === null ? null : <p className={styles.name}>{shown.name}</p>}
          </>
        )}
      </div>
      <div className={styles.actions}>
        {inView === null ? null : (
          <Button size="sm" icon={<ScanLine />} onClick={scanAgain}>
            {RECENT.scanAgain}
          </Button>
        )}
        {used === null ? null : <HolderCheck shown={used} />}
        {undoable === null ? null : (
          <UndoButton admission={undoable}>
            <span className={styles.undo} style={{ '--left': left } as CSSProperties}>
              {RECENT.undo}
            </span>
          </UndoButton>
        )}
      </div>
    </section>
  )
}

const isExit = ({ ending }: HistoryRecord): boolean => ending === 'left' || ending === 'leaving'

function formatUndoable(record: HistoryRecord): string {
  const name = record.ticket?.name ?? RECENT.unknownTicket
  return isExit(record) ? EXITS.letOut(name) : RECENT.letIn(name)
}

interface UndoButtonProps {
  admission: HistoryRecord
  onUndone?: () => void
  children: ReactNode
}

export const UndoButton = ({ admission, onUndone, children }: UndoButtonProps) => {
  const [busy, setBusy] = useState(false)
  const name = admission.ticket?.name ?? RECENT.unknownTicket
  const undo = async () => {
    setBusy(true)
    const undone = await undoOwnAdmission(admission)
    setBusy(false)
    if (!undone.ok) return void toast.error(RECENT.undoFailed(undone.message), { duration: TOAST_MS })
    toast.success(`${undone.words.title}: ${name}`, { description: undone.words.detail })
    onUndone?.()
  }
  return (
    <Button size="sm" busy={busy} icon={<Undo2 />} aria-label={RECENT.undoLabel(name)} onClick={() => void undo()}>
      {children}
    </Button>
  )
}

const useLastInView = (): ShownScan | null =>
  useScan(({ state }) => (state.type === 'aiming' && state.held.length > 0 ? state.last : null))

/** The last scan, if it was of one ticket that somebody had used before: until the next scan its holder may turn up. */
function useLastUsed(): ScanWithTicket | null {
  const last = useScan(({ state }) => (state.type === 'aiming' ? state.last : null))
  return last?.status === 'used' && last.ticketId !== null && !last.isGroup && !last.isPractice
    ? { ...last, ticketId: last.ticketId }
    : null
}

/** null unless the last admission is stored, neither undone nor double, and this phone may undo. */
function useLastAdmission(): HistoryRecord | null {
  const checker = useUndoer()
  const history = useStored((store) => store.history)
  const shown = useScan(({ state }) => (state.type === 'aiming' ? state.last : null))
  const isOfOne = shown !== null && shown.look !== 'refused' && shown.ticketId !== null
  if (isOfOne && !history.some(({ scanId }) => scanId === shown.scanId)) return null
  const last = history.find(({ ending }) => ending !== 'refused' && ending !== 'failed')
  const isStanding = last && (last.ending === 'admitted' || last.ending === 'pending' || isExit(last))
  return isStanding && last.scannedBy === checker ? last : null
}

type ScanWithTicket = ShownScan & { ticketId: string }

/** A supervisor can let the holder in; the first admission is then kept as disputed. */
const HolderCheck = ({ shown }: { shown: ScanWithTicket }) => {
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
        icon={<UserCheck />}
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
          <p className={styles.holderCheckName}>{shown.name ?? HOLDER.unknown}</p>
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

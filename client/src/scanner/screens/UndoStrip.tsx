import { TOAST_MS, UNDO_WINDOW_MS } from '@garba/shared/constants'
import { RECENT } from '@garba/shared/messages/scannerScreens'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { useUser } from '../../platform/identity/session.ts'
import { useNow } from '../../platform/screen/now.ts'
import { undoAdmission } from '../gate/undo.ts'
import { useGate } from '../gate/useGate.ts'
import type { HistoryRecord } from '../store/schema.ts'
import styles from './UndoStrip.module.css'

/** The checker's own last admission, for a minute: a wrong tap is taken back by another (DECISIONS 2). */
export const UndoStrip = () => {
  const last = useLastAdmission()
  const now = useNow(1_000)
  const [busy, setBusy] = useState(false)
  const left = last === null ? 0 : Math.ceil((Date.parse(last.timestamp) + UNDO_WINDOW_MS - now) / 1000)
  if (last === null || left <= 0) return null
  const name = last.ticket?.name ?? RECENT.unknownTicket
  const undo = async () => {
    setBusy(true)
    const undone = await undoAdmission(last)
    setBusy(false)
    if (undone.ok) toast.success(`${undone.words.title}: ${name}`, { description: undone.words.detail })
    else toast.error(RECENT.undoFailed(undone.message), { duration: TOAST_MS })
  }
  return (
    <div className={styles.strip}>
      <p className={styles.name}>{name}</p>
      <Button
        size="sm"
        busy={busy}
        icon={<Undo2 aria-hidden="true" />}
        aria-label={RECENT.undoLabel(name)}
        onClick={() => void undo()}
      >
        <span className="tabular">{RECENT.undoIn(left)}</span>
      </Button>
    </div>
  )
}

/** Only the last scan that let somebody in, and only while nothing of it was taken back. */
function useLastAdmission(): HistoryRecord | null {
  const checker = useUser()?.name
  const history = useGate((store) => store.history)
  const last = history.find(({ ending }) => ending === 'admitted' || ending === 'pending' || ending === 'undone')
  return last && last.ending !== 'undone' && last.scannedBy === checker ? last : null
}

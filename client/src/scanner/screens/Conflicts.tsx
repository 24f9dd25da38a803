import { CONFLICTS } from '@garba/shared/messages/scanner'
import { Users } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import type { ConflictRow } from '../../platform/store/scannerSchema.ts'
import { clockNow } from '../core/clock.ts'
import { conflictWords } from '../core/words.ts'
import { acknowledgeConflict } from '../store/conflicts.ts'
import { useStored } from '../store/useStored.ts'
import { ConflictName, ConflictSides } from './ConflictSides.tsx'
import styles from './Conflicts.module.css'
import { showTrouble } from './showTrouble.ts'

/** Double admissions that involve this device; each stays until the checker has read it (DECISIONS 3). */
export const Conflicts = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const conflicts = useStored((store) => store.conflicts)
  const deviceId = useStored((store) => store.device.id)
  return (
    <Dialog
      open={open && conflicts.length > 0}
      onClose={onClose}
      title={CONFLICTS.title}
      description={CONFLICTS.explain}
    >
      <ol className={styles.list}>
        {conflicts.map((conflict) => (
          <Row key={conflict.id} conflict={conflict} deviceId={deviceId} />
        ))}
      </ol>
    </Dialog>
  )
}

const Row = ({ conflict, deviceId }: { conflict: ConflictRow; deviceId: string }) => {
  const { title, first, second } = conflictWords(conflict, { deviceId, clock: clockNow() })
  const read = () => void acknowledgeConflict(conflict.id, new Date().toISOString()).catch(showTrouble)
  return (
    <li className={styles.row}>
      <p className={styles.title}>
        <Users aria-hidden="true" />
        {title}
      </p>
      <ConflictName name={conflict.name} ticketId={conflict.ticketId} />
      <ConflictSides first={first} second={second} />
      <Button block onClick={read}>
        {CONFLICTS.acknowledge}
      </Button>
    </li>
  )
}

import type { Gate } from '@garba/shared/contracts/gate'
import { GATE } from '@garba/shared/messages/gate'
import { DoorOpen } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { usePairingRow } from '../core/pairing.ts'
import { rosterGates } from '../store/rosterMemory.ts'
import { moveToGate } from '../sync/pairing.ts'
import styles from './ChooseGate.module.css'

/** Where a paired phone stands: one of its own gates, or any if it is bound to none. */
export const ChooseGate = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const device = usePairingRow()?.device
  const [busy, setBusy] = useState(false)
  const known = rosterGates()
  const choices = device && device.gates.length > 0 ? known.filter(({ name }) => device.gates.includes(name)) : known
  const choose = async ({ name }: Gate) => {
    setBusy(true)
    try {
      await moveToGate(name)
      onClose()
    } catch (error) {
      toast.error(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <Dialog open={open} onClose={onClose} title={GATE.change} description={GATE.changeDetail}>
      <ul className={styles.gates}>
        {choices.map((gate) => (
          <li key={gate.name}>
            <Button
              block
              size="lg"
              tone={gate.name === device?.gate ? 'primary' : 'secondary'}
              icon={<DoorOpen aria-hidden="true" />}
              disabled={busy}
              aria-pressed={gate.name === device?.gate}
              onClick={() => void choose(gate)}
            >
              {GATE.takes(gate)}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

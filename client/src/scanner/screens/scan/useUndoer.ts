import { useUser } from '../../../platform/identity/session.ts'
import { usePairingRow, useRight } from '../../core/pairing.ts'

/** Whose admissions can be undone here: the checker's of now; null where this phone may not undo. */
export function useUndoer(): string | null {
  const account = useUser()?.name ?? null
  const pairing = usePairingRow()
  const mayUndo = useRight('undo')
  if (!mayUndo) return null
  return pairing ? (pairing.shift?.name ?? pairing.device.name) : account
}

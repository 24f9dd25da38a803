import { useEffect, useRef } from 'react'
import { useScan } from '../scan/machine.ts'
import { useStored } from '../store/useStored.ts'

/** After this long without a scan (ms), nobody is waiting for a verdict. */
const QUIET_MS = 3_000
const WINDOWS = '[role="dialog"], [role="alertdialog"], [role="menu"]'

interface Turn {
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}

/**
 * Opens the list of double admissions when nobody is being scanned and no other window is open, so that no checker misses
 * one (DECISIONS 3). A scan closes it only for as long as it lasts. If the checker closes it, it stays closed until the
 * next conflict.
 */
export function useConflictsTurn({ isOpen, onOpen, onClose }: Turn): void {
  const conflicts = useStored((store) => store.conflicts)
  const aiming = useScan(({ state }) => state.type === 'aiming')
  const shown = useRef(new Set<string>())
  const act = useRef({ onOpen, onClose })
  act.current = { onOpen, onClose }
  useEffect(() => {
    if (!isOpen) return
    if (aiming) for (const { id } of conflicts) shown.current.add(id)
    else shown.current.clear()
    if (!aiming || conflicts.length === 0) act.current.onClose()
  }, [isOpen, aiming, conflicts])
  useEffect(() => {
    if (isOpen || !aiming || conflicts.every(({ id }) => shown.current.has(id))) return
    const turn = setInterval(() => {
      if (document.querySelector(WINDOWS) === null) act.current.onOpen()
    }, QUIET_MS)
    return () => clearInterval(turn)
  }, [isOpen, aiming, conflicts])
}

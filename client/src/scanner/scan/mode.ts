import type { Movement } from '@garba/shared/contracts/names'
import { create } from 'zustand'
import { local } from '../../platform/store/local.ts'

const MODE = 'garba.scan-mode'

const readMode = (): Movement => {
  const kept = local.read(MODE)
  return kept === 'exit' || kept === 'count' ? kept : 'entry'
}

/** What a scan means on this phone. It survives a reload, because a gate for leaving stays one. */
export const useMode = create<{ mode: Movement }>(() => ({ mode: readMode() }))

export function setMode(mode: Movement): void {
  local.write(MODE, mode === 'entry' ? null : mode)
  useMode.setState({ mode })
}

import type { Right } from '@garba/shared/contracts/names'
import { create } from 'zustand'
import { serverNow } from '../../platform/net/clock.ts'
import { local } from '../../platform/store/local.ts'
import type { PairingEnd, PairingRow } from '../../platform/store/scannerSchema.ts'

/** Whether this phone is paired. `unreadable`: it is, but its storage does not say as what. */
export type PairingState =
  | { type: 'reading' }
  | { type: 'unreadable' }
  | { type: 'none' }
  | { type: 'paired'; row: PairingRow }

const PAIRED = 'garba.paired'
/** Read before any database is opened, so that the sign-in screen never shows first on a paired phone. */
const wasPaired = (): boolean => local.read(PAIRED) === '1'

export const usePairing = create<{ state: PairingState }>(() => ({
  state: wasPaired() ? { type: 'reading' } : { type: 'none' },
}))

export function setPairing(state: PairingState): void {
  if (state.type === 'paired' || state.type === 'none') local.write(PAIRED, state.type === 'paired' ? '1' : null)
  usePairing.setState({ state })
}

const rowOf = (state: PairingState): PairingRow | null => (state.type === 'paired' ? state.row : null)
export const pairingNow = (): PairingRow | null => rowOf(usePairing.getState().state)
export const usePairingRow = (): PairingRow | null => usePairing(({ state }) => rowOf(state))

/** What a signed-in checker may do: all that the scanner did before phones were paired. */
const OF_A_CHECKER: readonly Right[] = ['scan', 'find', 'undo']
const rightsOf = (row: PairingRow | null): readonly Right[] => row?.device.rights ?? OF_A_CHECKER
export const hasRight = (right: Right): boolean => rightsOf(pairingNow()).includes(right)
export const useRight = (right: Right): boolean => usePairing(({ state }) => rightsOf(rowOf(state)).includes(right))

/** Why this phone may not scan now, by the server's word or by the end of its time; null while it may. */
export function endOf(row: PairingRow | null, now: Date): PairingEnd | null {
  if (row === null) return null
  if (row.ended !== null) return row.ended.why
  return now.getTime() >= Date.parse(row.device.until) ? 'lapsed' : null
}

/** From this long before the end (ms) the screen says when it comes. */
const NEAR_END_MS = 30 * 60_000
/** ISO time of the end, once it is near; else null. */
export function nearEndOf(row: PairingRow | null, now: Date): string | null {
  if (row === null || endOf(row, now) !== null) return null
  return Date.parse(row.device.until) - now.getTime() <= NEAR_END_MS ? row.device.until : null
}

export const endNow = (): PairingEnd | null => endOf(pairingNow(), serverNow())

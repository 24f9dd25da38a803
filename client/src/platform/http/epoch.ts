import { EPOCH_HEADER } from '@garba/shared/constants'
import { parseEpoch } from '@garba/shared/rules/phones/versions'
import { create } from 'zustand'
import { local } from '../store/local.ts'

const KEY = 'epoch'
const NONE = -1

const keptEpoch = (): number => parseEpoch(local.read(KEY)) ?? NONE

/** The highest epoch that our server has answered with. */
export const useEpoch = create<{ epoch: number }>(() => ({ epoch: keptEpoch() }))

/**
 * The highest known epoch; 0 before the first, which is also the epoch of data that was never restored. An answer
 * belongs to the epoch noted when its request was sent, or to a later epoch.
 */
export const epochNow = (): number => Math.max(0, useEpoch.getState().epoch)

/** Whether an answer came from our current server, and not from one that has been replaced or from an intermediary. */
export const isOfLatestEpoch = (headers: Headers): boolean =>
  (parseEpoch(headers.get(EPOCH_HEADER)) ?? NONE) >= epochNow()

/** Keeps the epoch of an answer of our server if it is later. */
export function recordEpoch(headers: Headers): void {
  const epoch = parseEpoch(headers.get(EPOCH_HEADER))
  if (epoch === null || epoch <= useEpoch.getState().epoch) return
  useEpoch.setState({ epoch })
  // Another tab may have seen a later one.
  if (epoch > keptEpoch()) local.write(KEY, String(epoch))
}

import { EPOCH_HEADER } from '@garba/shared/constants'
import { epochOf, isLaterEpoch } from '@garba/shared/rules/phones/versions'
import { create } from 'zustand'
import { local } from '../store/local.ts'

const KEY = 'epoch'

const kept = (): string | null => {
  const token = local.read(KEY)
  return epochOf(token) === null ? null : token
}

/**
 * The highest epoch that our server has answered with, as the token to show to it. A
 * server that has been replaced learns from it that it must not write any more.
 */
export const useEpoch = create<{ token: string | null }>(() => ({ token: kept() }))

/**
 * The highest epoch met; 0 before the first, which is also that of data that was never restored. An answer is of this epoch, as
 * noted when its request was sent, or of a later one.
 */
export const epochNow = (): number => epochOf(useEpoch.getState().token) ?? 0

/** The header for every request; none before the first answer. */
export function epochHeaders(): Record<string, string> {
  const { token } = useEpoch.getState()
  return token === null ? {} : { [EPOCH_HEADER]: token }
}

/** Whether an answer is of our server as it is now: not of one that has been replaced, nor of something else in its place. */
export function isOfLatestEpoch(headers: Headers): boolean {
  const token = headers.get(EPOCH_HEADER)
  return epochOf(token) !== null && !isLaterEpoch(useEpoch.getState().token, token)
}

/** Keeps the epoch of an answer of our server if it is a later one. */
export function noteEpoch(headers: Headers): void {
  const token = headers.get(EPOCH_HEADER)
  if (token === null || !isLaterEpoch(token, useEpoch.getState().token)) return
  useEpoch.setState({ token })
  // Another tab may have met a later one.
  if (isLaterEpoch(token, local.read(KEY))) local.write(KEY, token)
}

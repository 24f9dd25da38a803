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
 * The highest epoch that our server has answered with, as a token to send to it. A server that has been replaced learns from it
 * that it must not write any more.
 */
export const useEpoch = create<{ token: string | null }>(() => ({ token: kept() }))

/**
 * The highest known epoch; 0 before the first, which is also the epoch of data that was never restored. An answer belongs to the
 * epoch noted when its request was sent, or to a later one.
 */
export const epochNow = (): number => epochOf(useEpoch.getState().token) ?? 0

/** The header for every request; none before the first answer. */
export function epochHeaders(): Record<string, string> {
  const { token } = useEpoch.getState()
  return token === null ? {} : { [EPOCH_HEADER]: token }
}

/** Whether an answer came from our current server, and not from one that has been replaced or from an intermediary. */
export function isOfLatestEpoch(headers: Headers): boolean {
  const token = headers.get(EPOCH_HEADER)
  return epochOf(token) !== null && !isLaterEpoch(useEpoch.getState().token, token)
}

/** Keeps the epoch of an answer of our server if it is a later one. */
export function noteEpoch(headers: Headers): void {
  const token = headers.get(EPOCH_HEADER)
  if (token === null || !isLaterEpoch(token, useEpoch.getState().token)) return
  useEpoch.setState({ token })
  // Another tab may have seen a later one.
  if (isLaterEpoch(token, local.read(KEY))) local.write(KEY, token)
}

import { REQUEST_TIMEOUT_MS } from '@garba/shared/constants'
import type { CallName } from '@garba/shared/contracts/paths'
import pTimeout from 'p-timeout'
import { networkFailure } from './failure.ts'

/** A module that a call needs. If it cannot be fetched in time, the call has no answer. Throws ApiFailure NETWORK. */
export const awaitModule = <M>(module: Promise<M>): Promise<M> =>
  pTimeout(module, { milliseconds: REQUEST_TIMEOUT_MS }).catch((error: unknown) => {
    throw networkFailure(error)
  })

/**
 * Checks an answer against its contract. Throws ApiFailure NETWORK if it does not fit, as for an HTML page, because only a server
 * of another version or an intermediary answers like that. Values may be personal, so the log names only the fields.
 */
export async function readAnswer(name: CallName, body: unknown): Promise<unknown> {
  const { CALLS } = await awaitModule(import('@garba/shared/calls/calls'))
  const call = CALLS[name]
  if (!('answer' in call)) return body
  const result = call.answer.safeParse(body)
  if (result.success) return result.data
  const fields = result.error.issues.map(({ path }) => path.join('.'))
  console.error(`The answer to ${name} does not fit its contract`, fields)
  throw networkFailure(`The answer to ${name} does not fit its contract`)
}

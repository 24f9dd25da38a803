import { type CallName, PATHS } from '@garba/shared/contracts/paths'
import { epochHeaders } from './epoch.ts'
import { failureOf, networkFailure } from './failure.ts'
import { currentToken } from './tokens.ts'
import type { ParamsOf } from './types.ts'
import { urlOf } from './url.ts'

/**
 * Makes a call without a body ready for a page that closes, when nothing runs any more that waits: the token is fetched now,
 * and the function returned here sends within the very event that calls it. Like `call` it throws ApiFailure, if the page
 * is still there by then.
 */
export async function callAtClose<N extends CallName>(name: N, params: ParamsOf<N>): Promise<() => Promise<void>> {
  const { method, path } = PATHS[name]
  const token = await currentToken()
  return async () => {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
    const headers = { accept: 'application/json', ...epochHeaders(), ...authorization }
    const response = await fetch(urlOf(path, params), { method, keepalive: true, headers }).catch((error: unknown) => {
      throw networkFailure(error)
    })
    if (!response.ok) throw failureOf({ status: response.status, body: await response.json().catch(() => null) })
  }
}

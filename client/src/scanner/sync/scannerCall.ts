import { SERVER_PATIENCE_MS } from '@garba/shared/constants'
import type { CallName } from '@garba/shared/contracts/paths'
import { type AnswerOf, type CallOptions, call } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { noteRefusal } from './forbidden.ts'
import { noteLine } from './useLine.ts'

type Timed = 'verifyQr' | 'markUsed' | 'markUsedBatch' | 'undoMark' | 'roster'
/** Answers that may be long: in time they speak for the line, late they do not speak against it. */
const LARGE: ReadonlySet<Timed> = new Set(['markUsedBatch', 'roster'])

/** A call of the scanner, tried once; what its answer says of the network is noted. Throws ApiFailure. */
export async function scannerCall<N extends CallName & Timed>(name: N, options: CallOptions<N>): Promise<AnswerOf<N>> {
  const start = performance.now()
  const answered = () => {
    const ms = performance.now() - start
    if (ms < SERVER_PATIENCE_MS || !LARGE.has(name)) noteLine({ is: 'answered', ms })
  }
  try {
    const answer = await (call as (name: N, options: CallOptions<N>) => Promise<AnswerOf<N>>)(name, {
      retries: 0,
      ...options,
    })
    answered()
    return answer
  } catch (error) {
    noteRefusal(error)
    if (isFailure(error) && error.status > 0 && error.status < 500) answered()
    else noteLine({ is: 'noAnswer' })
    throw error
  }
}

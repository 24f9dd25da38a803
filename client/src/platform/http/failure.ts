import type { Code } from '@garba/shared/contracts/codes'
import type { FieldError } from '@garba/shared/contracts/common'
import { failedAnswerText, TRANSPORT } from '@garba/shared/messages/common'

/** NETWORK: no usable answer came (unreachable, cut off, too late, not what its contract says, or HTML instead of JSON). */
export type FailureCode = Code | 'NETWORK' | 'UNKNOWN'

interface FailureBody {
  code?: Code
  errors?: FieldError[]
  [field: string]: unknown
}

interface FailureFacts {
  /** HTTP status; 0 when no answer came. */
  status: number
  code: FailureCode
  message: string
  errors?: FieldError[]
  body?: FailureBody
  repeated?: boolean
}

/** The only error that `callServer` throws, besides an abort signal's reason. `message` can be shown to people. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  readonly code: FailureCode
  readonly errors: readonly FieldError[]
  /** The whole JSON answer, for codes that carry more. Unchecked. */
  readonly body: FailureBody
  readonly repeated: boolean

  constructor(
    { status, code, message, errors = [], body = {}, repeated = false }: FailureFacts,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.status = status
    this.code = code
    this.errors = errors
    this.body = body
    this.repeated = repeated
  }
}

export const networkFailure = (cause?: unknown) =>
  new ApiFailure({ status: 0, code: 'NETWORK', message: TRANSPORT.noResponse }, { cause })

export const isFailure = (error: unknown): error is ApiFailure => error instanceof ApiFailure
export const isNetworkFailure = (error: unknown): error is ApiFailure => isFailure(error) && error.code === 'NETWORK'

/** The message for any error: an ApiFailure's own, else the fallback. (Spec: Messages.) */
export const getErrorMessage = (error: unknown): string => (isFailure(error) ? error.message : TRANSPORT.unexpected)

interface FailedAnswer {
  status: number
  body: unknown
  repeated?: boolean
}

export function toApiFailure({ status, body, repeated = false }: FailedAnswer): ApiFailure {
  const refusal = (typeof body === 'object' && body !== null ? body : {}) as FailureBody
  return new ApiFailure({
    status,
    code: refusal.code ?? 'UNKNOWN',
    message: failedAnswerText({ status, body }),
    errors: Array.isArray(refusal.errors) ? refusal.errors : [],
    body: refusal,
    repeated,
  })
}

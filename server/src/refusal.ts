import type { Code } from '@garba/shared/contracts/codes'
import type { FieldError } from '@garba/shared/contracts/common'
import { messageFor, type RefusalDetails } from '@garba/shared/messages/codes'

export interface RefusalFacts extends RefusalDetails {
  errors?: readonly FieldError[]
  /** Said in place of the code's own sentence. */
  message?: string
  /** What the answer carries beside code and message, such as the ticket in question. */
  body?: Readonly<Record<string, unknown>>
}

/** The call is answered with a code; http knows its status, messages its words. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: Code
  readonly facts: RefusalFacts

  constructor(code: Code, facts: RefusalFacts = {}) {
    super(code)
    this.code = code
    this.facts = facts
  }
}

/** The one form of every failure (DECISIONS 2). */
export function failureBody(code: Code, facts: RefusalFacts = {}): Record<string, unknown> {
  const { errors, body, message, ...details } = facts
  return {
    ...body,
    ...details,
    success: false,
    code,
    message: message ?? messageFor(code, details),
    ...(errors ? { errors } : {}),
  }
}

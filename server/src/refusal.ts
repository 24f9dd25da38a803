import type { Code } from '@garba/shared/contracts/codes'
import type { FieldError } from '@garba/shared/contracts/common'
import { messageFor, type RefusalDetails } from '@garba/shared/messages/codes'

export interface RefusalFacts extends RefusalDetails {
  errors?: readonly FieldError[]
  /** Replaces the code's own message. */
  message?: string
  /** Further fields of the response, such as the ticket in question. */
  body?: Readonly<Record<string, unknown>>
}

/** Answers the call with a code, which has its status in contracts/codes and its text in messages/codes. */
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

/** The response body of every failure. */
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

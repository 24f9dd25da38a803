import type { Code } from '@garba/shared/contracts/codes'
import type { FieldError } from '@garba/shared/contracts/common'
import { messageFor, type RefusalDetails, VALIDATION } from '@garba/shared/messages/codes'
import type * as z from 'zod'

export interface RefusalFacts extends RefusalDetails {
  errors?: readonly FieldError[]
  message?: string
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

export function orRefuse<T>(one: T | null | undefined, code: Code): T {
  if (one == null) throw new Refusal(code)
  return one
}

/** Refuses one field of a body; its message is also the message of the response. */
export const wrongField = (field: string, message: string): Refusal =>
  new Refusal('VALIDATION_FAILED', { message, errors: [{ field, message }] })

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

const toFieldErrors = (issue: z.core.$ZodIssue): FieldError[] => {
  const field = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      field: [field, key].filter(Boolean).join('.'),
      message: 'This field is not accepted',
    }))
  return [{ field, message: issue.message }]
}

/** Messages fit for people, for contracts without their own. zod's are for programmers. */
const plainWords = ({ input }: { input?: unknown }): string =>
  input === undefined ? VALIDATION.missing : VALIDATION.unusable

/**
 * Parses an input with its contract. Refuses with VALIDATION_FAILED and the invalid fields. If only one field is
 * invalid, its message is also that of the response.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const read = schema.safeParse(input, { error: plainWords })
  if (read.success) return read.data
  throw invalid(read.error.issues.flatMap(toFieldErrors))
}

function invalid(errors: FieldError[]): Refusal {
  const [only] = errors
  return new Refusal('VALIDATION_FAILED', { errors, ...(errors.length === 1 && only ? { message: only.message } : {}) })
}

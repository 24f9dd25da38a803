import type { FieldError } from '@garba/shared/contracts/common'
import { VALIDATION } from '@garba/shared/messages/common'
import type * as z from 'zod'
import { Refusal } from './refusal.ts'

const fieldErrorsOf = (issue: z.core.$ZodIssue): FieldError[] => {
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
 * Parses an input with its contract. Refuses with VALIDATION_FAILED and the invalid fields. If only one field is invalid,
 * its message is also the message of the response.
 */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const read = schema.safeParse(input, { error: plainWords })
  if (read.success) return read.data
  throw invalid(read.error.issues.flatMap(fieldErrorsOf))
}

function invalid(errors: FieldError[]): Refusal {
  const [only] = errors
  return new Refusal('VALIDATION_FAILED', { errors, ...(errors.length === 1 && only ? { message: only.message } : {}) })
}

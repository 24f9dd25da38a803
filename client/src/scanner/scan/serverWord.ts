import type { RefusalCode } from '@garba/shared/contracts/codes'
import { type AnsweredConflict, type ScannedTicket, scannedTicketSchema } from '@garba/shared/contracts/scan'
import { refusalOfStatus } from '@garba/shared/rules/admission'
import { type ApiFailure, isFailure } from '../../platform/http/failure.ts'
import { isRefusal } from '../core/words.ts'
import { isNoAnswerToCall } from '../sync/connection.ts'

/** What the server said of a scan, in the terms that decide. */
export type ServerWord =
  /** Verified: there is an entry to give. Marking comes next. */
  | { is: 'active'; ticket: ScannedTicket }
  | { is: 'admitted'; ticket: ScannedTicket; conflict: AnsweredConflict | null }
  | { is: 'refused'; code: RefusalCode; ticket: ScannedTicket | null }
  /** An answer that decides nothing and that the checker must read. */
  | { is: 'failed'; message: string }
  /** No answer, or none that can be used: the device decides. */
  | { is: 'silent' }

/** The word in an answer to verify-qr. */
export function verifiedWord(ticket: ScannedTicket): ServerWord {
  const code = refusalOfStatus(ticket.status)
  return code === null ? { is: 'active', ticket } : { is: 'refused', code, ticket }
}

/**
 * The word in a failed call. 401 is one the checker must read: the session could not be renewed, and a device must not go on
 * admitting for somebody whom the server no longer knows (DECISIONS 2: a demotion works at once).
 */
export function failedWord(error: unknown, { manual }: { manual: boolean }): ServerWord {
  if (!isFailure(error)) return { is: 'silent' }
  const { status, code, message } = error
  if (isRefusal(code)) return { is: 'refused', code, ticket: ticketIn(error) }
  if (isNoAnswerToCall(status)) return { is: 'silent' }
  // HTTP 400 of SPEC 8.
  if (status === 400 && !manual) return { is: 'refused', code: 'QR_MALFORMED', ticket: null }
  return { is: 'failed', message }
}

function ticketIn({ body }: ApiFailure): ScannedTicket | null {
  const inside = typeof body === 'object' && body !== null && 'ticket' in body ? body.ticket : null
  const parsed = scannedTicketSchema.safeParse(inside)
  return parsed.success ? parsed.data : null
}

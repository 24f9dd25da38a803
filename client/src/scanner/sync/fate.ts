import type { Code } from '@garba/shared/contracts/codes'
import { messageFor } from '@garba/shared/messages/codes'
import { isFailure } from '../../platform/http/failure.ts'
import type { OutboxRow } from '../../platform/store/scannerSchema.ts'
import { isNoAnswer, isNoAnswerToCall } from './connection.ts'

/** What becomes of a queued scan after an answer. */
export type Fate = 'done' | 'retry' | 'signIn' | 'park'

/** An answer to one scan, or to a whole request, in the terms that decide. */
export interface Received {
  /** HTTP status; 0 when no answer of ours came. */
  status: number
  /** The server's code; NETWORK when no answer came, UNKNOWN when it was not our server's. */
  code: Code | 'NETWORK' | 'UNKNOWN' | null
  success: boolean
}

/** The server has judged this scan or its ticket: nothing is left to send. */
const FINAL: ReadonlySet<Received['code']> = new Set(['ALREADY_USED', 'TICKET_CANCELLED', 'SCAN_UNDONE'])
/** A paired phone made this scan after it was revoked or its time was over. */
const ENDED: ReadonlySet<Received['code']> = new Set(['DEVICE_REVOKED', 'DEVICE_LAPSED'])

/**
 * Done: any final answer. Retry: no answer, the server's trouble, or too many at once. SignIn: the sender is not known.
 * Park: anything else, shown to the checker and blocking nothing; also a ticket chosen by hand that nobody knows,
 * for only the checker can say who that was.
 */
export function fateOf({ status, code, success }: Received): Fate {
  if (success || FINAL.has(code)) return 'done'
  if (ENDED.has(code)) return 'park'
  if (status === 401) return 'signIn'
  if (isNoAnswer(status)) return 'retry'
  return 'park'
}

/**
 * The same for a request as a whole. Its sender is refused, not its scans: they wait for a checker who may send them. What
 * else is wrong with it may be one row's fault: `split` tries them one by one, so that a bad one blocks nothing.
 */
export function fateOfRequest(received: Received & { rows: number }): Exclude<Fate, 'done'> | 'split' {
  const { status, rows } = received
  if (status === 401 || status === 403) return 'signIn'
  // 'done' cannot apply to a whole request.
  if (isNoAnswerToCall(status)) return 'retry'
  const fate = fateOf(received)
  if (fate === 'retry' || fate === 'signIn') return fate
  return rows > 1 ? 'split' : 'park'
}

/** A failed request in the terms that decide, and its sentence. */
export function receivedOf(error: unknown): { received: Received; message: string } {
  if (!isFailure(error)) return { received: { status: 0, code: 'UNKNOWN', success: false }, message: String(error) }
  return { received: { status: error.status, code: error.code, success: false }, message: error.message }
}

/** A row's own result within an answer. */
export const receivedInRow = ({ status, code, success }: RowResult): Received => ({
  status,
  code: code ?? null,
  success,
})

export const messageOfRow = ({ message, code }: RowResult): string =>
  message ?? (code === undefined ? '' : messageFor(code))

interface RowResult {
  status: number
  success: boolean
  code?: Code | undefined
  message?: string | undefined
}

/** Why a row is set aside. */
export const asideFor = ({ code }: Received, message: string): NonNullable<OutboxRow['parked']> => ({
  code: code === null || code === 'NETWORK' ? 'UNKNOWN' : code,
  message,
  at: new Date().toISOString(),
})

import type { Code } from '@garba/shared/contracts/codes'
import { messageFor } from '@garba/shared/messages/codes'
import { isFailure } from '../../platform/http/failure.ts'
import type { OutboxRow } from '../../platform/store/scannerSchema.ts'
import { isNoAnswer, isNoAnswerToCall } from './connection.ts'

/** The next step of a queued scan after an answer. */
export type Fate = 'done' | 'retry' | 'signIn' | 'park'

/** An answer to one scan or to a whole request, reduced to what decides its fate. */
export interface Received {
  /** HTTP status; 0 when our server did not answer. */
  status: number
  /** The server's code; NETWORK when no answer came, UNKNOWN when it was not our server's. */
  code: Code | 'NETWORK' | 'UNKNOWN' | null
  success: boolean
}

/** These codes mean that the server has judged the scan or its ticket, so nothing is left to send. */
const FINAL: ReadonlySet<Received['code']> = new Set(['ALREADY_USED', 'TICKET_CANCELLED', 'SCAN_UNDONE'])
/** These codes mean that a paired phone scanned after it was revoked or its time was over. */
const ENDED: ReadonlySet<Received['code']> = new Set(['DEVICE_REVOKED', 'DEVICE_LAPSED'])

/**
 * Done: any final answer. Retry: no answer, a server error, or too many requests. SignIn: the sender is not known.
 * Park: anything else, which the checker sees and which blocks nothing. A ticket chosen by hand that the server does
 * not know is parked too, because only the checker can tell whose it was.
 */
export function fateOf({ status, code, success }: Received): Fate {
  if (success || FINAL.has(code)) return 'done'
  if (ENDED.has(code)) return 'park'
  if (status === 401) return 'signIn'
  if (isNoAnswer(status)) return 'retry'
  return 'park'
}

/**
 * The same for a whole request. 401 and 403 refuse the sender, so the scans wait for a checker who may send them.
 * Another refusal may be due to one row: `split` sends the rows one by one, so that a bad one blocks nothing.
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

/** Converts a failed request's error; `message` is for people to read. */
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

import type { Code } from '@garba/shared/contracts/codes'
import { messageFor } from '@garba/shared/messages/codes'
import { isFailure } from '../../platform/http/failure.ts'
import type { OutboxRow } from '../../platform/store/scannerSchema.ts'
import { isNoAnswer, isNoAnswerToCall } from './connection.ts'

export type Fate = 'done' | 'retry' | 'signIn' | 'park'

export interface ReceivedAnswer {
  /** HTTP status; 0 when our server did not answer. */
  status: number
  /** The server's code; NETWORK when no answer came, UNKNOWN when it was not our server's. */
  code: Code | 'NETWORK' | 'UNKNOWN' | null
  success: boolean
}

/** These codes mean that the server has judged the scan or its ticket, so nothing is left to send. */
const FINAL: ReadonlySet<ReceivedAnswer['code']> = new Set(['ALREADY_USED', 'TICKET_CANCELLED', 'SCAN_UNDONE'])
const ENDED: ReadonlySet<ReceivedAnswer['code']> = new Set(['DEVICE_REVOKED', 'DEVICE_LAPSED'])

/**
 * Done: any final answer. Retry: no answer, a server error, or too many requests. SignIn: the sender is not known.
 * Park: anything else, which the checker sees and which blocks nothing. A ticket chosen by hand that the server does
 * not know is parked too, because only the checker can tell whose it was.
 */
export function decideFate({ status, code, success }: ReceivedAnswer): Fate {
  if (success || FINAL.has(code)) return 'done'
  if (ENDED.has(code)) return 'park'
  if (status === 401) return 'signIn'
  if (isNoAnswer(status)) return 'retry'
  return 'park'
}

/**
 * The same for a whole request. 401 and 403 refuse the sender, so the scans wait for a checker who may send them.
 * Another refusal may be due to one row: `split` sends the rows one by one, so that a bad row blocks nothing.
 */
export function fateOfRequest(received: ReceivedAnswer & { rows: number }): Exclude<Fate, 'done'> | 'split' {
  const { status, rows } = received
  if (status === 401 || status === 403) return 'signIn'
  // 'done' cannot apply to a whole request.
  if (isNoAnswerToCall(status)) return 'retry'
  const fate = decideFate(received)
  if (fate === 'retry' || fate === 'signIn') return fate
  return rows > 1 ? 'split' : 'park'
}

export function toReceivedAnswer(error: unknown): { received: ReceivedAnswer; message: string } {
  if (!isFailure(error)) return { received: { status: 0, code: 'UNKNOWN', success: false }, message: String(error) }
  return { received: { status: error.status, code: error.code, success: false }, message: error.message }
}

export const receivedInRow = ({ status, code, success }: RowResult): ReceivedAnswer => ({
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

export const asideFor = ({ code }: ReceivedAnswer, message: string): NonNullable<OutboxRow['parked']> => ({
  code: code === null || code === 'NETWORK' ? 'UNKNOWN' : code,
  message,
  at: new Date().toISOString(),
})

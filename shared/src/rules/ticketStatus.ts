import { MINUTE_MS, UNDO_WINDOW_MS } from '../constants.ts'
import type { EveningFigures } from '../contracts/desk.ts'
import type { TicketStatus } from '../contracts/names.ts'
import type { Ticket } from '../contracts/ticket.ts'

export type Mover = 'owner' | 'checker' | 'admin'

const EVERY: readonly TicketStatus[] = ['active', 'used', 'cancelled']

/** The allowed changes. A checker's change back to active is Undo, whose time limit is in mayUndo. (Spec: States.) */
const MOVES: Readonly<Record<Mover, Readonly<Record<TicketStatus, readonly TicketStatus[]>>>> = {
  owner: { active: ['cancelled'], used: [], cancelled: [] },
  checker: { active: ['used'], used: ['active'], cancelled: [] },
  admin: { active: EVERY, used: EVERY, cancelled: EVERY },
}

/** Whether a person may change a ticket from one status to another; cutoff, seats and time are checked elsewhere. */
export const mayMove = ({ from, to, by }: { from: TicketStatus; to: TicketStatus; by: Mover }): boolean =>
  MOVES[by][from].includes(to)

/** Whether an admission can still be undone: within 60 s, the 60th second included. */
export const mayUndo = ({ admittedAt, now }: { admittedAt: Date; now: Date }): boolean =>
  now.getTime() - admittedAt.getTime() <= UNDO_WINDOW_MS

interface RefundColumns {
  isRefundDone: boolean | null
  nothingToRefund?: boolean | undefined
}

export const REFUND_STATE = ({ isRefundDone, nothingToRefund }: RefundColumns) => {
  if (nothingToRefund) return 'Nothing to refund'
  return isRefundDone === null ? 'Pending' : isRefundDone ? 'Done' : 'Failed'
}

/**
 * The person who uses a ticket: the holder named by its owner, or else the buyer. Tickets stored by early versions lack
 * the field.
 */
export const getHolderName = ({ holderName, user }: Pick<Ticket, 'holderName' | 'user'>): string =>
  holderName ?? user.name

const LATELY_MS = 10 * MINUTE_MS

/** Counts people let in during the last ten minutes, including that of `at` (ISO). Empty minutes may be absent. */
export const enteredLately = ({ perMinute, at }: Pick<EveningFigures, 'perMinute' | 'at'>): number =>
  perMinute.reduce((sum, { minute, count }) => (Date.parse(minute) > Date.parse(at) - LATELY_MS ? sum + count : sum), 0)

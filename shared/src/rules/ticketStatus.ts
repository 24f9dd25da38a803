import { UNDO_WINDOW_MS } from '../constants.ts'
import type { TicketStatus } from '../contracts/names.ts'

export type Mover = 'owner' | 'checker' | 'admin'

const EVERY: readonly TicketStatus[] = ['active', 'used', 'cancelled']

/** The allowed changes (SPEC 4). The checker's change back to active is Undo, whose time limit is in mayUndo. */
const MOVES: Readonly<Record<Mover, Readonly<Record<TicketStatus, readonly TicketStatus[]>>>> = {
  owner: { active: ['cancelled'], used: [], cancelled: [] },
  checker: { active: ['used'], used: ['active'], cancelled: [] },
  admin: { active: EVERY, used: EVERY, cancelled: EVERY },
}

/** Whether someone may change a ticket from one status to another, apart from other conditions (cutoff, seats, time). */
export const mayMove = ({ from, to, by }: { from: TicketStatus; to: TicketStatus; by: Mover }): boolean =>
  MOVES[by][from].includes(to)

/** Whether an admission can still be undone: within 60 s, the 60th second included. */
export const mayUndo = ({ admittedAt, now }: { admittedAt: Date; now: Date }): boolean =>
  now.getTime() - admittedAt.getTime() <= UNDO_WINDOW_MS

/** The word for a cancelled ticket's refund (SPEC 2): true is Done, false Failed, unset Pending. */
export const REFUND_STATE = (isRefundDone: boolean | null): 'Done' | 'Failed' | 'Pending' =>
  isRefundDone === null ? 'Pending' : isRefundDone ? 'Done' : 'Failed'

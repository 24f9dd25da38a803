import { REASON_MAX } from '../constants.ts'
import type { EventState } from '../contracts/names.ts'

export const EVENT_STATE = {
  reasonRequired: 'Tell guests why in a sentence',
  reasonTooLong: `The reason must be at most ${REASON_MAX} characters`,
  sameDay: 'Choose another day than the present one',
  sameTime: 'Choose a later start than the present one',
  dateNotMoved: 'Only a move changes the date',
  freeUntilShape: 'Choose a day',
  freeUntilPast: 'The day must not be past',
  freeUntilLate: 'The day must be before the event',
  names: { on: 'On', delayed: 'Delayed', moved: 'Moved', calledOff: 'Called off' } satisfies Record<EventState, string>,
  changed: (from: EventState, to: EventState, reason: string | null) =>
    `${EVENT_STATE.names[from]} -> ${EVENT_STATE.names[to]}${reason === null ? '' : `; ${reason}`}`,
  takenBack: (reason: string) => `Taken back: ${reason}`,
  refundsPaused: 'Refunds stopped',
  refundsGoOn: 'Refunds go on',
  ended: (tickets: number, rupees: string) => `Tickets ended: ${tickets}; going back: ${rupees}`,
} as const

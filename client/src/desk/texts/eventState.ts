import type { EventState } from '@garba/shared/contracts/names'
import { formatCount } from '@garba/shared/messages/language'

const tickets = (n: number) => (n === 1 ? '1 ticket' : `${formatCount(n)} tickets`)

export const EVENT_STATES_DESK = {
  title: 'Delay, move or call off',
  failed: (reason: string) => `Failed to load the event’s state: ${reason}`,
  notChanged: (reason: string) => `Nothing was changed: ${reason}`,
  on: 'The event takes place as announced.',
  now: {
    delayed: (time: string) => `The event starts at ${time}.`,
    moved: (day: string) => `The event is on ${day}.`,
    calledOff: 'The event is called off. Nothing is sold, and nobody is let in.',
  },
  reasonIs: (reason: string) => `Reason: ${reason}`,
  freeUntil: (at: string) => `Guests may cancel in full until ${at}.`,
  waits: (at: string) => `Guests see this now. Mails and refunds leave at ${at}; until then you can take it back.`,
  takeBack: 'Take back',
  change: 'Change…',
  end: 'End this note',
  dialog: { title: 'Delay, move or call off', save: 'Tell everyone', saving: 'Saving...', cancel: 'Cancel' },
  kind: 'What happens',
  kinds: { delayed: 'Delay', moved: 'Move', calledOff: 'Call off' } satisfies Partial<Record<EventState, string>>,
  reason: 'Reason, as guests read it',
  date: 'New date',
  startTime: 'New start time',
  free: 'Guests may cancel in full until',
  freeHint: 'Empty: as always, until 10 days before',
  atOnce: 'Send at once; it cannot be taken back',
  people: (n: number) => `${n === 1 ? '1 person has' : `${formatCount(n)} people have`} a ticket.`,
  mails: (n: number) => `${n === 0 ? 'No emails' : n === 1 ? '1 email' : `${formatCount(n)} emails`} will be sent.`,
  back: (rupees: string, n: number, byHand: boolean) =>
    `${rupees} goes back for ${tickets(n)}${byHand ? ', all by hand' : ''}.`,
  provider: (name: string, rupees: string) => `${rupees} through ${name}.`,
  lacks: (rupees: string) => `Its balance lacks ${rupees}: add money there, or refunds wait.`,
  unknown: 'It does not say what its balance is.',
  byHand: (rupees: string, n: number) => `${rupees} by hand, for ${tickets(n)}.`,
  none: 'Nothing was paid, so nothing goes back.',
  refunds: {
    title: 'Refunds',
    progress: (done: string, total: string) => `${done} of ${total} given back`,
    groups: { done: 'Given back', waiting: 'Waiting', failed: 'Failed', byHand: 'By hand' },
    sum: (rupees: string, n: number) => `${rupees}, ${tickets(n)}`,
    stop: 'Stop refunds',
    goOn: 'Go on with refunds',
    again: 'Try waiting refunds now',
    stopped: 'Refunds are stopped.',
    left: 'Left for you to give back',
    failedOne: 'failed',
  },
} as const

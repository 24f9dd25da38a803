import type { TicketKind } from '../contracts/names.ts'
import { formatCount } from './language.ts'

const KINDS = {
  online: 'Online',
  counter: 'Counter',
  complimentary: 'Complimentary',
  paper: 'Paper',
} as const satisfies Record<TicketKind, string>

/** One name for each number of an evening, on the desk and on phones: people are let in, tickets are used. */
export const HEADCOUNT = {
  title: 'People let in',
  /** Beside the number. */
  people: (n: number) => (n === 1 ? 'person let in' : 'people let in'),
  ticketsUsed: (used: number, sold: number) => `${formatCount(used)} of ${formatCount(sold)} tickets used`,
  left: 'Tickets left to come',
  lastTen: 'People in the last 10 minutes',
  /** Of one phone. */
  tickets: 'Tickets used',
} as const

/** What people read about gates. */
export const GATE = {
  name: 'Give the gate a name of at most 40 characters',
  twice: 'Two gates have the same name',
  kinds: KINDS,
  title: 'Gates',
  column: 'Gate',
  none: 'No gates yet: every phone accepts every ticket.',
  noGate: 'No gate',
  lastTen: 'In the last 10 minutes',
  perMinute: 'People let in per minute by gate, last two hours',
  edit: 'Edit gates',
  loading: 'Loading the gates…',
  dialog: { title: 'Edit gates', save: 'Save gates', saving: 'Saving…', cancel: 'Cancel' },
  dialogIntro: 'Tick the kinds of tickets a gate accepts. With none ticked, it accepts them all.',
  dialogNote: 'Phones that are online follow at once. A device can be limited to some of the gates.',
  nameOf: (at: number) => `Gate ${at}`,
  kindOf: (kind: TicketKind, at: number) => `${KINDS[kind]}, gate ${at}`,
  add: 'Add a gate',
  removeOf: (at: number) => `Remove gate ${at}`,
  loadFailed: (reason: string) => `Failed to load the gates: ${reason}`,
  done: 'Gates saved',
  failed: (reason: string) => `Failed to save the gates: ${reason}`,
  change: 'Change gate',
  changeDetail: 'Each gate accepts the kinds of tickets shown next to its name.',
  takes: ({ name, kinds }: { name: string; kinds: readonly TicketKind[] }) =>
    kinds.length === 0 ? name : `${name} (${kinds.map((kind) => KINDS[kind].toLowerCase()).join(', ')})`,
  subject: 'Gates',
  saved: (gates: readonly { name: string; kinds: readonly TicketKind[] }[]) =>
    gates.length === 0
      ? 'No gates'
      : gates
          .map(({ name, kinds }) => `${name}: ${kinds.map((kind) => KINDS[kind]).join(', ') || 'all kinds'}`)
          .join('; '),
} as const

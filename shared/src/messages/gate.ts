import type { Right, ScanFlag, TicketKind } from '../contracts/names.ts'
import { last8 } from './common.ts'
import { dateFormat, tidyTime } from './formats.ts'
import { formatCount } from './language.ts'

const KINDS = {
  online: 'Online',
  counter: 'Counter',
  complimentary: 'Complimentary',
  paper: 'Paper',
} as const satisfies Record<TicketKind, string>

/** The names of an evening's numbers, the same on the desk and on phones: people are let in, tickets are used. */
export const HEADCOUNT = {
  title: 'People let in',
  /** Shown beside the number. */
  people: (n: number) => (n === 1 ? 'person let in' : 'people let in'),
  ticketsUsed: (used: number, sold: number) => `${formatCount(used)} of ${formatCount(sold)} tickets used`,
  left: 'Tickets left to come',
  lastTen: 'People in the last 10 minutes',
  /** Counts the tickets of one phone. */
  tickets: 'Tickets used',
} as const

export const GATE = {
  name: 'Give the gate a name of at most 40 characters',
  twice: 'Two gates have the same name',
  kinds: KINDS,
  title: 'Gates',
  column: 'Gate',
  none: 'No gates yet: every phone accepts every ticket.',
  noGate: 'No gate',
  lastTen: 'Last 10 minutes',
  perMinute: 'People let in per minute by gate, last two hours',
  edit: 'Edit gates',
  loading: 'Loading the gates…',
  dialog: { title: 'Edit gates', save: 'Save gates', saving: 'Saving…', cancel: 'Cancel' },
  dialogIntro: 'Tick the kinds of tickets a gate accepts. With none ticked, it accepts them all.',
  dialogNote: 'Phones that are online get the changes at once. A device can be limited to some of the gates.',
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

/** Formats '2025-09-22' as Mon, 22 Sep 2025. */
export const dayText = (day: string): string =>
  dateFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

const numbersText = ({ from, to }: { from: number; to: number }): string =>
  from === to ? `${from}` : `${from} to ${to}`

/** Messages for the fields of a block, and the texts on paper tickets. */
export const BLOCK = {
  label: 'Enter a name of at most 80 characters, such as the reseller who gets the tickets',
  sizeInPhone: 'Choose 1 to 100 codes. A phone holds at most 200 unsold ones',
  scanIds: 'There must be a scan for each ticket, or none',
  atDoor: 'Sold at the door',
  noSeatReason: 'Sold at the door when no seat was left',
  noSeat: (seats: number, quantity: number, seller: string) =>
    `${seats} of ${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}, sold by ${seller} with codes that had been returned`,
  phoneEnded: (quantity: number, seller: string) =>
    `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}, sold by ${seller} before the phone ended or lost the right to sell`,
  noShift: (name: string) => `named ${name} as the seller, who had no shift on this phone`,
  notSold: (numbers: string) =>
    `No tickets were made for ${numbers}. Sell at the desk if the buyer has paid, or give the money back`,
  leaseEnded: 'Lease ended',
  replaced: 'Another phone took its place',
  size: 'Enter how many tickets to print, 1 to 500',
  range: 'Enter the first and the last number, both within the block',
  numbers: numbersText,
  made: (kind: 'paper' | 'device', size: number) =>
    `${formatCount(size)} ${size === 1 ? 'code' : 'codes'} ${kind === 'paper' ? 'for paper tickets' : 'for sale at the door'}`,
  left: (codes: number) => `${formatCount(codes)} unsold ${codes === 1 ? 'code' : 'codes'} returned`,
} as const

export const RIGHT_LABELS: Readonly<Record<Right, string>> = {
  scan: 'Scan codes',
  find: 'Find by name',
  undo: 'Undo',
  sell: 'Sell',
  complimentary: 'Give tickets away',
  supervise: 'Supervise',
}

export const PHONE_ROLE_LABELS = {
  checker: 'Checker',
  seller: 'Seller',
  supervisor: 'Supervisor',
  custom: 'Custom',
} as const

export const FLAG_LABELS: Readonly<Record<ScanFlag, string>> = {
  revoked: 'Sent after the device was revoked',
  lapsed: 'Sent after the device’s time was over',
  noRight: 'Sent without the right to do so',
  afterEnd: 'Scanned after the device had ended, before the device knew',
}

/** A matter for the desk: a phone admitted by hand after its end. */
export function NOTED_BY_HAND(noted: { ticketId: string; phone: string; at: Date; timezone: string }): string {
  const when = dateFormat('en-IN', {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    timeZone: noted.timezone,
  }).format(noted.at)
  return `Ticket ${last8(noted.ticketId)} let in by hand on ${noted.phone} (${tidyTime(when)}). The phone had ended, so the ticket is unchanged: find out whether its holder is inside`
}

/** Texts about phones whose scanner does not have the server's version. */
export const OLDER_VERSION = {
  mark: (version: string) => `Older version ${version}`,
  found: (n: number) =>
    n === 1
      ? '1 phone runs an older version of the scanner.'
      : `${formatCount(n)} phones run an older version of the scanner.`,
  cure: 'To update a phone, open its scanner while it is online and choose Update now.',
} as const

interface Terms {
  gates: readonly string[]
  rights: readonly Right[]
  until: Date
}

const gatesText = (gates: readonly string[]) => (gates.length === 0 ? 'Any gate' : gates.join(', '))
const rightsText = (rights: readonly Right[]) => rights.map((right) => RIGHT_LABELS[right]).join(', ')

/** Audit trail texts of a device, and messages for wrong requests about one. */
export const DEVICE = {
  name: 'Give the device a name of at most 40 characters',
  untilPast: 'Choose a time in the future.',
  untilFar: 'Choose a time within ten years.',
  unusableKey: 'This is not a public key of P-256.',
  subject: (name: string) => `Device ${name}`,
  terms: ({ gates, rights, until }: Terms) =>
    `${gatesText(gates)}; ${rightsText(rights)}; until ${until.toISOString()}`,
  renamed: (from: string, to: string) => `Name ${from} -> ${to}`,
  /** Lists the terms that differ; empty if none do. */
  changed: (before: Terms, after: Terms): string =>
    [
      gatesText(before.gates) !== gatesText(after.gates) && `${gatesText(before.gates)} -> ${gatesText(after.gates)}`,
      rightsText(before.rights) !== rightsText(after.rights) &&
        `${rightsText(before.rights)} -> ${rightsText(after.rights)}`,
      before.until.getTime() !== after.until.getTime() &&
        `Until ${before.until.toISOString()} -> ${after.until.toISOString()}`,
    ]
      .filter(Boolean)
      .join('; '),
  hadNoRight: 'This phone had no right to let this person in at that time. Ask the organiser, then send it again.',
  renewed: 'New pairing code',
  revokedWithAll: 'With all others',
  paired: ({ label, again }: { label: string | null; again: boolean }) =>
    [again && 'Again; the previous phone is disconnected', label].filter(Boolean).join('; '),
  moved: (from: string | null, to: string) => (from === null ? to : `${from} -> ${to}`),
  shift: (from: string | null, to: string) => (from === null ? to : `${from} -> ${to}`),
} as const

/** Replaces a checker's name if the first side of a double admission was not a scan. */
export const CONFLICT_FIRST_SIDE = {
  used: 'Set as used by an administrator',
  cancelled: 'Ticket cancelled',
  deleted: 'Ticket deleted',
  replaced: 'Code replaced',
  missing: 'Ticket not in the list',
} as const
/** The holder of a ticket that is not in the list. */
export const UNKNOWN_HOLDER = 'Unknown'

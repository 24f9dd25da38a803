import type { Right, ScanFlag, TicketKind } from '../contracts/names.ts'
import { dateFormat } from '../intlFormats.ts'
import { shortenTicketId } from './common.ts'
import { tidyTime } from './formats.ts'
import { formatCount } from './language.ts'

const KINDS = {
  online: 'Online',
  counter: 'Counter',
  complimentary: 'Complimentary',
  paper: 'Paper',
} as const satisfies Record<TicketKind, string>

export const HEADCOUNT = {
  title: 'People let in',
  people: (n: number) => (n === 1 ? 'person let in' : 'people let in'),
  ticketsUsed: (used: number, sold: number) => `${formatCount(used)} of ${formatCount(sold)} tickets used`,
  left: 'Tickets left to come',
  lastTen: 'People in the last 10 minutes',
  tickets: 'Tickets used',
} as const

interface SavedGates {
  gates: readonly { name: string; kinds: readonly TicketKind[]; types?: readonly string[] | undefined }[]
  types?: readonly { id: string; name: { en: string } }[]
}

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
  dialogTypes: 'The same goes for the types of the event’s tickets.',
  dialogNote: 'Phones that are online get the changes at once. A device can be limited to some of the gates.',
  nameOf: (at: number) => `Gate ${at}`,
  kindOf: (kind: TicketKind, at: number) => `${KINDS[kind]}, gate ${at}`,
  typeOf: (type: string, at: number) => `Type ${type}, gate ${at}`,
  add: 'Add a gate',
  removeOf: (at: number) => `Remove gate ${at}`,
  loadFailed: (reason: string) => `Failed to load the gates: ${reason}`,
  failed: (reason: string) => `Failed to save the gates: ${reason}`,
  change: 'Change gate',
  changeDetail: 'Each gate accepts the kinds of tickets shown next to its name.',
  takes: ({ name, kinds }: { name: string; kinds: readonly TicketKind[] }) =>
    kinds.length === 0 ? name : `${name} (${kinds.map((kind) => KINDS[kind].toLowerCase()).join(', ')})`,
  subject: 'Gates',
  saved: ({ gates, types }: SavedGates) =>
    gates.length === 0
      ? 'No gates'
      : gates
          .map((gate) => {
            const named = types?.filter(({ id }) => gate.types?.includes(id)).map(({ name }) => name.en) ?? []
            const kinds = gate.kinds.map((kind) => KINDS[kind]).join(', ') || 'all kinds'
            return `${gate.name}: ${kinds}${named.length > 0 ? `, only ${named.join(', ')}` : ''}`
          })
          .join('; '),
} as const

export const dayText = (day: string, locale = 'en-GB'): string =>
  dateFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

const numbersText = ({ from, to }: { from: number; to: number }): string =>
  from === to ? `${from}` : `${from} to ${to}`

export const BLOCK = {
  singleType: 'Each code lets one person in, so choose a ticket type for one person',
  label: 'Enter a name of at most 80 characters, such as the reseller who gets the tickets',
  sizeInPhone: 'Choose 1 to 100 codes. A phone holds at most 200 unsold ones',
  scanIds: 'There must be a scan for each ticket, or none',
  atDoor: 'Sold at the door',
  atCounter: 'Sold at the counter',
  inOfflinePhone: (phone: string) => `Taken by phone ${phone}, which is offline: ask there`,
  noSeatReason: 'Sold at the door when no seat was left',
  noSeat: (seats: number, quantity: number, seller: string) =>
    `${seats} of ${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}, sold by ${seller} with codes that had been returned`,
  phoneEnded: (quantity: number, seller: string) =>
    `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}, sold by ${seller} before the phone ended or lost the right to sell`,
  afterClosing: (quantity: number, method: string) =>
    `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}, ${method}, reported after the event was closed`,
  typeNotOnSale: (quantity: number, { types, seller }: { types: string; seller: string }) =>
    `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'} (${types}), sold by ${seller} on a phone while the type was not on sale, or several types at the price of one`,
  noShift: (name: string) => `named ${name} as the seller, who had no shift on this phone`,
  notSold: (numbers: string) =>
    `No tickets were made for ${numbers}. Sell at the desk if the buyer has paid, or give the money back`,
  leaseEnded: 'Lease ended',
  replaced: 'Another phone took its place',
  size: 'Enter how many tickets to print, 1 to 500',
  range: 'Enter the first and the last number, both within the block',
  numbers: numbersText,
  /** As printed on a paper ticket, so it is not translated. */
  printed: (number: number) => `No. ${number}`,
  atGate: 'At the gate: hold the code flat, unfolded, to the checker’s phone.',
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
  online: 'Let in by hand as if offline, while the device was online',
}

export const TAKEN_OVER = {
  newCode: (ticketId: string) =>
    `Ticket ${shortenTicketId(ticketId)} has a new code, made by an account that never opened the seller’s link. If its buyer comes with the old code, hand the order over to them`,
  oldCode: (ticketId: string) =>
    `Somebody came with the old code of ticket ${shortenTicketId(ticketId)}, to which an account has given a new one. Find out who bought it`,
} as const

export function NOTED_BY_HAND(noted: { ticketId: string; phone: string; at: Date; timezone: string }): string {
  const when = dateFormat('en-IN', {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    timeZone: noted.timezone,
  }).format(noted.at)
  return `Ticket ${shortenTicketId(noted.ticketId)} let in by hand on ${noted.phone} (${tidyTime(when)}). The phone had ended, so the ticket is unchanged: find out whether its holder is inside`
}

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
  /** Null: with the event. */
  until: Date | null
}

const gatesText = (gates: readonly string[]) => (gates.length === 0 ? 'Any gate' : gates.join(', '))
const WITH_EVENT = 'with the event'
const endText = ({ until }: Terms) => until?.toISOString() ?? WITH_EVENT
const rightsText = (rights: readonly Right[]) => rights.map((right) => RIGHT_LABELS[right]).join(', ')

export const DEVICE = {
  name: 'Give the device a name of at most 40 characters',
  untilPast: 'Choose a time in the future.',
  untilFar: 'Choose a time within ten years.',
  unusableKey: 'This is not a public key of P-256.',
  subject: (name: string) => `Device ${name}`,
  terms: ({ gates, rights, until }: Terms) =>
    `${gatesText(gates)}; ${rightsText(rights)}; ${until === null ? WITH_EVENT : `until ${until.toISOString()}`}`,
  renamed: (from: string, to: string) => `Name ${from} -> ${to}`,
  changed: (before: Terms, after: Terms): string =>
    [
      gatesText(before.gates) !== gatesText(after.gates) && `${gatesText(before.gates)} -> ${gatesText(after.gates)}`,
      rightsText(before.rights) !== rightsText(after.rights) &&
        `${rightsText(before.rights)} -> ${rightsText(after.rights)}`,
      endText(before) !== endText(after) && `Until ${endText(before)} -> ${endText(after)}`,
    ]
      .filter(Boolean)
      .join('; '),
  hadNoRight: 'This phone had no right to let this person in at that time. Ask the organiser, then send it again.',
  renewed: 'New pairing code',
  revokedWithAll: 'With all others',
  holdEnded: 'The phone that sold it was revoked',
  looked: (n: number) => (n === 1 ? '1 sale without cash looked at' : `${n} sales without cash looked at`),
  paired: ({ label, again }: { label: string | null; again: boolean }) =>
    [again && 'Again; the previous phone is disconnected', label].filter(Boolean).join('; '),
  moved: (from: string | null, to: string) => (from === null ? to : `${from} -> ${to}`),
  shift: (from: string | null, to: string) => (from === null ? to : `${from} -> ${to}`),
} as const

export const CONFLICT_FIRST_SIDE = {
  used: 'Set as used by an administrator',
  cancelled: 'Ticket cancelled',
  deleted: 'Ticket deleted',
  replaced: 'Code replaced',
  missing: 'Ticket not in the list',
} as const
export const UNKNOWN_HOLDER = 'Unknown'

const SCANNER_SETTINGS =
  'If it was a ticket, set the scanner to a US keyboard, with Enter after each code and no AIM id before it, and scan again.'

export const SCANNER_KEYS = {
  settings: SCANNER_SETTINGS,
  nameIsCode: 'This is a ticket’s code, not a name',
  /** Shown after a code other than a ticket's was taken out of the field again. */
  taken: (text: string) => `A scanner typed “${text}”, which is no ticket’s code. It was not kept. ${SCANNER_SETTINGS}`,
} as const

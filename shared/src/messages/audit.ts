import type { EventFormFacts, EventFormField } from '../contracts/event.ts'
import type { PromoKind, Role, TicketStatus } from '../contracts/names.ts'
import { ROLE_LABELS, shortenTicketId } from './common.ts'
import { EVENT_FIELDS } from './eventForm.ts'
import { momentText } from './formats.ts'
import { formatCount } from './language.ts'

export const TICKET_STATUS_LABELS: Readonly<Record<TicketStatus, string>> = {
  active: 'Active',
  used: 'Used',
  cancelled: 'Cancelled',
}

/** The length at which texts are cut: the row says what changed, and the event form shows the full text. */
const TEXT_MAX = 60

const change = (what: string, from: string, to: string) => `${what} ${from} -> ${to}`

const status = (from: TicketStatus, to: TicketStatus) =>
  change('Status', TICKET_STATUS_LABELS[from], TICKET_STATUS_LABELS[to])

type Field = Exclude<EventFormField, 'eventImage'>

/** The form's label without its unit: "Ticket price (₹)" becomes "Ticket price". */
const formatFieldLabel = (field: Field) => EVENT_FIELDS[field].replace(/ \([^)]*\)$/, '')

function quoted(value: string | number | boolean | readonly string[] | null | undefined): string {
  if (typeof value === 'boolean' || value === undefined) return value ? 'yes' : 'no'
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'object' ? (value ?? []).join(', ') : value
  if (text === '') return 'none'
  if (/^[\d:-]+$/.test(text)) return text
  // By characters, because an emoji must not be cut in half.
  const letters = [...text]
  return `"${letters.length > TEXT_MAX ? `${letters.slice(0, TEXT_MAX).join('')}…` : text}"`
}

const isMoment = (field: Field) => ['salesFrom', 'salesUntil', 'reentryUntil'].includes(field)

/** Long texts may differ only after the cut. */
const fieldChange = (field: Field, from: string, to: string) =>
  from === to ? `${formatFieldLabel(field)} edited` : change(formatFieldLabel(field), from, to)

function imageChange({ eventImage: from }: EventFormFacts, { eventImage: to }: EventFormFacts): string[] {
  if (from === to) return []
  return [`${EVENT_FIELDS.eventImage} ${from === null ? 'added' : to === null ? 'removed' : 'replaced'}`]
}

interface AuditedType {
  id: string
  name: { en: string }
  phases: readonly { pricePaise: number; groupPaise: number }[]
}
const typePrices = ({ phases }: AuditedType): string =>
  phases.map(({ pricePaise, groupPaise }) => `${pricePaise / 100}/${groupPaise / 100}`).join(', ')

export const PROMO_AUDIT = {
  made: ({ kind, value, tickets }: { kind: PromoKind; value: number | null; tickets: number | null }) =>
    [
      { percent: `${value}% off`, amount: `₹${value} off`, access: 'shows hidden types' }[kind],
      tickets === null ? 'without limit' : `for ${formatCount(tickets)} tickets`,
    ].join(', '),
  paused: (paused: boolean) => (paused ? 'Paused' : 'Counts again'),
} as const

export const AUDIT = {
  event(before: EventFormFacts, after: EventFormFacts, timeZone: string): string {
    const fields = (Object.keys(before) as EventFormField[]).filter((field) => field !== 'eventImage')
    const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    const shown = (form: EventFormFacts, field: Field) => {
      const value = form[field]
      const moment = isMoment(field) && typeof value === 'string'
      return moment ? momentText(value, { language: 'en', timeZone }) : quoted(value)
    }
    const lines = changed.map((field) => fieldChange(field, shown(before, field), shown(after, field)))
    return [...lines, ...imageChange(before, after)].join('; ')
  },
  /** Named by their English names, with the prices of their phases. */
  types(before: readonly AuditedType[], after: readonly AuditedType[]): string {
    const known = new Map(before.map((type) => [type.id, type]))
    const lines = after.flatMap((type) => {
      const was = known.get(type.id)
      known.delete(type.id)
      if (!was) return [`Ticket type ${type.name.en} added: ${typePrices(type)}`]
      if (JSON.stringify(was) === JSON.stringify(type)) return []
      const prices = [typePrices(was), typePrices(type)] as const
      return [
        prices[0] === prices[1]
          ? `Ticket type ${type.name.en} edited`
          : change(`Ticket type ${type.name.en}`, ...prices),
      ]
    })
    return [...lines, ...Array.from(known.values(), ({ name }) => `Ticket type ${name.en} deleted`)].join('; ')
  },
  announced: (changes: string) => `${changes || 'Nothing changed'}; ticket holders get an email`,
  eventCreated: ({ date, startTime, endTime, endsNextDay, totalTickets, ticketPrice, groupPrice4 }: EventFormFacts) =>
    `${date}, ${startTime} to ${endTime}${endsNextDay ? ' the next day' : ''}; ${EVENT_FIELDS.totalTickets} ${totalTickets}; ${formatFieldLabel('ticketPrice')} ${ticketPrice}; ${formatFieldLabel('groupPrice4')} ${groupPrice4}`,
  eventClosed: (sold: number, total: number) => `${formatCount(sold)} of ${formatCount(total)} tickets sold`,
  role: (from: Role, to: Role) => change('Role', ROLE_LABELS[from], ROLE_LABELS[to]),
  roleByList: (from: Role) => `${change('Role', ROLE_LABELS[from], ROLE_LABELS.admin)}, by ADMIN_EMAILS`,
  joined: (role: Role) => `Signed up as ${ROLE_LABELS[role]}`,
  renamed: ({ from, to, tickets }: { from: string; to: string; tickets: number }) =>
    `${change('Name', from, to)}; active tickets: ${tickets}`,
  erased: 'Erased person',
  erasedText: 'Erased',
  daily: 'The daily job',
  madeAnonymous: ({ tickets, accounts }: { tickets: number; accounts: number }) =>
    `Tickets kept as numbers: ${tickets}; accounts removed: ${accounts}`,
  order: (code: string) => `Order ${code}`,
  corrected: ({ code, was, codes, reason }: { code: string; was: string; codes: number; reason: string }) =>
    `Order ${code}; was ${was}; new codes: ${codes}; ${reason}`,
  accountDeleted: 'Account deleted',
  userErased: (tickets: number) => `Tickets kept as numbers: ${tickets}`,
  userDeleted: (role: Role, tickets: number) => `Role ${ROLE_LABELS[role]}; tickets kept: ${tickets}`,
  status,
  /** A ticket that an admin moves out of cancelled loses its refund state, so the row keeps it. */
  statusByAdmin: ({ from, to, refund }: { from: TicketStatus; to: TicketStatus; refund: string }) =>
    from === 'cancelled' ? `${status(from, to)}; Refund was ${refund}` : status(from, to),
  cancelled: (reason: string) => `${status('active', 'cancelled')}; Reason: ${reason}`,
  named: (from: string, to: string) => change('Name on ticket', from, to),
  movedInGroup: (from: string, to: string) =>
    `with ${shortenTicketId(to)} of the same group, because ${shortenTicketId(from)} was used`,
  newCode: (from: string, to: string) => change('Code', shortenTicketId(from), shortenTicketId(to)),
  restore: 'Restored backup',
  link: (tickets: number) => (tickets === 1 ? 'Link to 1 ticket' : `Link to ${formatCount(tickets)} tickets`),
  claimed: (tickets: number) =>
    `${tickets === 1 ? '1 ticket' : `${formatCount(tickets)} tickets`}, offered by the seller`,
  ticketDeleted: (from: TicketStatus) => `Status was ${TICKET_STATUS_LABELS[from]}`,
  cameBack: 'came back',
  conflictUndone: 'Admitted twice: one of the two admissions was undone',
  unsentUndone: 'Admitted offline and undone before the server received it',
  releasedUndone: 'Undone; the ticket had been changed since and stays unchanged',
  refund: (from: string, to: string, reason?: string) =>
    reason === undefined ? change('Refund', from, to) : `${change('Refund', from, to)}; ${reason}`,
  /** A subject: the person, the ticket, or a code that names no ticket. */
  user: ({ name, email }: { name: string; email: string }) => `${name} (${email})`,
  unreadable: 'A code that names no ticket',
  ticket: (id: string, holder: string | null) =>
    holder === null ? `Ticket ${shortenTicketId(id)}` : `Ticket ${shortenTicketId(id)}, ${holder}`,
} as const

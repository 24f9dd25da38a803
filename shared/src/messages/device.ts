import type { Right, ScanFlag } from '../contracts/names.ts'
import { last8 } from './common.ts'
import { dateFormat } from './formats.ts'
import { formatCount } from './language.ts'
import { tidyTime } from './timeText.ts'

export const RIGHT_LABELS: Readonly<Record<Right, string>> = {
  scan: 'Scan codes',
  find: 'Find by name',
  undo: 'Undo',
  sell: 'Sell',
  complimentary: 'Give tickets away',
  supervise: 'Supervise',
}

export const FLAG_LABELS: Readonly<Record<ScanFlag, string>> = {
  revoked: 'Sent after the device was revoked',
  lapsed: "Sent after the device's time was over",
  noRight: 'Sent without the right to do so',
  afterEnd: 'Scanned after the device had ended, before it was told',
}

/** A matter for the desk: what a phone did by hand after its end. */
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

/** A phone whose scanner is not the server's version. */
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

/** The lines of a device in the audit trail, and what is wrong with a request about one. */
export const DEVICE = {
  untilPast: 'Choose a time in the future.',
  untilFar: 'Choose a time within ten years.',
  unusableKey: 'This is not a public key of P-256.',
  subject: (name: string) => `Device ${name}`,
  terms: ({ gates, rights, until }: Terms) =>
    `${gatesText(gates)}; ${rightsText(rights)}; until ${until.toISOString()}`,
  renamed: (from: string, to: string) => `Name ${from} -> ${to}`,
  /** What differs in the terms; empty when nothing does. */
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
  renewed: 'New pairing code',
  revoked: 'Revoked',
  revokedWithAll: 'Revoked with all others',
  paired: ({ label, again }: { label: string | null; again: boolean }) =>
    [again ? 'Paired again; the phone before it is out' : 'Paired', label].filter(Boolean).join('; '),
  moved: (from: string | null, to: string) => (from === null ? to : `${from} -> ${to}`),
  shift: (from: string | null, to: string) => (from === null ? to : `${from} -> ${to}`),
} as const

import type { JournalRow, OutboxRow } from '../../platform/store/scannerSchema.ts'

/** The event a scan was made at; `endsAt` is in ms. */
export interface EventTimes {
  id: string
  endsAt: number
}

const DAY_MS = 86_400_000
/** For a scan by a phone that knew no event, which the server alone decided. */
const WITHOUT_EVENT_MS = 3 * DAY_MS

/** Scans are kept for a day after their event; ms. */
export const keptUntil = (event: EventTimes | null, scannedAt: number): number =>
  event === null ? scannedAt + WITHOUT_EVENT_MS : event.endsAt + DAY_MS

interface At {
  event: EventTimes | null
  epoch: number
}

/** An admission in the outbox as the journal keeps it: without the name, and for longer. */
export function journalRowOf(row: OutboxRow, { event, epoch }: At): JournalRow {
  const { seq: _seq, name: _name, attempts: _attempts, undo, again: _again, parked: _parked, ...sent } = row
  return {
    ...sent,
    ending: undo ? 'undone' : 'admitted',
    eventId: event?.id ?? null,
    until: keptUntil(event, Date.parse(row.scannedAt)),
    epoch,
  }
}

import type { JournalRow, LocalAdmission, OutboxRow } from '../../platform/store/scannerSchema.ts'
import { clockNow, eveningNow } from '../core/moment.ts'
import { keptUntil, type Scan, type ScanAttempt, type ShownScan, toLocalAdmission } from '../core/scan.ts'
import { refusalWords, statusOfRefusal } from '../core/words.ts'
import {
  reportStorageFailure,
  type StorageTrouble,
  setStorageTrouble,
  storageWords,
  toStorageFailure,
} from '../store/failure.ts'
import { type NewRecord, recordAdmission, recordRefusedScan } from '../store/record.ts'
import { addLocalAdmission, eventTimes } from '../store/rosterMemory.ts'
import { sendSoon } from '../sync/replayer.ts'
import { settleLateAdmission } from '../sync/settle.ts'
import { EXITS } from '../texts/movement.ts'
import { SCAN } from '../texts/scanner.ts'
import { addUnconfirmedScan, askServerAsLastResort, removeUnconfirmedScan } from './askServer.ts'
import { type Outcome, refusedByServer } from './decide.ts'

type Of<T extends Outcome['type']> = Extract<Outcome, { type: T }>

/**
 * Writes an outcome down and resolves to what may be shown. Never a false green: green only for a person the
 * server has let in, amber only once history, outbox and local status are on the disk. Never throws.
 */
export async function finishScan(outcome: Outcome, made: ScanAttempt): Promise<ShownScan> {
  switch (outcome.type) {
    case 'admitted':
      return finishAdmitted(outcome, made)
    case 'pending':
      return finishPending(outcome, made)
    default:
      return finishTurnedAway(outcome, made)
  }
}

/** The server has recorded it, so green needs nothing more. The device records it for its list and for offline use. */
function finishAdmitted(outcome: Of<'admitted'>, { scan, station }: ScanAttempt): ShownScan {
  const { ticket } = outcome
  removeUnconfirmedScan(ticket.id)
  const shown = buildShownScan(outcome, scan)
  const admission = {
    ticketId: ticket.id,
    scanId: scan.scanId,
    at: ticket.entryTime ?? new Date(scan.at).toISOString(),
    name: ticket.user.name,
    checkerName: station.checkerName,
    deviceName: station.deviceName,
    settledAt: Date.now(),
  }
  keepAnsweredAdmission(admission, shown, { scan, station })
  return shown
}

export function keepAnsweredAdmission(admission: LocalAdmission, shown: ShownScan, made: ScanAttempt): void {
  addLocalAdmission(admission)
  recordAdmission({ ...buildRecords(shown, made), admission, row: null }).then(
    () => setStorageTrouble(null),
    reportStorageFailure,
  )
}

/** Nobody is let in, so nobody waits for the disk. */
function finishTurnedAway(outcome: Of<'refused' | 'failed'>, { scan, station }: ScanAttempt): ShownScan {
  const shown = buildShownScan(outcome, scan)
  if (outcome.type === 'refused' && outcome.by === 'server' && outcome.ticketId !== null)
    removeUnconfirmedScan(outcome.ticketId)
  recordRefusedScan(buildRecords(shown, { scan, station })).catch(reportStorageFailure)
  return shown
}

/** Amber waits for the disk. If the write fails only the server's answer is left, and without that nobody goes in. */
async function finishPending(outcome: Of<'pending'>, made: ScanAttempt): Promise<ShownScan> {
  const { ticketId, name, unanswered } = outcome
  const shown = buildShownScan(outcome, made.scan)
  const row = buildOutboxRow(outcome, made, { mayBeThere: unanswered !== null || made.scan.again !== undefined })
  const admission = toLocalAdmission(row)
  try {
    const earlier = await recordAdmission({ ...buildRecords(shown, made), admission, row })
    setStorageTrouble(null)
    removeUnconfirmedScan(ticketId)
    if (earlier) {
      const entry = { at: earlier.at, by: earlier.checkerName, device: earlier.deviceName }
      return finishTurnedAway({ type: 'refused', code: 'ALREADY_USED', entry, by: 'device', ticketId, name }, made)
    }
  } catch (error) {
    const { trouble } = toStorageFailure(error)
    setStorageTrouble(trouble)
    return finishScan(await outcomeWithoutStorage(outcome, made, trouble), made)
  }
  addLocalAdmission(admission)
  // After a late refusal the row stays: the person is inside, and the server must learn of it.
  void unanswered?.then((answer) =>
    answer.type === 'admitted' ? settleLateAdmission(row, answer, made.station.epoch) : undefined,
  )
  sendSoon()
  return shown
}

async function outcomeWithoutStorage(
  { ticketId, name, unanswered }: Of<'pending'>,
  { scan, station }: ScanAttempt,
  trouble: StorageTrouble,
): Promise<Outcome> {
  const answer = await askServerAsLastResort(scan, station, unanswered)
  if (answer.type === 'admitted') return { type: 'admitted', ticket: answer.ticket }
  if (answer.type === 'refused') return refusedByServer(answer)
  if (answer.type === 'silent') addUnconfirmedScan(ticketId, scan)
  return { type: 'failed', words: storageWords(trouble), valid: true, by: 'device', ticketId, name }
}

/** `mayBeThere`: the server may have received the request although its answer did not arrive. */
export function buildOutboxRow(
  { ticketId, name }: { ticketId: string; name: string | null },
  made: ScanAttempt,
  { mayBeThere }: { mayBeThere: boolean },
): OutboxRow {
  const { subject } = made.scan
  return {
    ...buildScanFields(made),
    ticketId,
    qrCode: subject.type === 'hand' ? null : subject.text.trim(),
    name,
    attempts: mayBeThere ? 1 : 0,
    undo: false,
    parked: null,
  }
}

const buildScanFields = ({ scan, station }: ScanAttempt) => {
  const { epoch: _epoch, ...maker } = station
  const scannedAt = new Date(scan.at).toISOString()
  return { ...maker, scanId: scan.scanId, manual: scan.subject.type === 'hand', scannedAt }
}

export const buildRecords = (shown: ShownScan, made: ScanAttempt) => ({
  record: buildHistoryRecord(shown, made),
  journal: buildJournalRow(shown, made),
  evening: eveningNow(),
})

/** Keeps the code only of people who went in: others may have shown anything, even a name on a visiting card. */
function buildJournalRow({ ticketId, look, isExit }: ShownScan, { scan, station }: ScanAttempt): JournalRow {
  const { subject } = scan
  const event = eventTimes()
  const isIn = look !== 'refused'
  return {
    ...buildScanFields({ scan, station }),
    ticketId,
    ...(isExit && { movement: 'exit' }),
    qrCode: isIn && subject.type !== 'hand' ? subject.text.trim() : null,
    ending: isIn ? 'admitted' : 'refused',
    eventId: event?.id ?? null,
    until: keptUntil(event, scan.at),
    ...(isIn ? { epoch: station.epoch } : {}),
  }
}

function buildHistoryRecord(shown: ShownScan, { scan, station }: ScanAttempt): NewRecord {
  const { scanId, ticketId, name, status, ending, manual, title, detail } = shown
  return {
    qrCode: scan.subject.type === 'hand' ? '' : scan.subject.text,
    ticket: ticketId === null ? null : { id: ticketId, name },
    status,
    marked: ending === 'admitted',
    timestamp: new Date(scan.at).toISOString(),
    scannedBy: station.checkerName,
    scanId,
    manual,
    ending,
    title,
    detail,
  }
}

const pickHolder = ({ ticketId, name, gateType: type }: Exclude<Outcome, { type: 'admitted' }>) => ({
  ticketId,
  name,
  type,
})

/** An outcome in words and colour. Writes nothing, so on its own it is enough only when nothing was scanned or judged. */
export function buildShownScan(outcome: Outcome, scan: Scan): ShownScan {
  const manual = scan.subject.type === 'hand'
  const base = { scanId: scan.scanId, manual }
  switch (outcome.type) {
    case 'admitted': {
      const { id: ticketId, user, type } = outcome.ticket
      const words = outcome.again
        ? { title: EXITS.back, detail: user.name }
        : { title: SCAN.entryAllowed, detail: SCAN.welcome(user.name) }
      const whose = { ticketId, name: user.name, type }
      return { ...base, ...words, ...whose, look: 'allowed', by: 'server', status: 'valid', ending: 'admitted' }
    }
    case 'pending': {
      const words = { title: SCAN.pending, detail: SCAN.pendingDetail }
      const whose = pickHolder(outcome)
      return { ...base, ...words, ...whose, look: 'pending', by: 'device', status: 'valid', ending: 'pending' }
    }
    case 'refused': {
      const { code, entry, gates, said, isGroup = false, by } = outcome
      const refusal = { code, entry, gates, said, manual }
      const words = refusalWords(refusal, clockNow())
      const status = statusOfRefusal(code)
      const whose = pickHolder(outcome)
      return { ...base, ...words, ...whose, look: 'refused', by, status, ending: 'refused', refusal, isGroup }
    }
    case 'failed': {
      const { words, valid, by } = outcome
      const status = valid ? 'valid' : 'invalid'
      return { ...base, ...words, ...pickHolder(outcome), look: 'refused', by, status, ending: 'failed' }
    }
  }
}

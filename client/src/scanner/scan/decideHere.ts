import { judge } from '@garba/shared/rules/admission'
import { type QrFact, readQr } from '@garba/shared/rules/qr'
import type { OutboxRow } from '../../platform/store/gateSchema.ts'
import { admissionOf } from '../core/admissionOf.ts'
import { clockNow, eveningNow } from '../core/clock.ts'
import type { Scan, Shown, Station, Subject } from '../core/scan.ts'
import { noteTrouble, storageFailureOf, storageWords } from '../store/failure.ts'
import { recordAdmission } from '../store/record.ts'
import { type KnownTicket, knownTicket, noteAdmission, rosterKeys } from '../store/rosterMemory.ts'
import { sendSoon } from '../sync/replayer.ts'
import { settleLate } from '../sync/settle.ts'
import { type Asking, markWord } from './ask.ts'
import { admittedByServer, refuse } from './conclude.ts'
import { failedWord } from './serverWord.ts'
import { notSyncedWords, recordOf, showFailed, showPending, showRefused } from './show.ts'
import { within } from './within.ts'

/** Without storage the server is the only way left; somebody stands before the checker meanwhile (ms). */
const LAST_WAY_MS = 5_000

interface Deciding {
  scan: Scan
  station: Station
  /** The question to the server that came to nothing in time, if one was asked. */
  asking: Asking | null
}

/** The device decides: a valid signature and nothing known against the ticket lets the holder in, as pending. Never throws. */
export async function decideHere({ scan, station, asking }: Deciding): Promise<Shown> {
  const code = await factOf(scan.subject)
  const nothing = { scan, ticketId: null, name: null }
  if (code === null)
    return refuse(scan, station, showFailed({ ...nothing, words: notSyncedWords, by: 'device', valid: false }))
  const ticketId = code.kind === 'malformed' ? null : code.ticketId
  const known = ticketId === null ? null : knownNow(ticketId, asking)
  const verdict = judge({ code, ticket: known, authority: 'device', admittedOffline: false })
  const facts = { scan, ticketId, name: known?.name ?? null }
  if (!verdict.admit || ticketId === null) {
    const refusal = verdict.admit ? 'QR_MALFORMED' : verdict.code
    const entry = refusal === 'ALREADY_USED' ? (known?.entry ?? null) : null
    return refuse(scan, station, showRefused({ ...facts, code: refusal, entry, by: 'device', clock: clockNow() }))
  }
  return letIn({ scan, station, asking }, { ...facts, ticketId })
}

/** What the code proves by the keys on this device; null when it has none and so can tell nothing. */
async function factOf(subject: Subject): Promise<QrFact | null> {
  if (subject.by === 'hand') return { kind: 'manual', ticketId: subject.ticketId }
  const signed = rosterKeys()
  return signed === null ? null : readQr({ text: subject.text.trim(), ...signed })
}

/** A ticket that verify-qr called active a moment ago is fresher than the list. */
function knownNow(ticketId: string, asking: Asking | null): KnownTicket | null {
  const known = knownTicket(ticketId)
  const verified = asking?.verified() ?? null
  if (verified === null || verified.ticket.id !== ticketId) return known
  return {
    status: 'active',
    entryTime: null,
    name: verified.ticket.user.name,
    entry: { at: null, by: null, device: null },
  }
}

async function letIn(deciding: Deciding, facts: { scan: Scan; ticketId: string; name: string | null }): Promise<Shown> {
  const { scan, station, asking } = deciding
  const shown = showPending(facts)
  const row = rowOf(deciding, facts)
  const admission = admissionOf(row)
  try {
    const record = recordOf(shown, { scan, scannedBy: station.checkerName })
    const earlier = await recordAdmission({ record, evening: eveningNow(), admission, row })
    noteTrouble(null)
    if (earlier) {
      const entry = { at: earlier.at, by: earlier.checkerName, device: earlier.deviceName }
      return refuse(
        scan,
        station,
        showRefused({ ...facts, code: 'ALREADY_USED', entry, by: 'device', clock: clockNow() }),
      )
    }
  } catch (error) {
    return lastWay(deciding, { ...facts, trouble: storageFailureOf(error).trouble })
  }
  noteAdmission(admission)
  if (asking?.mayHaveMarked())
    void asking.final.then((word) => (word.is === 'admitted' ? settleLate(row, word) : undefined))
  sendSoon()
  return shown
}

/** The device cannot keep the scan, so it may not decide: only the server's word is left, and without it nobody goes in. */
async function lastWay(
  { scan, station, asking }: Deciding,
  facts: { ticketId: string; name: string | null; trouble: ReturnType<typeof storageFailureOf>['trouble'] },
): Promise<Shown> {
  noteTrouble(facts.trouble)
  const manual = scan.subject.by === 'hand'
  const asked = asking?.mayHaveMarked()
    ? asking.final
    : markWord(scan, station).catch((error: unknown) => failedWord(error, { manual }))
  const word = await within(asked, LAST_WAY_MS)
  if (word !== 'late' && word.is === 'admitted') return admittedByServer(scan, station, word.ticket)
  const { ticketId, name, trouble } = facts
  return refuse(
    scan,
    station,
    showFailed({ scan, ticketId, name, words: storageWords(trouble), by: 'device', valid: true }),
  )
}

function rowOf({ scan, station, asking }: Deciding, facts: { ticketId: string; name: string | null }): OutboxRow {
  const { subject } = scan
  return {
    scanId: scan.scanId,
    ticketId: facts.ticketId,
    qrCode: subject.by === 'code' ? subject.text.trim() : null,
    manual: subject.by === 'hand',
    scannedAt: new Date(scan.at).toISOString(),
    clockOffset: station.clockOffset,
    deviceId: station.deviceId,
    deviceName: station.deviceName,
    checkerUid: station.checkerUid,
    checkerId: station.checkerId,
    checkerName: station.checkerName,
    name: facts.name,
    // The question that came to nothing may have been heard all the same.
    attempts: asking?.mayHaveMarked() ? 1 : 0,
    undo: false,
    parked: null,
  }
}

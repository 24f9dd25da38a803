import type { Scan, Station, Subject } from '../core/scan.ts'
import { scannerCall } from '../sync/connection.ts'
import { failedWord, type ServerWord, verifiedWord } from './serverWord.ts'

/** A question to the server that goes on after the line has stopped waiting for it. */
export interface Asking {
  /** The last word; resolves within the transport's 15 s. */
  final: Promise<ServerWord>
  /** The server has, or may have, heard the request to admit. */
  mayHaveMarked(): boolean
  /** What verify-qr answered, once it has. */
  verified(): Extract<ServerWord, { is: 'active' }> | null
  /** The device decides now: what was not sent yet is not sent any more. */
  giveUp(): void
}

const deviceOf = ({ deviceId, deviceName }: Station) => ({ deviceId, ...(deviceName === '' ? {} : { deviceName }) })

/** SPEC 4: verify, then mark what is active. A ticket chosen by hand has no code to verify. */
export function askServer(scan: Scan, station: Station): Asking {
  const { subject } = scan
  const manual = subject.by === 'hand'
  let marked = false
  let left = false
  let verified: Extract<ServerWord, { is: 'active' }> | null = null

  const mark = (): Promise<ServerWord> => {
    marked = true
    return markWord(scan, station)
  }
  const ask = async (): Promise<ServerWord> => {
    if (subject.by === 'hand') return mark()
    const word = await verifyWord(subject, station)
    if (word.is !== 'active') return word
    verified = word
    return left ? { is: 'silent' } : mark()
  }
  return {
    final: ask().catch((error: unknown) => failedWord(error, { manual })),
    mayHaveMarked: () => marked,
    verified: () => verified,
    giveUp: () => {
      left = true
    },
  }
}

async function verifyWord({ text }: Extract<Subject, { by: 'code' }>, station: Station): Promise<ServerWord> {
  const { ticket } = await scannerCall('verifyQr', { body: { qrCode: text, ...deviceOf(station) } })
  return verifiedWord(ticket)
}

/** Asks the server to admit; the same scanId is one scan, however often it is asked. Rejects with ApiFailure. */
export async function markWord({ scanId, subject, at }: Scan, station: Station): Promise<ServerWord> {
  const { ticket, conflict } = await scannerCall('markUsed', {
    body: {
      ...(subject.by === 'code' ? { qrCode: subject.text } : { ticketId: subject.ticketId, manual: true }),
      scanId,
      scannedAt: new Date(at).toISOString(),
      clockOffset: station.clockOffset,
      ...deviceOf(station),
    },
  })
  return { is: 'admitted', ticket, conflict: conflict ?? null }
}

import { SERVER_PATIENCE_MS } from '@garba/shared/constants'
import { SCAN } from '@garba/shared/messages/codes'
import { decodeQr } from '@garba/shared/rules/qr'
import { clockNow } from '../core/clock.ts'
import type { Scan, Shown, Station, Subject } from '../core/scan.ts'
import { isUnsettled } from '../store/rosterMemory.ts'
import { asksServer, connectionNow, noteConnection } from '../sync/connection.ts'
import { type Asking, askServer } from './ask.ts'
import { admittedByServer, refuse } from './conclude.ts'
import { decideHere } from './decideHere.ts'
import type { ServerWord } from './serverWord.ts'
import { emptyWords, showFailed, showServerRefusal } from './show.ts'
import { within } from './within.ts'

/**
 * The way of a scan (HOUSE): the server decides if it answers in time, verify and mark together; else the device, by
 * signature, list and own admissions. An own admission that the server has not answered for is the device's to tell: a
 * server that has not heard of it would let a second person in. Resolves to what may be shown: green only once the server has admitted, amber only
 * once the scan is on the disk (DECISIONS 3). Never throws.
 */
export async function decide(scan: Scan, station: Station): Promise<Shown> {
  const { subject } = scan
  if (subject.by === 'code' && subject.text.trim() === '')
    return refuse(scan, station, showFailed({ ...nothingOf(scan), words: emptyWords, by: 'device', valid: false }))
  const asking = asksServer(connectionNow()) && !isOwnUnsettled(subject) ? askServer(scan, station) : null
  const word = asking === null ? SILENT : await heardInTime(asking)
  switch (word.is) {
    case 'admitted':
      return admittedByServer(scan, station, word.ticket)
    case 'refused':
      return refuse(scan, station, showServerRefusal(scan, word, clockNow()))
    case 'failed':
      return refuse(scan, station, failedAtServer(scan, word.message, asking))
    default:
      return decideHere({ scan, station, asking })
  }
}

function isOwnUnsettled(subject: Subject): boolean {
  const ticketId = subject.by === 'hand' ? subject.ticketId : decodeQr(subject.text.trim())?.ticketId
  return ticketId !== undefined && isUnsettled(ticketId)
}

const SILENT: ServerWord = { is: 'silent' }
const nothingOf = (scan: Scan) => ({ scan, ticketId: null, name: null })

/** What the server says while a line can wait; after that it is left to finish, and nothing more is begun. */
async function heardInTime(asking: Asking): Promise<ServerWord> {
  const word = await within(asking.final, SERVER_PATIENCE_MS)
  if (word !== 'late') return word
  asking.giveUp()
  noteConnection({ type: 'late' })
  return SILENT
}

function failedAtServer(scan: Scan, message: string, asking: Asking | null): Shown {
  const verified = asking?.verified() ?? null
  if (verified === null && scan.subject.by === 'code')
    return showFailed({ ...nothingOf(scan), words: SCAN.failed(message), by: 'server', valid: false })
  const facts = { scan, ticketId: verified?.ticket.id ?? null, name: verified?.ticket.user.name ?? null }
  return showFailed({ ...facts, words: SCAN.notMarked, by: 'server', valid: true })
}

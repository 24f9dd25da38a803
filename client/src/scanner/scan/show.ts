import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { ScannedTicket } from '@garba/shared/contracts/scan'
import { messageFor, SCAN, type ScanText } from '@garba/shared/messages/codes'
import { TRANSPORT } from '@garba/shared/messages/common'
import { GATE } from '@garba/shared/messages/scanner'
import type { Scan, Shown } from '../core/scan.ts'
import { type Clock, type Entry, entryOfTicket, refusalWords, statusOfRefusal } from '../core/words.ts'
import type { NewRecord } from '../store/record.ts'
import type { ServerWord } from './serverWord.ts'

interface Facts {
  scan: Scan
  ticketId: string | null
  name: string | null
}

const base = ({ scan, ticketId, name }: Facts) => ({
  scanId: scan.scanId,
  ticketId,
  name,
  manual: scan.subject.by === 'hand',
})

export const showAdmitted = (scan: Scan, ticket: ScannedTicket): Shown => ({
  ...base({ scan, ticketId: ticket.id, name: ticket.user.name }),
  look: 'allowed',
  title: SCAN.entryAllowed,
  detail: SCAN.welcome(ticket.user.name),
  by: 'server',
  status: 'valid',
  ending: 'admitted',
})

export const showPending = (facts: Facts): Shown => ({
  ...base(facts),
  look: 'pending',
  title: SCAN.pending,
  detail: SCAN.pendingDetail,
  by: 'device',
  status: 'valid',
  ending: 'pending',
})

interface Refused extends Facts {
  code: RefusalCode
  entry: Entry | null
  by: Shown['by']
  clock: Clock
}

export const showRefused = ({ code, entry, by, clock, ...facts }: Refused): Shown => ({
  ...base(facts),
  ...refusalWords({ code, entry, manual: facts.scan.subject.by === 'hand' }, clock),
  look: 'refused',
  by,
  status: statusOfRefusal(code),
  ending: 'refused',
})

export function showServerRefusal(scan: Scan, word: Extract<ServerWord, { is: 'refused' }>, clock: Clock): Shown {
  const { code, ticket } = word
  const entry = ticket === null ? null : entryOfTicket(ticket)
  const facts = { scan, ticketId: ticket?.id ?? null, name: ticket?.user.name ?? null }
  return showRefused({ ...facts, code, entry, by: 'server', clock })
}

interface Failed extends Facts {
  words: ScanText
  by: Shown['by']
  /** A ticket that is good, only not marked: SPEC 4's "valid but not marked". */
  valid: boolean
}

export const showFailed = ({ words, by, valid, ...facts }: Failed): Shown => ({
  ...base(facts),
  ...words,
  look: 'refused',
  by,
  status: valid ? 'valid' : 'invalid',
  ending: 'failed',
})

export const emptyWords = SCAN.empty
export const notSignedInWords: ScanText = SCAN.failed(messageFor('UNAUTHENTICATED'))
export const unexpectedWords: ScanText = SCAN.failed(TRANSPORT.unexpected)
export const notSyncedWords: ScanText = SCAN.failed(GATE.notSynced)

/** The history's record of what was shown (SPEC 3). */
export function recordOf(shown: Shown, { scan, scannedBy }: { scan: Scan; scannedBy: string }): NewRecord {
  const { scanId, ticketId, name, status, ending, manual, title, detail } = shown
  return {
    qrCode: scan.subject.by === 'code' ? scan.subject.text : '',
    ticket: ticketId === null ? null : { id: ticketId, name },
    status,
    marked: ending === 'admitted',
    timestamp: new Date(scan.at).toISOString(),
    scannedBy,
    scanId,
    manual,
    ending,
    title,
    detail,
  }
}

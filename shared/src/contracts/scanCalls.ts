import { ADMIN, type Call, READERS } from './call.ts'
import * as desk from './desk.ts'
import { eventQuerySchema } from './event.ts'
import { RIGHTS } from './names.ts'
import { type CallName, PATHS } from './paths.ts'
import * as scan from './scan.ts'

const CHECKERS = ['qrchecker', 'admin'] as const

/** Scanning and the evening view. */
export const SCAN_CALLS = {
  verifyQr: {
    ...PATHS.verifyQr,
    access: CHECKERS,
    rights: ['scan'],
    summary: 'The ticket of a QR code',
    body: scan.verifyBodySchema,
    answer: scan.verifyAnswerSchema,
  },
  markUsed: {
    ...PATHS.markUsed,
    access: CHECKERS,
    rights: ['scan', 'find'],
    summary: 'Admit the holder of a ticket',
    body: scan.scanBodySchema,
    answer: scan.markAnswerSchema,
  },
  markUsedBatch: {
    ...PATHS.markUsedBatch,
    access: CHECKERS,
    rights: RIGHTS,
    endedToo: true,
    summary: 'Replay queued scans',
    body: scan.batchBodySchema,
    answer: scan.batchAnswerSchema,
  },
  swapEntry: {
    ...PATHS.swapEntry,
    access: ADMIN,
    rights: ['supervise'],
    summary: 'Let the holder of a used ticket in, and keep the first admission as disputed',
    body: scan.scanBodySchema,
    answer: scan.markAnswerSchema,
  },
  undoMark: {
    ...PATHS.undoMark,
    access: CHECKERS,
    rights: ['undo'],
    summary: 'Take back an own admission within 60 s',
    body: scan.undoBodySchema,
    answer: scan.undoAnswerSchema,
  },
  roster: {
    ...PATHS.roster,
    access: CHECKERS,
    rights: RIGHTS,
    summary: 'Tickets changed since a revision',
    query: scan.rosterQuerySchema,
    answer: scan.rosterAnswerSchema,
  },
  scannerLive: {
    ...PATHS.scannerLive,
    access: CHECKERS,
    rights: RIGHTS,
    summary: 'Roster deltas as server-sent events',
    query: scan.rosterQuerySchema,
  },
  gate: {
    ...PATHS.gate,
    access: READERS,
    rights: ['supervise'],
    summary: 'The gate tonight',
    query: eventQuerySchema,
    answer: desk.eveningAnswerSchema,
  },
  gateLive: {
    ...PATHS.gateLive,
    access: READERS,
    rights: ['supervise'],
    summary: 'The gate as server-sent events (event `gate`)',
  },
  acknowledgeConflict: {
    ...PATHS.acknowledgeConflict,
    access: ADMIN,
    rights: ['supervise'],
    summary: 'Mark a double admission as seen',
    answer: desk.acknowledgeAnswerSchema,
  },
} as const satisfies Partial<Record<CallName, Call>>

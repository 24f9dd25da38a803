import * as desk from '../desk.ts'
import { PATHS } from '../paths.ts'
import * as scan from '../scan.ts'
import { ADMIN, type Calls, CHECKERS, READERS } from './call.ts'

/** Scanning, and the view over the gate. */
export const GATE_CALLS = {
  verifyQr: {
    ...PATHS.verifyQr,
    access: CHECKERS,
    summary: 'The ticket of a QR code',
    body: scan.verifyBodySchema,
    answer: scan.verifyAnswerSchema,
  },
  markUsed: {
    ...PATHS.markUsed,
    access: CHECKERS,
    summary: 'Admit the holder of a ticket',
    body: scan.scanBodySchema,
    answer: scan.markAnswerSchema,
  },
  markUsedBatch: {
    ...PATHS.markUsedBatch,
    access: CHECKERS,
    summary: 'Replay queued scans',
    body: scan.batchBodySchema,
    answer: scan.batchAnswerSchema,
  },
  undoMark: {
    ...PATHS.undoMark,
    access: CHECKERS,
    summary: 'Take back an own admission within 60 s',
    body: scan.undoBodySchema,
    answer: scan.undoAnswerSchema,
  },
  roster: {
    ...PATHS.roster,
    access: CHECKERS,
    summary: 'Tickets changed since a revision',
    query: scan.rosterQuerySchema,
    answer: scan.rosterAnswerSchema,
  },
  scannerLive: {
    ...PATHS.scannerLive,
    access: CHECKERS,
    summary: 'Roster deltas as server-sent events',
    query: scan.rosterQuerySchema,
  },
  gate: { ...PATHS.gate, access: READERS, summary: 'The gate tonight', answer: desk.eveningAnswerSchema },
  gateLive: { ...PATHS.gateLive, access: READERS, summary: 'The gate as server-sent events (event `gate`)' },
  acknowledgeConflict: {
    ...PATHS.acknowledgeConflict,
    access: ADMIN,
    summary: 'Mark a double admission as seen',
    answer: desk.acknowledgeAnswerSchema,
  },
} as const satisfies Calls

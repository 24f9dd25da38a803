import { CALLS } from '@garba/shared/calls/calls'
import type { AuditRow } from '@garba/shared/contracts/desk'
import type { RegisterRow } from '@garba/shared/contracts/register'
import { GATE } from '@garba/shared/messages/gate'
import { auditTrail, wholeAuditTrail } from '../../flows/audited.ts'
import { salesFigures, ticketStats } from '../../flows/event/salesFigures.ts'
import { acknowledgeConflict } from '../../flows/gate/conflicts.ts'
import { readEvening } from '../../flows/gate/evening.ts'
import { readRegister } from '../../flows/gate/inside/register.ts'
import { demoMails } from '../../flows/money/upkeep/jobs.ts'
import { sendMailsAgain } from '../../flows/money/upkeep/refusedMails.ts'
import { backUpNow } from '../../flows/recovery/keepBackups.ts'
import { systemChecks, systemHealth } from '../../flows/watch/health.ts'
import { type Columns, csvAnswer } from '../csv.ts'
import type { Routes } from '../mount.ts'
import { liveView } from '../sse.ts'

const COLUMNS: Columns<AuditRow> = [
  ['Number', (row) => row.id],
  ['Time', (row) => row.at, 'time'],
  ['Action', (row) => row.action],
  ['By', (row) => row.actorName],
  ['Subject', (row) => row.subjectName],
  ['Subject id', (row) => row.subject],
  ['Detail', (row) => row.detail],
]

const REGISTER: Columns<RegisterRow> = [
  ['Minute', (row) => row.minute, 'time'],
  ['Gate', (row) => row.gate ?? GATE.noGate],
  ['In', (row) => row.in],
  ['Came back', (row) => row.returned],
  ['Out', (row) => row.out],
  ['Counted', (row) => row.counted],
  ['Inside by this gate', (row) => row.inside],
  ['Inside in all', (row) => row.insideInAll],
  ['Refused', (row) => row.refused],
  ['Double admissions', (row) => row.doubles],
  ['Alarm signs', (row) => row.alarms],
]

/** The view is sent at most once per second, not once per person in a rush at the gate. */
const PACE_MS = 1_000

export const watchRoutes = {
  ticketStats: ({ deps, query }) => ticketStats(deps, query),
  analytics: async ({ deps, query }) => ({ data: await salesFigures(deps, query) }),
  audit: ({ deps, query }) => auditTrail(deps, query),
  exportAudit: async ({ deps, query, c }) =>
    csvAnswer(c, deps, { name: 'audit.csv', columns: COLUMNS, rows: await wholeAuditTrail(deps, query) }),
  gate: async ({ deps, query }) => ({ data: await readEvening(deps, query) }),
  register: async ({ deps, query }) => ({ data: await readRegister(deps, query) }),
  exportRegister: async ({ deps, query, c }) =>
    csvAnswer(c, deps, { name: 'register.csv', columns: REGISTER, rows: (await readRegister(deps, query)).rows }),
  gateLive: async ({ deps, user, c }) =>
    liveView(c, {
      deps,
      user,
      entry: CALLS.gateLive,
      changes: ['evening', 'roster'],
      findMessage: async () => ({ event: 'gate', data: await readEvening(deps) }),
      heartbeat: () => ({ event: 'heartbeat', data: { serverTime: deps.now().toISOString() } }),
      paceMs: PACE_MS,
    }),
  acknowledgeConflict: async ({ deps, user, params }) => ({
    conflict: await acknowledgeConflict(deps, { admin: user, ...params }),
  }),
  demoMails: async ({ deps }) => ({ mails: await demoMails(deps) }),
  sendMailsAgain: ({ deps }) => sendMailsAgain(deps),
  systemChecks: async ({ deps }) => ({ checks: await systemChecks(deps) }),
  backUpNow: ({ deps }) => backUpNow(deps),
  health: async ({ deps }) => ({ data: await systemHealth(deps) }),
} satisfies Routes

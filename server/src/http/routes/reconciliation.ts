import { listSettlements } from '../../flows/money/settlements.ts'
import { confirmStatement, importStatement, readStatement, statementLines } from '../../flows/money/statements.ts'
import type { Routes } from '../mount.ts'

export const reconciliationRoutes = {
  readStatement: ({ body }) => readStatement(body.csv),
  importStatement: ({ deps, user, body }) => importStatement(deps, { ...body, admin: user }),
  statementLines: async ({ deps }) => ({ lines: await statementLines(deps) }),
  confirmStatement: ({ deps, user, body }) => confirmStatement(deps, { admin: user, ids: body.lines }),
  settlements: ({ deps }) => listSettlements(deps),
} satisfies Routes

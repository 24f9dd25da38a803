import { importStatement, readStatement } from '../../flows/reconciliation/importStatement.ts'
import { listSettlements } from '../../flows/reconciliation/payouts.ts'
import { confirmStatement, setLineAside, statementLines } from '../../flows/reconciliation/statements.ts'
import type { Routes } from '../mount.ts'

export const reconciliationRoutes = {
  readStatement: ({ deps, body }) => readStatement(deps, body.csv),
  importStatement: ({ deps, user, body }) => importStatement(deps, { ...body, admin: user }),
  statementLines: async ({ deps, query }) => ({ lines: await statementLines(deps, query) }),
  confirmStatement: ({ deps, user, body }) => confirmStatement(deps, { admin: user, ids: body.lines }),
  setLineAside: async ({ deps, user, body, params }) => ({
    lines: await setLineAside(deps, { admin: user, ...params, aside: body.aside }),
  }),
  settlements: ({ deps, query }) => listSettlements(deps, query),
} satisfies Routes

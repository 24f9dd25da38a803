import type { AuditRow } from '@garba/shared/contracts/desk'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Who changed what when. Names are copies: a row outlives its actor and its subject. */
export const audit = sqliteTable(
  'audit',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    action: text().$type<AuditRow['action']>().notNull(),
    actorId: text(),
    actorName: text().notNull(),
    subject: text(),
    /** null in rows of the first release. */
    subjectName: text(),
    detail: text().notNull(),
    searchText: text().notNull(),
  },
  (t) => [index('audit_by_action').on(t.action, t.id)],
)
export type AuditRowStored = typeof audit.$inferSelect

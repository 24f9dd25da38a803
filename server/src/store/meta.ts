import { eq, sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { prepareQuery } from './engine/preparedQueries.ts'
import type { ReadTx, WriteTx } from './engine/sql.ts'

export const meta = sqliteTable('meta', { key: text().primaryKey(), value: text().notNull() })

/** The time of the last backup that was made and verified (ISO 8601). */
export const LAST_BACKUP = 'lastBackup'
/** The epoch (a number) for which the providers' payments between backup and restore were looked up. */
export const CAUGHT_UP = 'caughtUp'
/** The time a backup was last test-restored (ISO 8601). */
export const LAST_DRILL = 'lastDrill'
/** The time the database was moved to where it is (ISO 8601). Earlier backups are of the one it was moved from. */
export const MOVED_AT = 'movedAt'
/** The reason why the server's latest backup failed, as JSON; empty once one succeeded. */
export const BACKUP_FAILED = 'backupFailed'
export const MAILS_REFUSED = 'mailsRefused'

export const IDENTITY_KEYS = 'identityKeys'

export const PUSH_KEYS = 'pushKeys'

export const REHEARSAL = 'rehearsal'

export const EPOCH = 'epoch'
export const EPOCH_REVISION = 'epochRevision'
/** Each server that opens the database sets a new value. */
export const OPENED_AS = 'openedAs'

/** `revision` rises in every transaction that changes a ticket. */
export const counters = sqliteTable('counters', { name: text().primaryKey(), value: integer().notNull() })

const REVISION = 'revision'

const revision = prepareQuery((db) =>
  db.select({ value: counters.value }).from(counters).where(eq(counters.name, REVISION)).prepare(),
)
const raised = prepareQuery((db) =>
  db
    .insert(counters)
    .values({ name: REVISION, value: 1 })
    .onConflictDoUpdate({ target: counters.name, set: { value: sql`${counters.value} + excluded."value"` } })
    .returning({ value: counters.value })
    .prepare(),
)

export const currentRevision = async (tx: ReadTx): Promise<number> => (await revision(tx).get())?.value ?? 0

/** The revision that `nextRevision` returned in the same transaction, as part of a statement. */
export const raisedRevision = sql`(select ${counters.value} from ${counters} where ${counters.name} = ${sql.raw(`'${REVISION}'`)})`

/** Raises the roster revision; called inside each transaction that changes a ticket. */
export const nextRevision = async (tx: WriteTx): Promise<number> => (await raised(tx).get()).value

export const moveRevision = async (tx: WriteTx, value: number): Promise<void> => {
  await tx.sql
    .insert(counters)
    .values({ name: REVISION, value })
    .onConflictDoUpdate({ target: counters.name, set: { value } })
    .run()
}

export const writeMeta = async (tx: WriteTx, key: string, value: string): Promise<void> => {
  await tx.sql.insert(meta).values({ key, value }).onConflictDoUpdate({ target: meta.key, set: { value } }).run()
}

export const readMeta = async (tx: ReadTx, key: string): Promise<string | null> =>
  (await tx.sql.select({ value: meta.value }).from(meta).where(eq(meta.key, key)).get())?.value ?? null

import { eq, sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { prepared } from './engine/preparedQueries.ts'
import type { ReadTx, WriteTx } from './engine/sql.ts'

/** Facts about the database itself, by the keys below and others. */
export const meta = sqliteTable('meta', { key: text().primaryKey(), value: text().notNull() })

/** The time of the last backup that was made and verified (ISO 8601). */
export const LAST_BACKUP = 'lastBackup'
/** The epoch (a number) for which the providers' payments between backup and restore were looked up. */
export const CAUGHT_UP = 'caughtUp'
/** The time a backup was last test-restored (ISO 8601). */
export const LAST_DRILL = 'lastDrill'
/** The reason why the server's latest backup failed, as JSON; empty once one succeeded. */
export const BACKUP_FAILED = 'backupFailed'

/** The identity provider's public keys as last fetched. */
export const IDENTITY_KEYS = 'identityKeys'

/** Present in the data of a rehearsal. */
export const REHEARSAL = 'rehearsal'

/** The epoch of the data: 0 until the first restore. */
export const EPOCH = 'epoch'
/** The roster revision at which the epoch began. */
export const EPOCH_REVISION = 'epochRevision'
/**
 * Lets a server prove that it has taken over (base64url). It is part of every copy of the data, and each epoch has its
 * own.
 */
export const EPOCH_SECRET = 'epochSecret'
/** The secrets of earlier epochs, latest last, separated by spaces. */
export const EARLIER_SECRETS = 'earlierEpochSecrets'

/** The epoch of a server that proved it took over from this database's servers, and the address it was found at. */
export const TAKEN_OVER_BY = 'takenOverBy'
/** Earlier versions kept the token of any later epoch here, unproved and possibly forged. */
export const UNPROVED_LATER = 'replacedBy'
/** The address at which a server of this database has reached itself. */
export const CONFIRMED_AT = 'confirmedAt'
/** Each server that opens the database sets a new value. */
export const OPENED_AS = 'openedAs'

/** `revision` rises in every transaction that changes a ticket. */
export const counters = sqliteTable('counters', { name: text().primaryKey(), value: integer().notNull() })

const REVISION = 'revision'

const revision = prepared((db) =>
  db.select({ value: counters.value }).from(counters).where(eq(counters.name, REVISION)).prepare(),
)
const raised = prepared((db) =>
  db
    .insert(counters)
    .values({ name: REVISION, value: 1 })
    .onConflictDoUpdate({ target: counters.name, set: { value: sql`${counters.value} + excluded."value"` } })
    .returning({ value: counters.value })
    .prepare(),
)

/** The roster revision of the last committed change; 0 before the first. */
export const currentRevision = async (tx: ReadTx): Promise<number> => (await revision(tx).get())?.value ?? 0

/** The revision that `nextRevision` returned in the same transaction, as part of a statement. */
export const raisedRevision = sql`(select ${counters.value} from ${counters} where ${counters.name} = ${sql.raw(`'${REVISION}'`)})`

/** Raises the roster revision; called inside each transaction that changes a ticket. */
export const nextRevision = async (tx: WriteTx): Promise<number> => (await raised(tx).get()).value

/** Moves the roster revision forward to a higher one. */
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

export const dropMeta = async (tx: WriteTx, key: string): Promise<void> => {
  await tx.sql.delete(meta).where(eq(meta.key, key)).run()
}

export const readMeta = async (tx: ReadTx, key: string): Promise<string | null> =>
  (await tx.sql.select({ value: meta.value }).from(meta).where(eq(meta.key, key)).get())?.value ?? null

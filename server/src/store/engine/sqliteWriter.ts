import type Database from 'better-sqlite3'
import type { Changes } from './changes.ts'
import { atomicOn, savepoint } from './sqliteTransaction.ts'
import type { Connection } from './transaction.ts'
import type { GroupTransaction, Writer } from './writeQueue.ts'

export interface SqliteWriterOptions {
  /** Called before each commit; a benchmark uses it to wait as long as a slower disk would. */
  beforeCommit?: (() => void) | undefined
}

/** Group transactions on the one writing connection of a SQLite database. */
export function sqliteWriter(
  sqlite: Database.Database,
  { connection, changes, onCommit }: { connection: Connection; changes: Changes; onCommit: () => void },
  { beforeCommit = () => undefined }: SqliteWriterOptions = {},
): Writer {
  const statement = (source: string) => {
    const compiled = sqlite.prepare(source)
    return () => void compiled.run()
  }
  // Takes the write lock up front, so that no write fails half-way without it.
  const begin = statement('begin immediate')
  const commit = statement('commit')
  const rollback = statement('rollback')
  const group: GroupTransaction = {
    member: atomicOn(sqlite, connection, savepoint(sqlite)),
    stands: () => sqlite.inTransaction,
    commit: (announced) => {
      beforeCommit()
      commit()
      onCommit()
      changes.publish(...announced)
    },
    rollback: () => {
      if (sqlite.inTransaction) rollback()
    },
  }
  return {
    begin: () => {
      begin()
      return group
    },
    // busy_timeout has already waited for the lock.
    isWorthAnother: () => false,
  }
}

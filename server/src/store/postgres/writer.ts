import type pg from 'pg'
import type { Change } from '../engine/changes.ts'
import { type RunAtomically, Transaction } from '../engine/transaction.ts'
import type { GroupTransaction, Writer } from '../engine/writeQueue.ts'
import { connectionOf, rolledBack, untilEnd } from './connection.ts'
import { asError, isAfterFailure, isAway, isGivenUp } from './failures.ts'

/** Only the server that holds this lock writes to the database. */
const WRITER_LOCK = 20_250_922
/** PostgreSQL ends a server that hangs while holding the lock; a caller that waits longer must try again later. */
const LOCK_MS = 8_000

interface Writing {
  /** The SQL sent to every server with the commit. */
  notice: (changes: ReadonlySet<Change>) => string
  /** Called after the commit. */
  published: (changes: ReadonlySet<Change>) => void
}

/** Group transactions on connections of a pool. */
export function postgresWriter(pool: pg.Pool, { notice, published }: Writing): Writer {
  return {
    begin: async (): Promise<GroupTransaction> => {
      const client = await pool.connect()
      let open = true
      let lost: Error | undefined
      const release = (broken: Error | undefined) => {
        if (open) client.release(broken)
        open = false
      }
      const noted = async <T>(running: Promise<T>): Promise<T> => {
        try {
          return await running
        } catch (error) {
          if (isAway(error)) lost = asError(error)
          throw error
        }
      }
      try {
        await client.query(`begin; set local lock_timeout = ${LOCK_MS}; select pg_advisory_xact_lock(${WRITER_LOCK})`)
      } catch (error) {
        release(asError(error))
        throw error
      }
      const member = memberOn(client)
      return {
        member: (work) => noted(member(work)),
        stands: () => open,
        commit: async (changes) => {
          const source = changes.size > 0 ? `${notice(changes)}; commit` : 'commit'
          const results: unknown = await noted(client.query(source))
          // PostgreSQL answers a commit with a rollback, and no error, when the transaction has failed inside.
          if (lastCommand(results) !== 'COMMIT') throw new Error('PostgreSQL rolled the transaction back')
          release(undefined)
          published(changes)
        },
        rollback: async () => {
          if (open) release(lost ?? (await rolledBack(client)))
        },
      }
    },
    isWorthAnother: isGivenUp,
  }
}

/** Runs each write in its own savepoint. */
function memberOn(client: pg.PoolClient): RunAtomically {
  const connection = connectionOf(client)
  return async (work) => {
    const transaction = new Transaction(connection)
    connection.send('savepoint one')
    try {
      const value = await untilEnd(transaction, work)
      connection.send('release savepoint one')
      await connection.settled()
      return { type: 'done', value, hooks: transaction.hooks, announced: transaction.announced }
    } catch (thrown) {
      const error = await connection.settled().then(
        () => thrown,
        (first) => (isAfterFailure(thrown) ? first : thrown),
      )
      if (isAway(error) || isGivenUp(error)) throw error
      await client.query('rollback to savepoint one; release savepoint one')
      return { type: 'failed', error }
    }
  }
}

function lastCommand(results: unknown): unknown {
  const last: unknown = Array.isArray(results) ? results.at(-1) : results
  return typeof last === 'object' && last !== null && 'command' in last ? last.command : undefined
}

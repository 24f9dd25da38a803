import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { CallCounter } from '../engine/store.ts'
import { sendOnly } from './connection.ts'
import { asError } from './failures.ts'
import { CALL_COUNTS } from './migrations.ts'

/** Counts calls across all servers of a database. */
export const countsIn =
  (pool: pg.Pool): CallCounter =>
  (options) =>
    new RateLimiterPostgres({
      ...options,
      storeClient: { query: (query: pg.QueryConfig) => counted(pool, query) },
      storeType: 'pool',
      tableName: CALL_COUNTS,
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(options),
    })

/** Waits neither for the disk nor for a synchronous standby, whose absence would otherwise stop every call. */
async function counted(pool: pg.Pool, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    sendOnly(client, 'begin; set local synchronous_commit = off')
    const result = await client.query(query)
    sendOnly(client, 'commit')
    return result
  } catch (error) {
    broken = asError(error)
    throw error
  } finally {
    client.release(broken)
  }
}

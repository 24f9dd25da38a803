import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { CallCounter } from '../engine/store.ts'
import { asError, inBatches, nameStatement, sendOnly } from './connection.ts'
import { CALL_COUNTS } from './migrations.ts'

const COUNTERS = 2
const COUNTS_MAX = 32

export function makeCallCounter(pool: pg.Pool): CallCounter {
  const count = inBatches<PendingCount>({ lanes: COUNTERS, max: COUNTS_MAX }, (batch) => countAll(pool, batch))
  const query = (config: pg.QueryConfig) =>
    new Promise<Pick<pg.QueryResult, 'rows'>>((resolve, reject) => count({ query: config, resolve, reject }))
  return (options) =>
    new RateLimiterPostgres({
      ...options,
      storeClient: { query },
      storeType: 'pool',
      tableName: CALL_COUNTS,
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(options),
    })
}

interface PendingCount {
  query: pg.QueryConfig
  resolve: (result: Pick<pg.QueryResult, 'rows'>) => void
  reject: (error: unknown) => void
}

/**
 * Waits neither for the disk nor for a synchronous standby, whose absence would otherwise stop every call. Never
 * rejects.
 */
async function countAll(pool: pg.Pool, batch: readonly PendingCount[]): Promise<void> {
  let broken: Error | undefined
  try {
    const client = await pool.connect()
    sendOnly(client, 'set synchronous_commit = off')
    const answered = batch.map(({ query, resolve, reject }) =>
      client.query({ ...query, name: nameStatement(query.text) }).then(resolve, (error: unknown) => {
        broken = asError(error)
        reject(error)
      }),
    )
    sendOnly(client, 'reset synchronous_commit')
    await Promise.all(answered)
    client.release(broken)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

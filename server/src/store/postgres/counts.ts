import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { CallCounter } from '../engine/store.ts'
import { nameStatement } from './batches.ts'
import { asError, BEGIN, inBatches, sendOnly } from './connection.ts'
import { CALL_COUNTS } from './migrations.ts'

const COUNTERS = 2
const COUNTS_MAX = 32

export function makeCallCounter(pool: pg.Pool): CallCounter {
  const count = inBatches<PendingCount>({ lanes: COUNTERS, max: COUNTS_MAX }, (batch) => counted(pool, batch))
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
 * Counts calls in one transaction that is sent in one go, so that no count stays locked during a round trip. It waits
 * neither for the disk nor for a synchronous standby, whose absence would otherwise stop every call. Never rejects.
 */
async function counted(pool: pg.Pool, batch: readonly PendingCount[]): Promise<void> {
  let broken: Error | undefined
  try {
    const client = await pool.connect()
    const send = (config: pg.QueryConfig) => {
      sendOnly(client, BEGIN)
      sendOnly(client, 'set local synchronous_commit = off')
      const answer = client.query({ ...config, name: nameStatement(config.text) })
      sendOnly(client, 'commit')
      return answer
    }
    const failed = (error: unknown, those: readonly PendingCount[]) => {
      broken = asError(error)
      for (const { reject } of those) reject(error)
    }
    const raises = batch.filter(({ query }) => isRaise(query))
    const others = batch.filter(({ query }) => !isRaise(query))
    await Promise.all([
      raises.length > 0 &&
        send(raiseAll(raises)).then(
          ({ rows }) => tellAll(raises, rows),
          (error: unknown) => failed(error, raises),
        ),
      ...others.map((one) => send(one.query).then(one.resolve, (error: unknown) => failed(error, [one]))),
    ])
    client.release(broken)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

type Raise = [key: string, points: number, expire: number | null, now: number]
const getRaise = ({ query }: PendingCount): Raise => query.values as Raise

const isRaise = ({ name }: pg.QueryConfig): boolean => name === `${CALL_COUNTS}:rlflx-upsert`

/**
 * One statement that counts all these calls as the limiter's own statement counts one. Keys are locked in one order, so
 * that two servers cannot wait for each other.
 */
function raiseAll(raises: readonly PendingCount[]): pg.QueryConfig {
  const sums = new Map<string, { points: number; expire: number | null }>()
  for (const [key, points, expire] of raises.map(getRaise)) {
    const sum = sums.get(key)
    sums.set(key, { points: points + (sum?.points ?? 0), expire: sum?.expire ?? expire })
  }
  const keys = [...sums.keys()].sort()
  const now = Math.max(...raises.map((one) => getRaise(one)[3]))
  return {
    text: `insert into ${CALL_COUNTS} as c (key, points, expire)
      select * from unnest($1::text[], $2::integer[], $3::bigint[])
      on conflict (key) do update set
        points = case when c.expire <= $4 then excluded.points else c.points + excluded.points end,
        expire = case when c.expire <= $4 then excluded.expire else c.expire end
      returning key, points, expire`,
    values: [keys, keys.map((key) => sums.get(key)?.points), keys.map((key) => sums.get(key)?.expire), now],
  }
}

interface Count {
  key: string
  points: number
  expire: number | null
}

function tellAll(raises: readonly PendingCount[], rows: readonly Count[]): void {
  const counts = new Map(rows.map((row) => [row.key, { ...row }]))
  for (const one of raises.toReversed()) {
    const [key, points] = getRaise(one)
    const count = counts.get(key)
    one.resolve({ rows: count ? [{ points: count.points, expire: count.expire }] : [] })
    if (count) count.points -= points
  }
}

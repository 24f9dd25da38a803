import { StoreUnusable } from '../engine/unusable.ts'
import { connected, optionsOf } from './connection.ts'

const WAIT_SECONDS = 60

/** Promotes a standby and waits until it takes writes. Resolves with false where it is none. Throws StoreUnusable. */
export async function promote(url: string): Promise<boolean> {
  try {
    return await connected({ ...optionsOf(url), query_timeout: (WAIT_SECONDS + 5) * 1_000 }, async (client) => {
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      if (!rows[0]?.standby) return false
      const done = await client.query<{ promoted: boolean }>(`select pg_promote(true, ${WAIT_SECONDS}) as promoted`)
      if (!done.rows[0]?.promoted) throw new RangeError(`it was not promoted within ${WAIT_SECONDS} s`)
      return true
    })
  } catch (error) {
    throw StoreUnusable.fromPostgres(error, url)
  }
}

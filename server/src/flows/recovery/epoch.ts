import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { READ_ONLY } from '@garba/shared/messages/codes'
import { Refusal } from '../../refusal.ts'
import { type RestoreRequest, requireUnused, restoreDatabase } from '../../store/engine/backup.ts'
import { openForReading, openStore } from '../../store/engine/open.ts'
import { closing, type Store } from '../../store/engine/store.ts'
import { StoreUnusable } from '../../store/engine/unusable.ts'
import { type EpochProgress, raiseEpoch, readEpoch, readReached } from '../../store/epoch.ts'
import { OPENED_AS, writeMeta } from '../../store/meta.ts'
import type { Deps } from '../deps.ts'

const ID_BYTES = 16
const RETRY_SECONDS = 5

/** The epoch of this server's data, and its consequences: see shared/docs/decisions/recovery.md. */
export interface Epoch {
  /** 0 until the data is restored for the first time; later epochs are higher. */
  readonly number: number
  readonly revision: number
  /** Reports who answers at this server's address. While it is another server, this one is read-only. */
  reportAnswerer: (who: 'itself' | 'another') => void
  /** Lets writes wait until the server has asked at its address for the first time. */
  holdWrites: (until: Promise<unknown>) => void
  /** Why this server is read-only, as a sentence; null while it may write. */
  readOnly: () => string | null
  /** Calls back once it may write, at once if it already may. */
  onceWriting: (work: () => void) => void
  /** Wraps the store: writes are refused with READ_ONLY while the server is read-only. */
  guard: (store: Store) => Store
}

/** Reads the epoch from the database, and marks it as opened by this server, which distinguishes it from copies. */
export async function ensureEpoch({ store, log }: { store: Store; log: Deps['log'] }): Promise<Epoch> {
  await store.write((tx) => writeMeta(tx, OPENED_AS, randomBytes(ID_BYTES).toString('base64url')))
  const epoch = await store.read(readEpoch)
  let isReplaced = false
  let held: Promise<unknown> | undefined
  let waiting: (() => void)[] = []
  const beginWriting = () => {
    if (isReplaced || held) return
    const works = waiting
    waiting = []
    for (const work of works) work()
  }
  const readOnly = () => (isReplaced ? READ_ONLY.replaced : null)
  return {
    ...epoch,
    readOnly,
    reportAnswerer: (who) => {
      if (isReplaced === (who === 'another')) return
      isReplaced = who === 'another'
      if (isReplaced) log.error({ why: READ_ONLY.replaced, cure: READ_ONLY.replacedCure }, 'read-only')
      else log.info({}, 'writing')
      beginWriting()
    },
    holdWrites: (until) => {
      held = until.finally(() => {
        held = undefined
        beginWriting()
      })
    },
    onceWriting: (work) => {
      waiting.push(work)
      beginWriting()
    },
    guard: (guarded) => ({
      ...guarded,
      write: async (work, touching) => {
        if (held) await held
        const why = readOnly()
        if (why) throw new Refusal('READ_ONLY', { message: why, retryAfterSeconds: RETRY_SECONDS })
        return guarded.write(work, touching)
      },
    }),
  }
}

/**
 * Puts a backup in place of the database and begins a new epoch, by which devices and servers distinguish it from the
 * data they know. It is later than the replaced database's, whose clock may have been ahead. Throws BackupRefused.
 */
export const restoreBackup = (given: Omit<RestoreRequest, 'prepare'>): ReturnType<typeof restoreDatabase> =>
  restoreDatabase({
    ...given,
    prepare: async (copy) => beginEpoch(copy, given.now, await reachedIn(given.database)),
  })

async function reachedIn(database: string): Promise<EpochProgress | undefined> {
  if (!existsSync(database)) return undefined
  try {
    await using store = closing(openForReading(database))
    return await store.read(readReached)
  } catch {
    return undefined
  }
}

/**
 * Puts a server's own database back into use with a new epoch, after another server has taken over. No server may be
 * running on it. Throws BackupRefused.
 */
export async function takeOverHere(database: string, now: Date): Promise<void> {
  requireUnused(database)
  await beginEpoch(database, now)
}

async function beginEpoch(database: string, now: Date, after?: EpochProgress): Promise<void> {
  await using store = closing(openStore(database))
  await store.write((tx) => raiseEpoch(tx, now, after))
}

/**
 * Puts a PostgreSQL database into use: a standby is promoted, and a new epoch begins. No server may be running on it.
 * Throws StoreUnusable.
 */
export async function takeOverPostgres(url: string, now: Date): Promise<{ promoted: boolean }> {
  // Most servers never need PostgreSQL's driver.
  const { openPostgres, promoteStandby } = await import('../../store/postgres/open.ts')
  const promoted = await promoteStandby(url)
  await using store = closing(await openPostgres(url))
  await store
    .write((tx) => raiseEpoch(tx, now))
    .catch((error: unknown) => Promise.reject(StoreUnusable.fromPostgres(error, url)))
  return { promoted }
}

import { defineStore, type IDBPObjectStore, type IDBPTransaction } from '../../platform/store/db.ts'
import { SCANNER_DATABASE } from '../../platform/store/scannerData.ts'
import type { ScannerSchema } from '../../platform/store/scannerSchema.ts'
import { isClosed, StorageFailure, storageFailureOf } from './failure.ts'
import { upgrade, VERSION } from './upgrade.ts'

export type StoreName = keyof ScannerSchema
export type Tx<N extends StoreName> = IDBPTransaction<ScannerSchema, N[], 'readwrite'>
/** One store inside a transaction over any set of stores. */
export type StoreIn<N extends StoreName> = IDBPObjectStore<ScannerSchema, ArrayLike<StoreName>, N, 'readwrite'>

const database = defineStore<ScannerSchema>({ name: SCANNER_DATABASE, version: VERSION, upgrade })

/** After this a write is given up: a queue of people must not wait for a disk (ms). */
const WRITE_PATIENCE_MS = 4_000
/** A commit that has begun cannot be undone, and opening can hang forever; after this nobody waits for either (ms). */
const LAST_PATIENCE_MS = 8_000

/** One transaction over the named stores, on the disk when this resolves. Throws StorageFailure; then nothing was written. */
export async function writeStrict<N extends StoreName, R>(
  stores: readonly N[],
  act: (tx: Tx<N>) => Promise<R>,
): Promise<R> {
  try {
    return await timed(stores, act)
  } catch (error) {
    if (!isClosed(error)) throw storageFailureOf(error)
    await database.close()
    return timed(stores, act).catch((again: unknown) => {
      throw storageFailureOf(again)
    })
  }
}

/** Like writeStrict, for data that can be fetched again (rosters, settings): done when the browser has it. */
export async function write<N extends StoreName, R>(stores: readonly N[], act: (tx: Tx<N>) => Promise<R>): Promise<R> {
  try {
    return await patiently(database.write(stores, act))
  } catch (error) {
    throw storageFailureOf(error)
  }
}

/** Reads through the open connection. Throws StorageFailure. */
export async function read<R>(act: (db: Awaited<ReturnType<typeof database.open>>) => Promise<R>): Promise<R> {
  try {
    return await patiently(database.open().then(act))
  } catch (error) {
    throw storageFailureOf(error)
  }
}

/** A shorter limit for storage that has timed out, until it answers again (ms). */
const SPENT_PATIENCE_MS = 500
let patience = LAST_PATIENCE_MS

function patiently<R>(asked: Promise<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    const leave = setTimeout(() => {
      patience = SPENT_PATIENCE_MS
      reject(new StorageFailure('slow'))
    }, patience)
    asked.then(resolve, reject).finally(() => {
      patience = LAST_PATIENCE_MS
      clearTimeout(leave)
    })
  })
}

function timed<N extends StoreName, R>(stores: readonly N[], act: (tx: Tx<N>) => Promise<R>): Promise<R> {
  let live: { abort(): void } | null = null
  let over = false
  const run = database.write(
    stores,
    (tx) => {
      if (over) throw new StorageFailure('slow')
      live = tx
      return act(tx)
    },
    { strict: true },
  )
  return new Promise<R>((resolve, reject) => {
    const giveUp = setTimeout(() => {
      over = true
      // Never opened: it can no longer begin. Begun: aborted, unless it is already committing.
      if (live === null) reject(new StorageFailure('blocked'))
      else abortOf(live)
    }, WRITE_PATIENCE_MS)
    const leave = setTimeout(() => reject(new StorageFailure('slow')), LAST_PATIENCE_MS)
    run
      .then(resolve, (error: unknown) => reject(over ? new StorageFailure('slow', { cause: error }) : error))
      .finally(() => {
        clearTimeout(giveUp)
        clearTimeout(leave)
      })
  })
}

function abortOf(tx: { abort(): void }) {
  try {
    tx.abort()
  } catch (error) {
    console.info('The write is already being committed', error)
  }
}

import { defineStore, type IDBPObjectStore, type IDBPTransaction } from '../../platform/store/db.ts'
import { SCANNER_DATABASE } from '../../platform/store/scannerData.ts'
import type { ScannerSchema } from '../../platform/store/scannerSchema.ts'
import { isConnectionClosed, StorageFailure, toStorageFailure } from './failure.ts'
import { type News, publishNews } from './news.ts'

type Upgrade = Parameters<typeof defineStore<ScannerSchema>>[0]['upgrade']

const createStores: Upgrade = (db) => {
  db.createObjectStore('qr_scan_history', { keyPath: 'id' }).createIndex('scanId', 'scanId')
  const outbox = db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true })
  outbox.createIndex('scanId', 'scanId', { unique: true })
  // Only parked rows have this time, so counting them is cheap however long the outbox is.
  outbox.createIndex('parkedAt', 'parked.at')
  outbox.createIndex('again', 'again')
  const journal = db.createObjectStore('journal', { keyPath: 'scanId' })
  journal.createIndex('due', ['epoch', 'scannedAt'])
  journal.createIndex('until', 'until')
  const sales = db.createObjectStore('sales', { keyPath: 'key' })
  sales.createIndex('inTurn', ['state', 'soldAt'])
  sales.createIndex('parkedAt', 'parked.at')
  for (const name of ['roster', 'conflicts', 'blocks'] as const) db.createObjectStore(name, { keyPath: 'id' })
  for (const name of ['meta', 'pairing'] as const) db.createObjectStore(name, { keyPath: 'key' })
  db.createObjectStore('tally', { keyPath: 'evening' })
  db.createObjectStore('admitted', { keyPath: 'ticketId' })
}

export type StoreName = keyof ScannerSchema
export type Tx<N extends StoreName> = IDBPTransaction<ScannerSchema, N[], 'readwrite'>
export type StoreIn<N extends StoreName> = IDBPObjectStore<ScannerSchema, ArrayLike<StoreName>, N, 'readwrite'>
export interface TxOver<N extends StoreName> {
  objectStore<M extends N>(name: M): StoreIn<M>
}

const database = defineStore<ScannerSchema>({ name: SCANNER_DATABASE, version: 6, upgrade: createStores })

/** What a write to these stores may have changed on the screen. */
const NEWS: Partial<Record<StoreName, News>> = {
  qr_scan_history: 'history',
  tally: 'history',
  outbox: 'outbox',
  conflicts: 'conflicts',
  blocks: 'sales',
  sales: 'sales',
}

function publishWrite(stores: readonly StoreName[]): void {
  const news = new Set(stores.flatMap((name) => NEWS[name] ?? []))
  if (news.size > 0) publishNews(...news)
}

/** After this a write is given up: a queue of people must not wait for a disk (ms). */
const WRITE_PATIENCE_MS = 4_000
/** A commit that has begun cannot be undone, and opening can hang forever; after this neither is waited for (ms). */
const LAST_PATIENCE_MS = 8_000

/** One transaction over the named stores, on the disk when this resolves. Throws StorageFailure; then nothing was written. */
export async function writeStrict<N extends StoreName, R>(
  stores: readonly N[],
  act: (tx: Tx<N>) => Promise<R>,
): Promise<R> {
  try {
    const result = await timed(stores, act).catch(async (error: unknown) => {
      if (!isConnectionClosed(error)) throw error
      await database.close()
      return timed(stores, act)
    })
    publishWrite(stores)
    return result
  } catch (error) {
    throw toStorageFailure(error)
  }
}

/** Like writeStrict, for data that can be fetched again (rosters, settings): done when the browser has it. */
export async function writeRelaxed<N extends StoreName, R>(
  stores: readonly N[],
  act: (tx: Tx<N>) => Promise<R>,
): Promise<R> {
  try {
    const result = await withTimeout(database.write(stores, act))
    publishWrite(stores)
    return result
  } catch (error) {
    throw toStorageFailure(error)
  }
}

/** Reads through the open connection. Throws StorageFailure. */
export async function readStore<R>(act: (db: Awaited<ReturnType<typeof database.open>>) => Promise<R>): Promise<R> {
  try {
    return await withTimeout(database.open().then(act))
  } catch (error) {
    throw toStorageFailure(error)
  }
}

/** A shorter limit for storage that has timed out, until it answers again (ms). */
const SPENT_PATIENCE_MS = 500
let patience = LAST_PATIENCE_MS

function withTimeout<R>(operation: Promise<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    const leave = setTimeout(() => {
      patience = SPENT_PATIENCE_MS
      reject(new StorageFailure('slow'))
    }, patience)
    operation.then(resolve, reject).finally(() => {
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
      // A transaction that has not opened can no longer begin; an open transaction is aborted, unless it is committing.
      if (live === null) reject(new StorageFailure('blocked'))
      else abortTransaction(live)
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

function abortTransaction(tx: { abort(): void }) {
  try {
    tx.abort()
  } catch (error) {
    console.info('The write is already being committed', error)
  }
}

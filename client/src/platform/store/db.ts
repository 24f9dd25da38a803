import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb'

interface Definition<S extends DBSchema> {
  name: string
  version: number
  upgrade(db: IDBPDatabase<S>): void
}

export interface Store<S extends DBSchema> {
  readonly name: string
  /** The open connection; opened at first use and again after the browser closed it. */
  open(): Promise<IDBPDatabase<S>>
  /**
   * One readwrite transaction over the named stores, done when this resolves. `strict` waits until it is on the disk
   * (never a false green). Await nothing inside but the transaction's own requests.
   */
  write<N extends StoreNames<S>, R>(
    stores: readonly N[],
    act: (tx: IDBPTransaction<S, N[], 'readwrite'>) => Promise<R>,
    options?: { strict?: boolean },
  ): Promise<R>
  close(): Promise<void>
  destroy(): Promise<void>
}

/** A database by name and version, opened when first needed. Errors are IndexedDB's own (QuotaExceededError, ...). */
export function defineStore<S extends DBSchema>({ name, version, upgrade }: Definition<S>): Store<S> {
  let opened: Promise<IDBPDatabase<S>> | null = null
  const forget = () => {
    opened = null
  }
  const open = () => {
    opened ??= openDB<S>(name, version, {
      upgrade: (db) => upgrade(db),
      // A newer version in another tab is waiting: an open connection would block it forever.
      blocking: (_from, _to, event) => {
        ;(event.target as IDBDatabase).close()
        forget()
      },
      terminated: forget,
    }).catch((error: unknown) => {
      forget()
      throw error
    })
    return opened
  }
  return {
    name,
    open,
    async write(stores, act, { strict = false } = {}) {
      const db = await open()
      const tx = db.transaction([...stores], 'readwrite', { durability: strict ? 'strict' : 'default' })
      try {
        const result = await act(tx)
        await tx.done
        return result
      } catch (error) {
        // The transaction may have ended by itself; the first error is reported.
        await Promise.allSettled([abort(tx), tx.done])
        throw error
      }
    },
    async close() {
      const db = await opened
      db?.close()
      forget()
    },
    async destroy() {
      const db = await opened
      db?.close()
      forget()
      await deleteDB(name)
    },
  }
}

async function abort(tx: { abort(): void }) {
  tx.abort()
}

export type { DBSchema, IDBPObjectStore, IDBPTransaction } from 'idb'

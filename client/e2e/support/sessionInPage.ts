import type { User } from '@garba/shared/contracts/people/user'

/** What a sign-in leaves in a browser. */
export interface Kept {
  readonly flags: Readonly<Record<string, string>>
  readonly databases: readonly KeptDatabase[]
}
interface KeptDatabase {
  readonly name: string
  readonly version: number
  readonly store: string
  readonly keyPath: string | null
  readonly rows: readonly { key: string; value: unknown }[]
}

/** Runs in the page of a session and must be whole in itself, as Playwright sends its text: what the session has kept. */
export async function readKept(): Promise<Kept> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const databases: KeptDatabase[] = []
  for (const [name, store] of [
    ['firebaseLocalStorageDb', 'firebaseLocalStorage'],
    ['garba-session', 'session'],
  ] as const) {
    const db = await done(indexedDB.open(name))
    const rows: { key: string; value: unknown }[] = []
    if (db.objectStoreNames.contains(store)) {
      const table = db.transaction(store).objectStore(store)
      const [keys, values] = await Promise.all([done(table.getAllKeys()), done(table.getAll())])
      keys.forEach((key, index) => void rows.push({ key: String(key), value: values[index] }))
      databases.push({ name, version: db.version, store, keyPath: table.keyPath as string | null, rows })
    }
    db.close()
  }
  const flag = localStorage.getItem('garba.signedIn')
  return { flags: flag === null ? {} : { 'garba.signedIn': flag }, databases }
}

/** Runs in a page of another server and writes the stored session there, with this server's user. */
export async function keepInPage({ kept, user }: { kept: Kept; user: User }): Promise<void> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  for (const { name, version, store, keyPath, rows } of kept.databases) {
    const opening = indexedDB.open(name, version)
    opening.onupgradeneeded = () => opening.result.createObjectStore(store, keyPath === null ? {} : { keyPath })
    const db = await done(opening)
    const writing = db.transaction(store, 'readwrite')
    const table = writing.objectStore(store)
    for (const { key, value } of rows)
      if (keyPath !== null) table.put(value)
      else table.put({ ...(value as object), user, at: Date.now() }, key)
    // All of it, not only each put: a page that is left before that takes its writes along.
    await new Promise<void>((resolve, reject) => {
      writing.oncomplete = () => resolve()
      writing.onabort = () => reject(writing.error)
    })
    db.close()
  }
  for (const [key, value] of Object.entries(kept.flags)) localStorage.setItem(key, value)
}

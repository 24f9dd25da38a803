import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** The scanner's database. Its stores are the scanner's to make and to use; any page must be able to empty them at sign-out. */
export const GATE_DATABASE = 'garba-scanner'

/** The part of the scanner's rows that says whether they may stay. */
interface GateSchema extends DBSchema {
  outbox: { key: number; value: { scanId: string } }
  qr_scan_history: { key: number; value: { scanId: string } }
  admitted: { key: string; value: { scanId: string } }
  conflicts: { key: string; value: { name: string; acknowledgedAt: string | null } }
  roster: { key: string; value: object }
  tally: { key: string; value: object }
  meta: { key: string; value: object }
}
const STORES = ['outbox', 'qr_scan_history', 'admitted', 'conflicts', 'roster', 'tally', 'meta'] as const

/**
 * What goes at sign-out from this device's gate: roster, keys, tiles, the scans the server has answered, and the names in
 * conflicts that were read. Unsent scans stay with all that belongs to them, and conflicts until somebody has read them
 * (DECISIONS 3 and 4). Nothing is made where no scanner ever ran. Throws what IndexedDB throws.
 */
export async function forgetGateData(): Promise<void> {
  const db = await openExisting()
  if (db === null) return
  try {
    await forgetIn(db)
  } finally {
    db.close()
  }
}

async function openExisting(): Promise<IDBPDatabase<GateSchema> | null> {
  let isNew = false
  const opening = openDB<GateSchema>(GATE_DATABASE, undefined, {
    upgrade(_db, _from, _to, tx) {
      isNew = true
      tx.done.catch((error: unknown) => console.info('There is no scanner on this device', error))
      tx.abort()
    },
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
  })
  return opening.catch((error: unknown) => {
    if (isNew) return null
    throw error
  })
}

async function forgetIn(db: IDBPDatabase<GateSchema>): Promise<void> {
  // An old version's database has fewer of them.
  const stores = STORES.filter((name) => db.objectStoreNames.contains(name))
  const tx = db.transaction(stores, 'readwrite')
  const has = (name: (typeof STORES)[number]) => stores.includes(name)
  const unsent = new Set((await tx.objectStore('outbox').getAll()).map(({ scanId }) => scanId))
  await tx.objectStore('roster').clear()
  await tx.objectStore('meta').delete('roster')
  if (has('tally')) await tx.objectStore('tally').clear()
  for (const name of ['qr_scan_history', 'admitted'] as const) {
    if (!has(name)) continue
    for (let row = await tx.objectStore(name).openCursor(); row !== null; row = await row.continue())
      if (!unsent.has(row.value.scanId)) await row.delete()
  }
  // The rest of it stays, so that hearing of it again is no news.
  for (let row = await tx.objectStore('conflicts').openCursor(); row !== null; row = await row.continue())
    if (row.value.acknowledgedAt !== null) await row.update({ ...row.value, name: '' })
  await tx.done
}

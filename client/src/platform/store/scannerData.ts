import { type IDBPDatabase, openDB } from 'idb'
import type { ScannerSchema } from './scannerSchema.ts'

/** The scanner's database. Only the scanner creates and uses its stores, but any page must be able to empty them. */
export const SCANNER_DATABASE = 'garba-scanner'

type Db = IDBPDatabase<ScannerSchema>

/**
 * Removes an account's data at sign-out: roster, keys, tiles, answered scans, and the names in conflicts that were read. Unsent
 * scans and unread conflicts stay, and a paired phone keeps everything. Creates nothing where no scanner ever ran. Throws what
 * IndexedDB throws.
 */
export const forgetScannerData = async (): Promise<void> =>
  void (await inExisting(async (db) => ((await isPaired(db)) ? undefined : forgetIn(db))))

/**
 * Removes roster, keys and all guests' names when the checker's role or the phone's pairing ends. Scans, sent or not, and
 * conflicts stay. Throws what IndexedDB throws.
 */
export const forgetGuests = async (): Promise<void> => void (await inExisting(forgetGuestsIn))

/** The number of scans and sales that the server has not taken, for the site's pages. Throws what IndexedDB throws. */
export const countUnsentScans = async (): Promise<number> =>
  (await inExisting(async (db) => {
    const sales = await db.getAll('sales')
    return (await db.count('outbox')) + sales.filter(({ state }) => state === 'unsent').length
  })) ?? 0

/** Resolves to null where no scanner ever ran. */
async function inExisting<T>(act: (db: Db) => Promise<T>): Promise<T | null> {
  const db = await openExisting()
  if (db === null) return null
  try {
    return await act(db)
  } finally {
    db.close()
  }
}

async function openExisting(): Promise<Db | null> {
  let isNew = false
  const opening = openDB<ScannerSchema>(SCANNER_DATABASE, undefined, {
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

async function isPaired(db: Db): Promise<boolean> {
  const row = await db.get('pairing', 'pairing')
  return row?.key === 'pairing' && row.ended === null
}

const openAll = (db: Db) => db.transaction([...db.objectStoreNames], 'readwrite')

/** Removes unsold codes, and sales that the server has or whose result stays unknown. The others must still be sent. */
async function forgetSalesIn(tx: ReturnType<typeof openAll>): Promise<void> {
  await tx.objectStore('blocks').clear()
  for (let row = await tx.objectStore('sales').openCursor(); row !== null; row = await row.continue())
    if (row.value.state === 'done' || row.value.state === 'unknown') await row.delete()
}

async function forgetIn(db: Db): Promise<void> {
  const tx = openAll(db)
  const unsent = new Set((await tx.objectStore('outbox').getAll()).map(({ scanId }) => scanId))
  await forgetSalesIn(tx)
  await tx.objectStore('roster').clear()
  await tx.objectStore('meta').delete('roster')
  await tx.objectStore('tally').clear()
  for (const name of ['qr_scan_history', 'admitted'] as const)
    for (let row = await tx.objectStore(name).openCursor(); row !== null; row = await row.continue())
      if (!unsent.has(row.value.scanId)) await row.delete()
  // The rest of the row stays, so that a repeated report is not new.
  for (let row = await tx.objectStore('conflicts').openCursor(); row !== null; row = await row.continue())
    if (row.value.acknowledgedAt !== null) await row.update({ ...row.value, name: '' })
  await tx.done
}

async function forgetGuestsIn(db: Db): Promise<void> {
  const tx = openAll(db)
  await tx.objectStore('roster').clear()
  await tx.objectStore('meta').delete('roster')
  for (let row = await tx.objectStore('outbox').openCursor(); row !== null; row = await row.continue())
    await row.update({ ...row.value, name: null })
  for (let row = await tx.objectStore('admitted').openCursor(); row !== null; row = await row.continue())
    await row.update({ ...row.value, name: null })
  for (let row = await tx.objectStore('conflicts').openCursor(); row !== null; row = await row.continue())
    await row.update({ ...row.value, name: '' })
  for (let row = await tx.objectStore('qr_scan_history').openCursor(); row !== null; row = await row.continue()) {
    const { ticket, ending, detail } = row.value
    // The words of an admission are the welcome with the guest's name.
    const words = ending === 'admitted' ? '' : detail
    await row.update({ ...row.value, detail: words, ticket: ticket === null ? null : { ...ticket, name: null } })
  }
  await forgetSalesIn(tx)
  await tx.done
}

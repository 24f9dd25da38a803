import type { Page } from '@playwright/test'

const DATABASE = 'garba-scanner'

/** All rows of a store of the scanner's database, as they are on the device. */
export const storeRows = <Row = Record<string, unknown>>(page: Page, store: string): Promise<Row[]> =>
  rowsAfter<Row>(page, { store, put: [] })

/** Puts rows into a store, as an evening without network would have. */
export async function putRows(page: Page, store: string, rows: readonly object[]): Promise<void> {
  await rowsAfter(page, { store, put: rows })
}

const rowsAfter = <Row>(page: Page, change: { store: string; put: readonly object[] }): Promise<Row[]> =>
  page.evaluate(
    async ({ name, store, put }) => {
      const opened = indexedDB.open(name)
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        opened.onsuccess = () => resolve(opened.result)
        opened.onerror = () => reject(opened.error)
      })
      const tx = db.transaction(store, put.length === 0 ? 'readonly' : 'readwrite')
      for (const row of put) tx.objectStore(store).put(row)
      const all = tx.objectStore(store).getAll()
      await new Promise<void>((resolve, reject) => {
        tx.oncomplete = () => resolve()
        tx.onerror = () => reject(tx.error)
      })
      db.close()
      return all.result
    },
    { name: DATABASE, ...change },
  )

/** A queued admission as the scanner writes it. */
export const queued = (ticket: { id: string; qrCode: string | null }, over: object = {}) => ({
  scanId: crypto.randomUUID(),
  ticketId: ticket.id,
  qrCode: ticket.qrCode,
  manual: false,
  scannedAt: new Date().toISOString(),
  clockOffset: 0,
  deviceId: 'device-of-the-test',
  deviceName: 'Gate T',
  checkerUid: 'demo-checker',
  checkerId: '',
  checkerName: 'Chetan Checker',
  name: 'Garima Guest',
  attempts: 0,
  undo: false,
  parked: null,
  ...over,
})

/** How many rows each store of the scanner's database has. */
export const storeCounts = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(async (name) => {
    const opened = indexedDB.open(name)
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      opened.onsuccess = () => resolve(opened.result)
      opened.onerror = () => reject(opened.error)
    })
    const names = Array.from(db.objectStoreNames)
    const tx = db.transaction(names)
    const counts = names.map((store) => {
      const asked = tx.objectStore(store).count()
      return new Promise<[string, number]>((resolve, reject) => {
        asked.onsuccess = () => resolve([store, asked.result])
        asked.onerror = () => reject(asked.error)
      })
    })
    const found = await Promise.all(counts)
    db.close()
    return Object.fromEntries(found)
  }, DATABASE)

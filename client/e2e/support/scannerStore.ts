import type { Page } from '@playwright/test'

const DATABASE = 'garba-scanner'

/** All rows of a store of the scanner's database, as they are on the device. */
export const storeRows = <Row = Record<string, unknown>>(page: Page, store: string): Promise<Row[]> =>
  page.evaluate(
    async ([name, store]) => {
      const opened = indexedDB.open(name)
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        opened.onsuccess = () => resolve(opened.result)
        opened.onerror = () => reject(opened.error)
      })
      const asked = db.transaction(store).objectStore(store).getAll()
      const rows = await new Promise<unknown[]>((resolve, reject) => {
        asked.onsuccess = () => resolve(asked.result)
        asked.onerror = () => reject(asked.error)
      })
      db.close()
      return rows
    },
    [DATABASE, store] as const,
  ) as Promise<Row[]>

/** Puts rows into a store, as an evening without network would have. */
export const putRows = (page: Page, store: string, rows: readonly object[]): Promise<void> =>
  page.evaluate(
    async ({ name, store, rows }) => {
      const opened = indexedDB.open(name)
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        opened.onsuccess = () => resolve(opened.result)
        opened.onerror = () => reject(opened.error)
      })
      const tx = db.transaction(store, 'readwrite')
      for (const row of rows) tx.objectStore(store).put(row)
      await new Promise<void>((resolve, reject) => {
        tx.oncomplete = () => resolve()
        tx.onerror = () => reject(tx.error)
      })
      db.close()
    },
    { name: DATABASE, store, rows },
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

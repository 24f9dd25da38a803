import type { OutboxRow, ScannerSchema } from '../../platform/store/scannerSchema.ts'
import { admissionOf } from '../core/admissionOf.ts'
import { journalRowOf } from '../core/journalRow.ts'

export const VERSION = 6

type Upgrade = Parameters<typeof import('../../platform/store/db.ts').defineStore<ScannerSchema>>[0]['upgrade']

/**
 * Brings a database of any older version to this one; what an older app had not sent is still sent by this one
 * (an update never costs a scan).
 */
export const upgrade: Upgrade = async (db, from, tx) => {
  if (from < 1) {
    db.createObjectStore('qr_scan_history', { keyPath: 'id' }).createIndex('scanId', 'scanId')
    db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true }).createIndex('scanId', 'scanId', {
      unique: true,
    })
    db.createObjectStore('roster', { keyPath: 'id' })
    db.createObjectStore('meta', { keyPath: 'key' })
    db.createObjectStore('conflicts', { keyPath: 'id' })
  }
  if (from < 2) {
    db.createObjectStore('tally', { keyPath: 'evening' })
    const admitted = db.createObjectStore('admitted', { keyPath: 'ticketId' })
    const outbox = tx.objectStore('outbox')
    for (const old of await outbox.getAll()) {
      // Version 1 had no undo, and knew a ticket let in here by the roster it had changed.
      const row: OutboxRow = { ...old, undo: false }
      await outbox.put(row)
      await admitted.put(admissionOf(row))
    }
  }
  // Only parked rows have this time, so counting them is cheap however long the outbox is.
  if (from < 3) tx.objectStore('outbox').createIndex('parkedAt', 'parked.at')
  if (from < 4) db.createObjectStore('pairing', { keyPath: 'key' })
  if (from < 5) {
    db.createObjectStore('blocks', { keyPath: 'id' })
    const sales = db.createObjectStore('sales', { keyPath: 'key' })
    sales.createIndex('inTurn', ['state', 'soldAt'])
    sales.createIndex('parkedAt', 'parked.at')
  }
  if (from < 6) {
    const outbox = tx.objectStore('outbox')
    // Only the rows of a server's earlier life, and those sent a second time, have these.
    outbox.createIndex('again', 'again')
    const journal = db.createObjectStore('journal', { keyPath: 'scanId' })
    journal.createIndex('due', ['epoch', 'scannedAt'])
    journal.createIndex('until', 'until')
    for (const row of await outbox.getAll()) await journal.put(journalRowOf(row, { event: null, epoch: 0 }))
  }
}

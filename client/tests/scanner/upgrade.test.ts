import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { expect, test } from 'vitest'
import { readUnsent } from '../../src/scanner/store/outbox.ts'
import { readSelling } from '../../src/scanner/store/sales.ts'
import { readStore } from '../../src/scanner/store/scannerStore.ts'

test('a phone that could not sell yet keeps its pairing and its unsent scans, and can sell', async () => {
  const before = await openDB('garba-scanner', 4, {
    upgrade(db) {
      db.createObjectStore('qr_scan_history', { keyPath: 'id' }).createIndex('scanId', 'scanId')
      const outbox = db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true })
      outbox.createIndex('scanId', 'scanId', { unique: true })
      outbox.createIndex('parkedAt', 'parked.at')
      for (const name of ['roster', 'conflicts']) db.createObjectStore(name, { keyPath: 'id' })
      for (const name of ['meta', 'pairing']) db.createObjectStore(name, { keyPath: 'key' })
      db.createObjectStore('tally', { keyPath: 'evening' })
      db.createObjectStore('admitted', { keyPath: 'ticketId' })
    },
  })
  const scannedAt = '2025-09-22T14:00:00.000Z'
  await before.add('outbox', { scanId: 'one', scannedAt, parked: null })
  await before.put('pairing', { key: 'pairing', shift: { name: 'Ravi', sent: true } })
  before.close()
  expect(await readUnsent()).toEqual({ count: 1, parked: 0, oldest: scannedAt, again: null })
  expect(await readSelling()).toEqual({ sales: [], blocks: [], cash: null, types: [] })
  expect(await readStore((db) => db.get('pairing', 'pairing'))).toMatchObject({ shift: { name: 'Ravi' } })
})

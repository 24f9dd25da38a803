import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { expect, test } from 'vitest'
import { readStore, VERSION } from './scannerStore.ts'

const queued = (scanId: string, undo: boolean) => ({
  scanId,
  ticketId: 'ticket',
  qrCode: 'GR1:CODE',
  manual: false,
  scannedAt: '2025-09-22T13:33:20.000Z',
  clockOffset: 40,
  deviceId: 'device',
  deviceName: 'Gate A',
  checkerUid: 'uid',
  checkerId: 'checker',
  checkerName: 'Chetan Checker',
  name: 'Garima Guest',
  attempts: 1,
  undo,
  parked: null,
})

/** The scanner's database as the version before the journal made it. */
async function versionBeforeJournal(): Promise<void> {
  const db = await openDB('garba-scanner', 5, {
    upgrade(made) {
      made.createObjectStore('qr_scan_history', { keyPath: 'id' }).createIndex('scanId', 'scanId')
      const outbox = made.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true })
      outbox.createIndex('scanId', 'scanId', { unique: true })
      outbox.createIndex('parkedAt', 'parked.at')
      for (const [name, keyPath] of [
        ['roster', 'id'],
        ['meta', 'key'],
        ['conflicts', 'id'],
        ['tally', 'evening'],
        ['admitted', 'ticketId'],
        ['pairing', 'key'],
        ['blocks', 'id'],
      ] as const)
        made.createObjectStore(name, { keyPath })
      const sales = made.createObjectStore('sales', { keyPath: 'key' })
      sales.createIndex('inTurn', ['state', 'soldAt'])
      sales.createIndex('parkedAt', 'parked.at')
      void outbox.add(queued('plain', false))
      void outbox.add(queued('undone', true))
    },
  })
  db.close()
}

test('what an app without a journal had not sent is in the journal, without the names', async () => {
  await versionBeforeJournal()
  const { version, outbox, journal } = await readStore(async (db) => ({
    version: db.version,
    outbox: await db.getAll('outbox'),
    journal: await db.getAll('journal'),
  }))
  expect(version).toBe(VERSION)
  expect(outbox).toMatchObject([
    { scanId: 'plain', name: 'Garima Guest' },
    { scanId: 'undone', undo: true },
  ])
  expect(journal).toMatchObject([
    { scanId: 'plain', ending: 'admitted', checkerName: 'Chetan Checker', epoch: 0 },
    { scanId: 'undone', ending: 'undone', epoch: 0 },
  ])
  expect(JSON.stringify(journal)).not.toContain('Garima')
})

import { storeRows } from '../e2e/support/scannerStore.ts'
import { expect, test } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'

test('a new app reads what an old one left: its unsent scans are sent and refuse a second entry', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const checker = await server.api('checker')
  await page.goto('/healthz')
  await page.evaluate(
    ({ ticket, checkerId }) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('garba-scanner', 1)
        opening.onupgradeneeded = () => {
          const db = opening.result
          db.createObjectStore('qr_scan_history', { keyPath: 'id' }).createIndex('scanId', 'scanId')
          db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true }).createIndex('scanId', 'scanId', {
            unique: true,
          })
          db.createObjectStore('roster', { keyPath: 'id' })
          db.createObjectStore('meta', { keyPath: 'key' })
          db.createObjectStore('conflicts', { keyPath: 'id' })
        }
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const db = opening.result
          const scan = {
            scanId: crypto.randomUUID(),
            ticketId: ticket.id,
            qrCode: ticket.qrCode,
            manual: false,
            scannedAt: new Date().toISOString(),
            clockOffset: 0,
            deviceId: 'old-device',
            deviceName: 'Old gate',
            checkerUid: 'demo-checker',
            checkerId,
            checkerName: 'Chetan Checker',
            name: 'Garima Guest',
            attempts: 3,
            parked: null,
          }
          const tx = db.transaction(['outbox', 'qr_scan_history'], 'readwrite')
          tx.objectStore('outbox').add(scan)
          tx.objectStore('qr_scan_history').add({
            id: Date.now(),
            qrCode: ticket.qrCode,
            ticket: { id: ticket.id, name: 'Garima Guest' },
            status: 'valid',
            marked: false,
            timestamp: scan.scannedAt,
            scannedBy: 'Chetan Checker',
            scanId: scan.scanId,
            manual: false,
            ending: 'pending',
            title: 'Valid (Pending)',
            detail: '',
          })
          tx.oncomplete = () => {
            db.close()
            resolve()
          }
        }
      }),
    { ticket: { id: ticket.id, qrCode: ticket.qrCode }, checkerId: checker.user._id },
  )
  const gate = await Gate.open(page)
  await gate.says('All sent')
  await expect(gate.recent.locator('[data-ending="admitted"]')).toContainText('Garima Guest')
  expect(server.rows('select outcome, device_name as device from scans')).toEqual([
    { outcome: 'admitted', device: 'Old gate' },
  ])
  expect(await storeRows(page, 'admitted')).toMatchObject([{ ticketId: ticket.id, deviceName: 'Old gate' }])
})

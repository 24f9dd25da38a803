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

/** In the page: it has no room for the next scan. */
function fill(): void {
  const { prototype } = IDBObjectStore
  const { add } = prototype
  prototype.add = function (...row) {
    if (this.name !== 'qr_scan_history') return add.apply(this, row)
    prototype.add = add
    throw new DOMException('Full', 'QuotaExceededError')
  }
}

test('on a full phone the person let in last cannot be undone, and the one before is not offered instead', async ({
  server,
  page,
}) => {
  const [first, second] = await (await server.api('guest')).buy(2)
  const gate = await Gate.open(page)
  await gate.start()
  await gate.scan(first.qrCode)
  const undo = page.getByRole('button', { name: /Undo the admission/ })
  await expect(undo).toBeVisible()
  await page.evaluate(fill)
  await gate.camera.showCode(second.qrCode)
  expect(await gate.nextVerdict(1)).toMatchObject({ look: 'allowed', by: 'server' })
  await gate.takeAway()
  expect(await undo.count()).toBe(0)
  await expect(gate.status).toContainText('Storage problem')
})

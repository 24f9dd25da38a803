import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { storeRows } from '../support/scannerStore.ts'
import { restoreSession } from '../support/session.ts'

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
  expect(await gate.scan(second.qrCode)).toMatchObject({ look: 'allowed', by: 'server' })
  expect(await undo.count()).toBe(0)
  await expect(gate.status).toContainText('Storage problem')
})

/** Fills the browser's quota to the last bytes; returns how to free it again. */
async function fillQuota(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(async () => {
    const opening = indexedDB.open('filler')
    opening.onupgradeneeded = () => opening.result.createObjectStore('bytes', { autoIncrement: true })
    const db = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result)
    })
    const add = (size: number) =>
      new Promise<boolean>((resolve) => {
        const tx = db.transaction('bytes', 'readwrite')
        tx.objectStore('bytes').add(crypto.getRandomValues(new Uint8Array(size)))
        tx.oncomplete = () => resolve(true)
        tx.onabort = () => resolve(false)
      })
    let writes = 0
    for (let size = 65_536; size >= 16; size /= 2)
      while (await add(size)) if (++writes > 2_000) throw new Error('The quota is never used up')
    db.close()
  })
  return () =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          indexedDB.deleteDatabase('filler').onsuccess = () => resolve()
        }),
    )
}

test('with the browser’s quota used up a scan is refused and not kept; with room again it is kept and amber', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  // From the beginning: Chromium remembers for two minutes how much room there was.
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 20_000_000 })
  const gate = await Gate.open(page)
  await gate.start()
  await cutBefore(page, EVERYTHING)
  const empty = await fillQuota(page)
  expect(await gate.scan(ticket.qrCode)).toMatchObject({
    look: 'refused',
    words: expect.stringContaining('no room left to save the scan'),
  })
  expect(await storeRows(page, 'outbox')).toEqual([])
  await empty()
  // Chromium 150 keeps the bytes of what was deleted until it tidies up.
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 60_000_000 })
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending', by: 'device' })
  expect(await storeRows(page, 'outbox')).toHaveLength(1)
})

test('while another tab holds the storage nothing is called sent, and only the server lets people in', async ({
  server,
  page,
  context,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const old = await context.newPage()
  await old.goto('/healthz')
  await old.evaluate(
    () =>
      new Promise<void>((resolve) => {
        // An old app that does not make way for a newer one.
        const opening = indexedDB.open('garba-scanner', 1)
        opening.onsuccess = () => {
          Object.assign(window, { held: opening.result })
          resolve()
        }
      }),
  )
  const gate = await Gate.on(page)
  await restoreSession(page, 'checker')
  await page.goto('/dashboard/qrchecker')
  // The page's clock is moved: it waits long for a storage that does not open.
  await gate.says(/Updated \d+ s ago/)
  await expect(gate.status).toContainText('Reading unsent scans')
  await expect(gate.status).not.toContainText('All sent')
  await gate.start()
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'allowed', by: 'server' })
  await expect(gate.status).toContainText('Storage problem')
})

test('a device with data of a newer app explains it and lets nobody in by itself', async ({ server, page }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await page.goto('/healthz')
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('garba-scanner', 99)
        opening.onsuccess = () => {
          opening.result.close()
          resolve()
        }
      }),
  )
  const gate = await Gate.open(page)
  await expect(gate.status).toContainText('Storage problem')
  await gate.start()
  await cutBefore(page, EVERYTHING)
  expect(await gate.scan(ticket.qrCode)).toMatchObject({
    look: 'refused',
    words: expect.stringContaining('A newer version of the scanner is open. Reload this page, then scan again.'),
  })
})

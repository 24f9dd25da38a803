import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { codes, entryPass, GUEST, openDashboard, readShown } from '../support/guest.ts'
import { restoreSession } from '../support/session.ts'
import { expectInTime } from '../support/time.ts'

const atPage = (page: Page, at: number, of: number) => entryPass(page).getByText(`${at} of ${of}`)

test('the entry pass keeps the screen awake, takes a new lock after the page was away, and lets go at the end', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    const locks: string[] = []
    Object.assign(window, { locks })
    const request = async () => {
      locks.push('taken')
      const lock = Object.assign(new EventTarget(), {
        released: false,
        type: 'screen',
        onrelease: null,
        release: async () => {
          if (lock.released) return
          lock.released = true
          locks.push('released')
          lock.dispatchEvent(new Event('release'))
        },
      })
      Object.assign(window, { lock })
      return lock
    }
    Object.defineProperty(navigator, 'wakeLock', { value: { request } })
  })
  const locks = () => page.evaluate(() => (window as unknown as { locks: string[] }).locks)
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await page.getByRole('link', { name: 'Show at gate' }).first().click()
  await expect(entryPass(page)).toContainText('It stays awake here.')
  expect(await locks()).toEqual(['taken'])
  // What a browser does when the phone is locked and unlocked: it sends three events, and one lock is enough.
  await page.evaluate(async () => {
    await (window as unknown as { lock: { release(): Promise<void> } }).lock.release()
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('pageshow'))
    window.dispatchEvent(new Event('focus'))
  })
  await expect.poll(locks).toEqual(['taken', 'released', 'taken'])
  await entryPass(page).getByRole('button', { name: 'Close' }).click()
  await expect.poll(locks).toEqual(['taken', 'released', 'taken', 'released'])
})

test('without an active ticket the entry pass explains why it is empty; tickets bought on another phone appear, the one on the screen stays, and is marked when it is scanned', async ({
  page,
  server,
}) => {
  const [guest, checker] = [await server.api('guest'), await server.api('checker')]
  await page.clock.install()
  await restoreSession(page, 'guest')
  await page.goto(`${GUEST}/gate`)
  await expect(page.getByRole('heading', { name: 'No active tickets' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to my tickets' }).click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await page.goto(`${GUEST}/gate`)
  await expect(page.getByRole('heading', { name: 'No active tickets' })).toBeVisible()
  const [first] = await guest.buy(1)
  await expectInTime(entryPass(page).getByText('Garima Guest'))
  const [second] = await guest.buy(1)
  await expectInTime(atPage(page, 1, 2))
  expect(await readShown(codes(entryPass(page)))).toBe(first.qrCode)
  await checker.call('markUsed', { body: { qrCode: first.qrCode } })
  await expectInTime(
    entryPass(page)
      .getByRole('status')
      .filter({ hasText: /^Entry Completed$/ }),
  )
  await entryPass(page).getByRole('button', { name: 'Next ticket' }).click()
  await expect(atPage(page, 2, 2)).toBeVisible()
  expect(await readShown(codes(entryPass(page)))).toBe(second.qrCode)
  await page.keyboard.press('ArrowLeft')
  await expect(atPage(page, 1, 2)).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(atPage(page, 2, 2)).toBeVisible()
  expect(await readShown(codes(entryPass(page)))).toBe(second.qrCode)
})

test('while the tickets cannot be loaded the entry pass says why, and leads back', async ({ page }) => {
  await restoreSession(page, 'guest')
  await cutBefore(page, EVERYTHING)
  await page.goto(`${GUEST}/gate`)
  await expect(entryPass(page).getByRole('heading', { name: 'Error Loading Tickets' })).toBeVisible()
  await expect(entryPass(page)).toContainText('Network error. Please check your connection and try again.')
  await entryPass(page).getByRole('button', { name: 'Back to my tickets' }).click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
})

import { expect, type Page, test, workerReady } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { expectNoViolations } from '../support/screen.ts'

test.use({ serviceWorkers: 'allow' })

const row = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) })

async function openCheck(gate: Gate) {
  await workerReady(gate.page)
  await gate.page.getByRole('button', { name: 'Scanner menu' }).click()
  await gate.page.getByRole('menuitem', { name: 'Readiness check' }).click()
}

test('nothing is green before it was tested, and what was tested says what was found', async ({ server, page }) => {
  await (await server.api('guest')).buy(3)
  const gate = await Gate.open(page, { decodes: true })
  await openCheck(gate)
  await expect(page.locator('[data-check="untested"]')).toHaveCount(11)
  await expectNoViolations(page)

  await page.getByRole('button', { name: 'Run all checks' }).click()
  await expect(row(page, 'Camera')).toContainText('Good: Back camera gives a picture of 1280 × 720', {
    timeout: 30_000,
  })
  await expect(row(page, 'Torch')).toContainText('Not on this device')
  await expect(row(page, 'Ticket list')).toContainText('Good: 3 tickets, exactly the same as the server’s')
  await expect(row(page, 'Clock')).toContainText('Good')
  await expect(row(page, 'Free storage')).toContainText(/Good: .* free, and a test scan was written and read back/)
  await expect(row(page, 'App version')).toContainText(/Good: \S+, the same as the server’s/)
  await expect(page.getByText('This device is ready')).toBeHidden()

  // The sound is green by the checker's ear alone.
  await page.getByRole('button', { name: 'Play the three sounds' }).click()
  await page.getByRole('button', { name: 'I heard three different sounds' }).click({ timeout: 20_000 })
  await expect(row(page, 'Sound')).toContainText('Good: Three sounds played and heard')

  // A covered lens is no camera that cannot be opened.
  await page.evaluate(() => {
    const { getImageData } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.getImageData = function (...place) {
      const picture = getImageData.apply(this, place)
      if (picture.width === 32) picture.data.fill(0)
      return picture
    }
    Object.assign(window, { uncover: () => Object.assign(CanvasRenderingContext2D.prototype, { getImageData }) })
  })
  await page.getByRole('button', { name: 'Scan the test code' }).click()
  await expect(row(page, 'Test scan')).toContainText('Not ready: The camera shows no picture. Is the lens covered?', {
    timeout: 30_000,
  })
  await page.evaluate(() => (window as unknown as { uncover: () => void }).uncover())

  // A ticket is no test code; the test code of the app's own page is.
  await page.getByRole('button', { name: 'Scan the test code' }).click()
  await expect(row(page, 'Test scan')).toContainText('Hold the test code in front of the camera', { timeout: 30_000 })
  await gate.camera.showCode('GARBA SCANNER SELF TEST')
  await expect(row(page, 'Test scan')).toContainText(/Good: Read from the screen in \d+ ms/, { timeout: 30_000 })
  await expectNoViolations(page)
})

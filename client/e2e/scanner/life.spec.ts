import { cutBefore } from '../support/faults.ts'
import { expect, test, workerReady } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { openGateway } from '../support/gateway.ts'

test.use({ serviceWorkers: 'allow' })

test('a new version waits while the scanner runs or a scan is unsent, and is then applied', async ({
  browser,
  server,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gateway = await openGateway(server.url)
  const context = await browser.newContext({ baseURL: gateway.url })
  const page = await context.newPage()
  const gate = await Gate.open(page)
  await workerReady(page)
  // Only a page that the worker controls makes the next one wait.
  await page.reload()
  await expect(gate.status).toContainText(/: \d+ tickets?/)
  await gate.start()
  gateway.deployNextVersion()
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect(page.getByText('A new version of the scanner is ready.')).toBeVisible()
  const update = page.getByRole('button', { name: 'Update now' })
  await expect(update).toBeHidden()

  // Stopped, but with a scan that the server has not taken.
  const cut = await cutBefore(page, /\/api\/tickets\//)
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending' })
  await page.getByRole('button', { name: 'Stop Scanner' }).click()
  await expect(page.getByText('It can be used once the scanner is stopped and every scan is sent.')).toBeVisible()
  await expect(update).toBeHidden()

  await cut.end()
  await gate.says('All sent')
  const reloaded = page.waitForEvent('load')
  await update.click()
  await reloaded
  await expect(gate.status).toContainText(/: \d+ tickets?/)
  await expect(page.getByText('A new version of the scanner is ready.')).toBeHidden()
  await expect(gate.recent).toContainText('Garima Guest')
  await context.close()
  await gateway.close()
})

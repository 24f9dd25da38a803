import { PAIR_PAGE } from '@garba/shared/contracts/pages'
import { changeDevice, prepareDevice } from '../e2e/support/devices.ts'
import { expect, type Page, type TestServer, test } from './support/fixtures.ts'

const QUARTER_MS = 15 * 60_000

const statusOf = (page: Page) => page.locator('section[aria-label="State of this device"]')

async function startShift(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'First name' }).fill(name)
  await page.getByRole('button', { name: 'Start the shift' }).click()
}

/** A volunteer's phone, paired by the link in the QR, with the list of tickets on it. Resolves with the device's id. */
async function openPaired(page: Page, server: TestServer): Promise<string> {
  const { id, code } = await prepareDevice(server)
  await page.goto(`${PAIR_PAGE}#${code}`)
  await startShift(page, 'Ravi')
  await expect(statusOf(page)).toContainText(/tickets?, \d+ s old/)
  return id
}

test('revoked while it is online, a phone changes its screen at once', async ({ server, page }) => {
  const id = await openPaired(page, server)
  await expect(statusOf(page)).toContainText('Online')
  await changeDevice(server, id, { revoked: true })
  await expect(page.getByRole('heading', { name: 'This phone was disconnected' })).toBeVisible()
})

test('a clock that is off by 15 minutes, before pairing and after, stops nothing', async ({ server, page }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  page.clock.install({ time: Date.now() - QUARTER_MS })
  await openPaired(page, server)
  await expect(statusOf(page)).toContainText("This device's clock is 15 min behind")
  page.clock.install({ time: Date.now() + QUARTER_MS })
  await page.reload()
  await expect(statusOf(page)).toContainText("This device's clock is 15 min ahead")
  await page.getByRole('button', { name: 'Find by name or code' }).click()
  await page.getByRole('textbox').fill(ticket.id.slice(-8))
  await page.getByRole('button', { name: /Garima Guest/ }).click()
  await page.getByRole('button', { name: 'Let in' }).click()
  await expect(page.locator('[data-look="allowed"]')).toBeVisible()
})

test('a working phone is not paired anew by a link alone; one that may not scan has no Start Scanner', async ({
  server,
  page,
}) => {
  await openPaired(page, server)
  const { code } = await prepareDevice(server, { name: 'Gate B', rights: ['supervise'] })
  await page.goto(`${PAIR_PAGE}#${code}`)
  await expect(page.getByText('This phone is paired as “Gate A”. Another code takes its place.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Pairing code' })).toHaveValue(code)
  await expect(page).toHaveURL(new RegExp(`${PAIR_PAGE}$`))
  await page.getByRole('button', { name: 'Pair', exact: true }).click()
  await startShift(page, 'Meera')
  await expect(page.getByText('This phone is not allowed to scan tickets. Ask the organiser.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Scanner' })).toBeHidden()
  await expect(statusOf(page)).toContainText('Online')
})

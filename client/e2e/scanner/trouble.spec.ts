import { expect, type Page, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** In the page: from now on the browser plays no video, as iOS does to save power. */
function refusePlay(): void {
  HTMLVideoElement.prototype.play = function () {
    // Otherwise it would begin by itself, as `autoplay` says.
    this.pause()
    return Promise.reject(new DOMException('Not allowed', 'NotAllowedError'))
  }
}
function allowPlay(): void {
  Reflect.deleteProperty(HTMLVideoElement.prototype, 'play')
}
function withoutWorkers(): void {
  window.Worker = class {
    constructor() {
      throw new DOMException('No workers here', 'SecurityError')
    }
  } as unknown as typeof Worker
}

/** In the page: its worker is still storing the app. */
function whileInstalling(): void {
  const getRegistration = async () => ({ installing: {}, active: null })
  Object.defineProperty(navigator, 'serviceWorker', { value: Object.assign(new EventTarget(), { getRegistration }) })
  Object.defineProperty(window, 'caches', { value: { match: async () => new Response() } })
}

test('a picture that the browser pauses is reported until it moves; a tap plays it, Dismiss ends it', async ({
  page,
}) => {
  const gate = await Gate.open(page)
  await page.evaluate(refusePlay)
  await press(page, 'Start Scanner')
  const notice = page.getByText('Failed to pause/resume scanner')
  await expect(notice).toBeVisible()
  for (let second = 0; second < 15; second += 1) await page.clock.fastForward(1_000)
  await expect(notice).toBeVisible()
  await expect(page.getByText('Initializing', { exact: true })).toBeVisible()
  for (const name of ['Retry', 'Dismiss', 'Reload'])
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  await page.evaluate(allowPlay)
  await press(page, 'Retry')
  await expect(page.getByText('Scanning', { exact: true })).toBeVisible()
  await expect(notice).toHaveCount(0)
  await press(page, 'Stop Scanner')
  await page.evaluate(refusePlay)
  await press(page, 'Start Scanner')
  await expect(notice).toBeVisible()
  await press(page, 'Dismiss')
  await expect(page.getByRole('button', { name: 'Start Scanner' })).toBeVisible()
  await expect(gate.status).toBeVisible()
})

test('a browser without workers fails to initialize the scanner; each camera overlay has Dismiss and Reload', async ({
  page,
}) => {
  await Gate.open(page, { failure: 'NotAllowedError' })
  const overlay = async (title: string, text: string, ...buttons: string[]) => {
    const fault = page.getByRole('region', { name: title })
    await expect(fault.getByRole('alert')).toHaveText(text)
    for (const name of buttons) await expect(fault.getByRole('button', { name, exact: true })).toBeVisible()
  }
  await press(page, 'Start Scanner')
  await overlay('The camera is blocked', 'Failed to access camera', 'Retry', 'Dismiss', 'Reload')
  await press(page, 'Dismiss')
  await page.reload()
  await page.evaluate(withoutWorkers)
  await press(page, 'Start Scanner')
  await overlay('The scanner didn’t start', 'Failed to initialize scanner', 'Dismiss', 'Reload')
})

test('Recent Scans: a failed marking is Valid (Pending); an empty code and a failed verification are Invalid', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await Gate.open(page)
  await gate.start()
  const failed = { status: 409, json: { success: false, code: 'VALIDATION', message: 'No' } }
  await page.route('**/api/tickets/mark-used', (route) => route.fulfill(failed))
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ words: expect.stringContaining('Failed to Process Entry') })
  await page.route('**/api/tickets/verify-qr', (route) => route.fulfill(failed))
  expect(await gate.scan(`${ticket.qrCode} `)).toMatchObject({ words: expect.stringContaining('Verification Failed') })
  expect(await gate.scan('  ')).toMatchObject({ words: expect.stringContaining('Empty or malformed QR code') })
  const rows = gate.recent.getByRole('listitem')
  await expect(rows).toHaveCount(3)
  for (const [at, label] of ['Invalid', 'Invalid', 'Valid (Pending)'].entries())
    await expect(rows.nth(at).getByText(label, { exact: true })).toBeVisible()
})

test('the browser’s offer to install is on the start screen, in the menu and in the readiness check; on an iPhone the scanner says which buttons to press', async ({
  page,
}) => {
  await Gate.open(page)
  await expect(page.getByRole('button', { name: 'Install the scanner' })).toHaveCount(0)
  await page.evaluate(() => {
    const offer = Object.assign(new Event('beforeinstallprompt'), { prompt: async () => ({ outcome: 'accepted' }) })
    window.dispatchEvent(offer)
  })
  await expect(page.getByRole('button', { name: 'Install the scanner' })).toBeVisible()
  await press(page, 'Scanner menu')
  await expect(page.getByRole('menuitem', { name: 'Install the scanner' })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Readiness check' }).click()
  await press(page, 'Install')
  await expect(page.getByText('Install the scanner')).toHaveCount(0)

  await page.addInitScript(() => Object.defineProperty(navigator, 'userAgent', { value: 'iPhone; CPU iPhone OS 17_6' }))
  await page.goto('/dashboard/qrchecker')
  await press(page, 'Install the scanner')
  await expect(page.getByRole('dialog')).toContainText(/Share.*Add to Home Screen/)
})

test('a camera that another app uses has its own title and cure, and says nothing about its torch; an empty list is not a missing one, nor half an app a whole one', async ({
  page,
}) => {
  await page.addInitScript(whileInstalling)
  await Gate.open(page, { failure: 'NotReadableError' })
  await page.getByRole('button', { name: 'Start Scanner' }).click()
  const fault = page.getByRole('region', { name: 'The camera is in use' })
  await expect(fault.getByRole('listitem').first()).toContainText('Close other apps that use the camera')
  await expect(fault.getByRole('button', { name: 'Retry' })).toBeVisible()
  await press(page, 'Find by name or code')
  const find = page.getByRole('dialog')
  await find.getByRole('textbox').fill('Garima')
  await expect(find.getByRole('status')).toHaveText('No ticket matches')
  await page.keyboard.press('Escape')

  await press(page, 'Scanner menu')
  await page.getByRole('menuitem', { name: 'Readiness check' }).click()
  await press(page, 'Run all checks')
  const row = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })
  await expect(row('Torch')).toContainText('Not ready: Failed to access camera')
  await expect(row('App version')).toContainText('Look at this: Offline start is not ready yet')
})

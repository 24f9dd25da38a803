import { installCamera } from '../e2e/support/cameraInPage.ts'
import { qrModules } from '../e2e/support/qrPicture.ts'
import { recordVerdicts } from '../e2e/support/verdicts.ts'
import { expect, type Front, type Tab, test } from './support/fixtures.ts'
import { enter, expectToFit } from './support/people.ts'

const status = (tab: Tab) => tab.locator('section[aria-label="State of this device"]')
/** What the verdicts so far said, as each is on the screen for a moment only. */
const verdicts = (tab: Tab) =>
  tab.evaluate(() => window.garbaVerdicts.map(({ look, words }) => `${look}: ${words}`), undefined)
const recent = (tab: Tab) => tab.getByRole('region', { name: 'Recent Scans' }).first()

/** A camera in the hand of the test. What it shows is read by the scanner's own decoder. */
function giveCamera(front: Front, failure: string | null = null): void {
  front.addInitScript(() => {
    window.garbaCameraShows = async () => null
  }, undefined)
  front.addInitScript(installCamera, {
    labels: ['Back camera', 'Front camera'],
    failure,
    torch: false,
    zoom: false,
    everyMs: 50,
  })
}

const hold = (tab: Tab, text: string) => tab.evaluate((modules) => window.garbaCamera.show(modules), qrModules(text))

async function openScanner(tab: Tab, front: Front): Promise<void> {
  front.addInitScript(recordVerdicts, undefined)
  await enter(tab, 'checker')
  await tab.goto('/dashboard/qrchecker')
  await status(tab)
    .filter({ hasText: /Updated \d+ s ago/ })
    .waitFor()
}

async function start(tab: Tab): Promise<void> {
  await tab.getByRole('button', { name: 'Start Scanner' }).click()
  await tab.getByText(/^Scanning$/).waitFor()
}

test('the camera reads a code: the server lets the ticket in, once; with the server off the device decides', async ({
  tab,
  server,
  front,
}) => {
  giveCamera(front)
  const [first, second] = await (await server.api('guest')).buy(2)
  await tab.resize({ width: 390, height: 844 })
  await openScanner(tab, front)
  await start(tab)
  await hold(tab, first.qrCode)
  await expect
    .poll(() => verdicts(tab))
    .toEqual([expect.stringMatching(/^allowed: Entry Allowed! .*Welcome Garima Guest/)])
  expect(server.rows('select status from tickets where id = ?', first.id)).toEqual([{ status: 'used' }])

  await server.stop()
  await hold(tab, second.qrCode)
  await expect.poll(() => verdicts(tab)).toContainEqual(expect.stringMatching(/^pending: .*Valid \(Pending\)/))
  await status(tab).filter({ hasText: '1 unsent' }).waitFor()
  await server.start()
  await status(tab).filter({ hasText: 'All sent' }).waitFor()
  expect(server.rows('select status from tickets where id = ?', second.id)).toEqual([{ status: 'used' }])
})

test('a person is found and let in by hand, and stands in the history', async ({ tab, server, front }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await openScanner(tab, front)
  await expectToFit(tab)
  await tab.getByRole('button', { name: 'Find by name or code' }).click()
  await tab.getByRole('dialog').getByRole('textbox').fill(ticket.id.slice(-8).toLowerCase())
  await tab.getByRole('dialog').getByRole('listitem').getByRole('button').click()
  await tab.getByRole('button', { name: 'Let in' }).click()
  await expect.poll(() => verdicts(tab)).toEqual([expect.stringMatching(/^allowed: .*Welcome Garima Guest/)])
  await tab.getByRole('button', { name: 'Continue' }).click()
  await recent(tab)
    .filter({ hasText: /Garima Guest.*by hand/ })
    .waitFor()
  expect(server.rows('select manual, outcome from scans')).toEqual([{ manual: 1, outcome: 'admitted' }])
})

test('a blocked camera says so, with what to do', async ({ tab, front }) => {
  giveCamera(front, 'NotAllowedError')
  await openScanner(tab, front)
  await tab.getByRole('button', { name: 'Start Scanner' }).click()
  const fault = tab.getByRole('region', { name: 'The camera is blocked' })
  await fault.getByRole('button', { name: 'Retry' }).waitFor()
  expect(await fault.getByRole('alert').allTextContents()).toEqual(['Failed to access camera'])
  await expectToFit(tab)
})

test("the browser's own pretended camera opens, and the readiness check passes it", async ({ tab, front }) => {
  await openScanner(tab, front)
  await start(tab)
  await tab.getByRole('button', { name: 'Scanner menu' }).click()
  await tab.getByRole('menuitem', { name: 'Readiness check' }).click()
  await tab.getByRole('heading', { level: 1, name: 'Readiness check' }).waitFor()
  await expectToFit(tab)
  await tab.getByRole('button', { name: 'Run all checks' }).click()
  const camera = tab
    .getByRole('listitem')
    .filter({ has: tab.getByRole('heading', { level: 2, name: 'Camera', exact: true }) })
  await camera.filter({ hasText: /Good: .* gives a picture of \d+ × \d+/ }).waitFor()
})

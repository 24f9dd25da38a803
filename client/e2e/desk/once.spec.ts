import { HOMES, VIEWS } from '@garba/shared/contracts/site/pages'
import { changeEvent, runningNow } from '../support/event.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { follow } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

/** Rows may say the same of different things, a fact's value is no sentence, and a caption is its table's name. */
const ROWS = 'td, dd, caption, option, [role="option"], time'

/** Sentences that a reader of the page meets twice. */
const findRepeats = (page: Page): Promise<string[]> =>
  page.evaluate((rows) => {
    const isRead = (element: Element) =>
      element.closest(`${rows}, [aria-hidden="true"], [inert]`) === null &&
      element.checkVisibility({ visibilityProperty: true })
    const readOwnText = ({ childNodes }: Element) =>
      [...childNodes]
        .map((node) => (node.nodeName === '#text' ? (node.textContent ?? '') : ''))
        .join('')
        .replaceAll(/\s+/g, ' ')
        .trim()
    const said = [...document.querySelectorAll('main *, [data-sonner-toast] *')]
      .filter(isRead)
      .map(readOwnText)
      .filter((text) => text.split(' ').length >= 4)
    return said.filter((text, at) => said.indexOf(text) !== at)
  }, ROWS)

const isLoading = (page: Page) =>
  page.evaluate(
    () =>
      document.querySelector('main [aria-busy="true"]') !== null ||
      [...document.querySelectorAll('[role="status"]')].some(({ textContent }) => textContent?.startsWith('Loading')),
  )

async function expectOnce(page: Page, role: 'admin' | 'manager') {
  await restoreSession(page, role)
  await page.goto(HOMES[role])
  for (const view of ['', ...VIEWS[role].filter((path) => !path.includes(':'))]) {
    if (view !== '') {
      await page.evaluate(() => document.querySelector('h1')?.setAttribute('data-left', ''))
      await follow(page, `${HOMES[role]}/${view}`)
    }
    await expect(page.locator('h1:not([data-left])')).toBeVisible()
    await expect.poll(() => isLoading(page)).toBe(false)
    expect(await findRepeats(page), `${role}/${view}`).toEqual([])
  }
}

test.describe('before the first event', () => {
  test.use({ serverOptions: { data: 'empty', env: { ADMIN_EMAILS: 'admin@garba.test' } } })

  test('no view of the desk says one sentence twice', async ({ page }) => {
    await expectOnce(page, 'admin')
  })
})

test('no view of the desk says one sentence twice on the night, with trouble or when nothing loads', async ({
  page,
  server,
}) => {
  await changeEvent(await server.api('admin'), runningNow())
  const tickets = await (await server.api('guest')).buy(3)
  const checker = await server.api('checker')
  for (const [ticket, deviceId] of [
    [tickets[0], 'A'],
    [tickets[0], 'B'],
    [tickets[1], 'A'],
  ] as const) {
    const at = { scannedAt: new Date().toISOString(), admittedOffline: true }
    const scan = { ticketId: ticket?.id, manual: true, scanId: crypto.randomUUID(), deviceId, ...at }
    expect((await checker.call('markUsed', { body: scan })).status).toBe(200)
  }
  await (await server.api('admin')).call('setTicketStatus', {
    params: { id: tickets[2]?.id ?? '' },
    body: { status: 'cancelled' },
  })
  await expectOnce(page, 'admin')
  await expectOnce(page, 'manager')
  await page.route('**/api/admin/**', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Broken' } }),
  )
  await expectOnce(page, 'admin')
})

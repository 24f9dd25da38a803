import type { DemoMail } from '@garba/shared/contracts/common'
import type { Browser } from '@playwright/test'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { hero, moment } from '../support/guest.ts'
import { expectNoViolations, expectNoViolationsInBothSizes } from '../support/screen.ts'

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; SM-A546E; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0 Mobile Safari/537.36'
/** The page as such an app opens it: no other window, and no cookies for other sites. */
async function openedIn(browser: Browser, server: TestServer, userAgent: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    userAgent,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  })
  await context.addInitScript(() => {
    window.open = () => null
  })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true })
  return page
}

/** What another site inside a page can keep in cookies. */
async function cookieOfAnotherSite(page: Page): Promise<string> {
  const html = (body: string) => ({ contentType: 'text/html', body })
  await page.route('https://top.test/', (route) => route.fulfill(html('<iframe src="https://inside.test/"></iframe>')))
  await page.route('https://inside.test/', (route) => route.fulfill(html('inside')))
  await page.goto('https://top.test/')
  const inside = page.frame({ url: 'https://inside.test/' })
  if (!inside) throw new Error('The other site did not open')
  return inside.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the question is whether it can be set
    document.cookie = 'kept=1; SameSite=None; Secure'
    return document.cookie
  })
}

test('the browsers of these tests keep no cookies of other sites, and a usual one does', async ({
  browser,
  page,
  server,
}) => {
  expect(await cookieOfAnotherSite(page)).toBe('kept=1')
  const inApp = await openedIn(browser, server, ANDROID)
  expect(await cookieOfAnotherSite(inApp)).toBe('')
  await inApp.context().close()
})

async function chooseFour(page: Page) {
  const choice = hero(page).getByRole('group').getByRole('button').last()
  for (let n = 1; n < 4; n += 1) await choice.click()
  await expect(hero(page)).toContainText('₹996')
}

async function bookIn(page: Page, app: string) {
  await page.goto('/')
  await chooseFour(page)
  const book = hero(page).getByRole('button', { name: 'Book Your Tickets Now' })
  await book.click()
  const sheet = page.getByRole('dialog', { name: `${app} cannot sign you in with Google` })
  await expect(sheet).toBeVisible()
  return { book, sheet }
}

/** From the open purchase to the tickets. */
async function buyFour(page: Page): Promise<void> {
  const purchase = page.getByRole('dialog')
  await expect(purchase.getByRole('textbox', { name: 'How many tickets?' })).toHaveValue('4')
  await purchase.getByRole('checkbox').check()
  await purchase.getByRole('button', { name: 'Continue' }).click()
  await purchase.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(moment(page, 4)).toBeVisible()
}

test('a link asked for in Instagram buys in another browser; sheet and page are usable by keyboard and pass axe', async ({
  browser,
  page,
  server,
}) => {
  const inApp = await openedIn(browser, server, `${ANDROID} Instagram 356.0.0.41.101 Android`)
  const { book, sheet } = await bookIn(inApp, 'Instagram')
  await inApp.keyboard.press('Escape')
  await expect(book).toBeFocused()
  await inApp.keyboard.press('Enter')
  await expectNoViolations(inApp, 'the sheet')
  for (const control of [
    sheet.getByRole('link', { name: 'Open in your browser' }),
    sheet.getByRole('button', { name: 'Copy link' }),
    sheet.getByRole('textbox', { name: 'Email' }),
  ]) {
    await expect(control).toBeFocused()
    const { height = 0 } = (await control.boundingBox()) ?? {}
    expect(height).toBeGreaterThanOrEqual(44)
    await inApp.keyboard.press('Tab')
  }
  await sheet.getByRole('textbox', { name: 'Email' }).fill('meera@example.test')
  await inApp.keyboard.press('Enter')
  await expect(sheet.getByRole('status').filter({ hasText: 'meera@example.test' })).toBeVisible()
  await expectNoViolations(inApp, 'the sheet with the link on its way')

  const { body } = await (await server.api('admin')).call('demoMails')
  const [mail] = body.mails as DemoMail[]
  await page.goto(/http\S+oobCode\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  await expect(page.getByRole('heading', { name: 'Finish signing in' })).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'the page of the link')
  const address = page.getByRole('textbox', { name: 'Email' })
  await address.fill('somebody@example.test')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('another address')
  await expect(address).toBeFocused()
  await address.fill('meera@example.test')
  await page.keyboard.press('Enter')
  await buyFour(page)
  expect(server.rows('select email from users join tickets on tickets.user_id = users.id')).toEqual(
    Array.from({ length: 4 }, () => ({ email: 'meera@example.test' })),
  )
})

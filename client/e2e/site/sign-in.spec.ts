import type { DemoMail } from '@garba/shared/contracts/common'
import { cutAfter } from '../support/faults.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { GOOGLE_SIGNS_IN } from '../support/google.ts'
import { GUEST, hero } from '../support/guest.ts'
import { recordRequests } from '../support/network.ts'
import { placed } from '../support/paying.ts'
import { asInstalledApp } from '../support/pwa.ts'
import { toastOf } from '../support/screen.ts'
import { accountMenu, restoreSession, signIn, signInAsOther, signInButton, signOutByMenu } from '../support/session.ts'

const INSTAGRAM =
  'Mozilla/5.0 (Linux; Android 14; SM-A546E; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0 Mobile Safari/537.36 Instagram 356.0.0.41.101 Android'
const WEB_VIEW_IOS =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'

const openedIn = (page: Page, userAgent: string) =>
  page.addInitScript((value) => Object.defineProperty(navigator, 'userAgent', { value }), userAgent)
const sheet = (page: Page) => page.getByRole('dialog')
const bookNow = (page: Page) => hero(page).getByRole('button', { name: 'Book Your Tickets Now' })
const byMail = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Sign in by email' })
const moreTickets = (page: Page) => hero(page).getByRole('button', { name: /more/i })

/** The link of the newest mail, as the demo's mail viewer shows it. */
async function newestLink(server: TestServer): Promise<string> {
  const { body } = await (await server.api('admin')).call('demoMails')
  const [mail] = body.mails as DemoMail[]
  return /http\S+oobCode\S+/.exec(mail?.text ?? '')?.[0] ?? ''
}

async function askForLink(page: Page, email: string): Promise<void> {
  await sheet(page).getByRole('textbox', { name: 'Email' }).fill(email)
  await sheet(page).getByRole('button', { name: 'Send sign-in link' }).click()
  await expect(sheet(page).getByRole('status').filter({ hasText: email })).toBeVisible()
}

/** Asks for a link on the landing page. */
async function linkFor(page: Page, server: TestServer, email: string): Promise<string> {
  await page.goto('/')
  await byMail(page).click()
  await askForLink(page, email)
  return newestLink(server)
}

async function finishAs(page: Page, email: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
}
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test.describe('in a browser built into an app', () => {
  test('Book and Sign In open the sheet before anything can fail, in the page’s language; the choice leaves with the address, and the link is copied, by hand where need be', async ({
    page,
    server,
  }) => {
    await openedIn(page, INSTAGRAM)
    await page.addInitScript(() => {
      const written: string[] = []
      const writeText = async (text: string) => {
        if (written.push(text) > 1) throw new Error('Not allowed')
      }
      Object.defineProperty(navigator, 'clipboard', { value: { writeText } })
    })
    await page.goto('/')
    for (let n = 1; n < 4; n += 1) await moreTickets(page).click()
    await bookNow(page).click()
    await expect(sheet(page)).toHaveAccessibleName('Instagram cannot sign you in with Google')
    const { port } = new URL(server.url)
    await expect(sheet(page).getByRole('link', { name: 'Open in your browser' })).toHaveAttribute(
      'href',
      `intent://localhost:${port}/?tickets=4#Intent;scheme=http;action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;S.browser_fallback_url=${encodeURIComponent(`${server.url}/?tickets=4`)};end`,
    )
    await page.keyboard.press('Escape')
    await expect(sheet(page)).toBeHidden()
    await expect(page.getByText('Authentication Error')).toHaveCount(0)
    await expect(page.getByText('Sign-in was cancelled.')).toHaveCount(0)
    await signInButton(page).click()
    await expect(sheet(page)).toBeVisible()

    await page.goto('/?tickets=4')
    await expect(hero(page)).toContainText('₹996')
    await expect(sheet(page)).toHaveCount(0)
    await signInButton(page).click()
    await sheet(page).getByRole('button', { name: 'Copy link' }).click()
    await expect(sheet(page).getByText('Link copied. Paste it into your browser.')).toBeVisible()
    await sheet(page).getByRole('button', { name: 'Copy link' }).click()
    await expect(sheet(page).getByRole('textbox', { name: 'Link to this page' })).toHaveValue(
      `${server.url}/?tickets=4`,
    )
    await page.keyboard.press('Escape')

    await page.getByRole('combobox', { name: 'Language' }).selectOption('gu')
    await page.getByRole('button', { name: 'Google વડે સાઇન ઇન કરો' }).first().click()
    await expect(sheet(page)).toHaveAccessibleName('Instagramમાં Google વડે સાઇન ઇન થઈ શકતું નથી')
    await expect(sheet(page).getByRole('button', { name: 'સાઇન ઇન લિંક મોકલો' })).toBeVisible()
  })

  test('an iPhone leaves for Safari, and a browser without a name is "This app"', async ({ page, server }) => {
    await openedIn(page, WEB_VIEW_IOS)
    await page.goto('/')
    await signInButton(page).click()
    await expect(sheet(page)).toHaveAccessibleName('This app cannot sign you in with Google')
    const leave = sheet(page).getByRole('link', { name: 'Open in Safari' })
    await expect(leave).toHaveAttribute('href', `x-safari-${server.url}/`)
  })

  test('a link asked for here finishes in another browser, with the tickets chosen here, once', async ({
    page,
    server,
    browser,
  }) => {
    await openedIn(page, INSTAGRAM)
    await page.goto('/')
    for (let n = 1; n < 4; n += 1) await moreTickets(page).click()
    await bookNow(page).click()
    await askForLink(page, 'Meera@example.test')
    const link = await newestLink(server)

    const there = await (await browser.newContext()).newPage()
    await there.goto(link)
    await expect(heading(there)).toHaveText('Finish signing in')
    await finishAs(there, 'somebody@example.test')
    await expect(there.getByRole('alert')).toContainText('The link was sent to another address.')
    await finishAs(there, 'meera@example.test')
    const purchase = there.getByRole('dialog')
    await expect(purchase.getByRole('textbox', { name: 'How many tickets?' })).toHaveValue('4')
    await expect(there).toHaveURL(/\/dashboard\/guest$/)
    await there.keyboard.press('Escape')
    await expect(accountMenu(there)).toHaveAccessibleName(/meera/)

    const again = await (await browser.newContext()).newPage()
    await again.goto(link)
    await finishAs(again, 'meera@example.test')
    await expect(heading(again)).toHaveText('This link no longer works')
    await expect(accountMenu(again)).toHaveCount(0)
    await again.getByRole('button', { name: 'Send sign-in link' }).click()
    await expect(again.getByRole('status').filter({ hasText: 'meera@example.test' })).toBeVisible()
    expect(await newestLink(server)).toMatch(/tickets=4/)
  })

  test.describe('where Google signs in', () => {
    test.use({ serverOptions: { env: GOOGLE_SIGNS_IN } })

    test('nothing of Google is asked, and no window opens', async ({ page }) => {
      const requests = recordRequests(page)
      await openedIn(page, INSTAGRAM)
      await page.addInitScript(() => {
        const opened: unknown[] = []
        Object.assign(window, { opened, open: (...what: unknown[]) => void opened.push(what) })
      })
      await page.goto('/')
      await signInButton(page).click()
      await expect(sheet(page)).toHaveAccessibleName('Instagram cannot sign you in with Google')
      await page.keyboard.press('Escape')
      await expect(sheet(page)).toBeHidden()
      await bookNow(page).click()
      await expect(sheet(page)).toBeVisible()
      expect(await page.evaluate(() => (window as unknown as { opened: unknown[] }).opened)).toEqual([])
      expect(requests.filter((url) => /google|firebaseapp/.test(url))).toEqual([])
      await expect(page.locator('iframe, script[src*=google]')).toHaveCount(0)
    })
  })

  test.describe('that may not open a payment app', () => {
    const UPI = { PAYMENTS: 'upi', UPI_ID: 'garba@bank', UPI_NAME: 'Garba Committee' }
    test.use({ serverOptions: { env: UPI } })

    test('a link asked for on the page of an order leads back to it; the sheet comes before the UPI link, and only there', async ({
      page,
      server,
    }) => {
      const code = await placed(await server.api('guest'), 2)
      const path = `${GUEST}/orders/${code}`
      await page.goto(path)
      await byMail(page).click()
      await askForLink(page, 'guest@garba.test')
      await page.goto(await newestLink(server))
      await expect(heading(page)).toHaveText(`Order ${code}`)
      await page.getByRole('link', { name: 'Open your UPI app' }).click()
      await expect(sheet(page)).toHaveCount(0)

      await openedIn(page, INSTAGRAM)
      await page.goto(path)
      await page.getByRole('link', { name: 'Open your UPI app' }).click()
      await expect(sheet(page)).toHaveAccessibleName('Instagram may not open your UPI app')
      const leave = sheet(page).getByRole('link', { name: 'Open in your browser' })
      await expect(leave).toHaveAttribute('href', new RegExp(`^intent://localhost:\\d+${path}#`))
      const anyway = sheet(page).getByRole('link', { name: 'Open the UPI app from here' })
      await expect(anyway).toHaveAttribute('href', /^upi:\/\/pay/)
      await expect(sheet(page).getByRole('textbox')).toHaveCount(0)
    })
  })
})

test.describe('a link by mail', () => {
  test('without its code leads home, where the sheet says why none was sent; opened in two tabs at once it signs in every tab without a question, though it works once', async ({
    page,
    context,
    server,
  }) => {
    await page.goto(`${GUEST}/sign-in`)
    await expect(page).toHaveURL(/:\d+\/$/)
    await byMail(page).click()
    const send = sheet(page).getByRole('button', { name: 'Send sign-in link' })
    const why = sheet(page).getByRole('alert')
    await send.click()
    await expect(why).toHaveText('Please enter an email address')
    await sheet(page).getByRole('textbox', { name: 'Email' }).fill('a@example.test')
    for (const [status, code, words] of [
      [0, '', /There is no connection/],
      [429, 'RATE_LIMITED', /Too many links/],
      [503, 'UNAVAILABLE', /could not be sent/],
    ] as const) {
      await page.route('**/api/auth/mail-link', (route) =>
        status === 0 ? route.abort() : route.fulfill({ status, json: { success: false, code, message: 'x' } }),
      )
      await send.click()
      await expect(why).toHaveText(words)
      await page.unrouteAll()
    }
    await send.click()
    await expect(sheet(page).getByRole('status').filter({ hasText: 'a@example.test' })).toBeVisible()
    // The link can be sent once more, and to another address if this one was mistyped.
    await expect(sheet(page).getByRole('textbox')).toHaveCount(0)
    await expect(sheet(page).getByRole('button', { name: /^Send again in \d+ s$/ })).toBeDisabled()
    await page.clock.setFixedTime(Date.now() + 30_000)
    await sheet(page).getByRole('button', { name: 'Send again', exact: true }).click()
    await expect(sheet(page).getByRole('button', { name: 'Send again in 30 s' })).toBeDisabled()
    await sheet(page).getByRole('button', { name: 'Another address' }).click()
    await expect(sheet(page).getByRole('textbox', { name: 'Email' })).toBeFocused()
    await askForLink(page, 'isha.link@example.test')
    const link = await newestLink(server)

    const slow = await context.newPage()
    const released = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    await slow.route('**/accounts:signInWithEmailLink*', async (route) => {
      asked.resolve()
      await released.promise
      await route.continue()
    })
    await slow.goto(link)
    await asked.promise
    const quick = await context.newPage()
    await quick.goto(link)
    await expect(quick).toHaveURL(/\/dashboard\/guest$/)
    await expect(accountMenu(quick)).toHaveAccessibleName(/isha/)
    await expect(accountMenu(page)).toBeVisible()
    await expect(sheet(page)).toHaveCount(0)
    released.resolve()
    await expect(accountMenu(slow)).toHaveAccessibleName(/isha/)
    await expect(slow).toHaveURL(/\/dashboard\/guest$/)
    expect(await quick.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('garba.mailLink')
    await quick.reload()
    await expect(accountMenu(quick)).toBeVisible()
  })

  test('and Google lead to the same account', async ({ page, server }) => {
    await page.goto('/')
    await signInAsOther(page, { name: 'Radha Shah', email: 'radha@example.test' })
    await expect(accountMenu(page)).toHaveAccessibleName(/Radha Shah/)
    await signOutByMenu(page)
    await byMail(page).click()
    await askForLink(page, 'RADHA@example.test')
    await page.goto(await newestLink(server))
    await expect(accountMenu(page)).toHaveAccessibleName(/Radha Shah/)
    expect(server.rows("select count(*) as n from users where email = 'radha@example.test'")).toEqual([{ n: 1 }])
  })

  test('that has expired or meets no network explains it, and so does one whose answer was lost; a new link or another try helps', async ({
    page,
    server,
  }) => {
    const link = await linkFor(page, server, 'isha.link@example.test')
    const finishing = '**/accounts:signInWithEmailLink*'
    await page.route(finishing, (route) => route.abort())
    await page.goto(link)
    await expect(page.getByRole('alert')).toContainText('There is no connection.')
    await page.unroute(finishing)
    await page.route(finishing, (route) =>
      route.fulfill({ status: 400, json: { error: { code: 400, message: 'EXPIRED_OOB_CODE' } } }),
    )
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText('This link has expired.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('isha.link@example.test')
    await page.unroute(finishing)
    await page.getByRole('button', { name: 'Send sign-in link' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'isha.link@example.test' })).toBeVisible()

    // It was used, though its answer was lost.
    const cut = await cutAfter(page, finishing)
    await page.goto(await newestLink(server))
    await expect(page.getByRole('alert')).toContainText('There is no connection.')
    await cut.end()
    await page.reload()
    await expect(heading(page)).toHaveText('This link no longer works')
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('isha.link@example.test')
    await page.getByRole('button', { name: 'Send sign-in link' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'isha.link@example.test' })).toBeVisible()
    await page.goto(await newestLink(server))
    await expect(accountMenu(page)).toBeVisible()
  })

  test('is not used by somebody who is signed in', async ({ page, server, browser }) => {
    const link = await linkFor(page, server, 'isha.link@example.test')
    const there = await (await browser.newContext()).newPage()
    await restoreSession(there, 'guest')
    await there.goto(link)
    await expect(there).toHaveURL(/\/dashboard\/guest$/)
    await expect(accountMenu(there)).toHaveAccessibleName(/Garima Guest/)
    await expect(toastOf(there, /^You are signed in as guest@garba.test/)).toBeVisible()
    await page.goto(link)
    await expect(accountMenu(page)).toHaveAccessibleName(/isha/)
    await expect(toastOf(page, /^You are signed in as/)).toHaveCount(0)
  })

  test.describe('where a site has Google alone', () => {
    test.use({ serverOptions: { env: { SIGN_IN: 'google' } } })

    test('is offered nowhere', async ({ page }) => {
      await openedIn(page, INSTAGRAM)
      await page.goto('/')
      await expect(page.locator('section#faq')).toBeAttached()
      await expect(byMail(page)).toHaveCount(0)
      await signInButton(page).click()
      await expect(sheet(page).getByRole('button', { name: 'Copy link' })).toBeVisible()
      await expect(sheet(page).getByRole('textbox')).toHaveCount(0)
      await expect(sheet(page).getByText('Or without Google')).toHaveCount(0)
    })
  })
})

test.describe('in an installed app on an iPhone, whose name lacks Safari too', () => {
  test('a link by mail is said to sign in to Safari, and sign-in with Google goes its usual way', async ({ page }) => {
    await openedIn(page, WEB_VIEW_IOS)
    await asInstalledApp(page)
    await page.goto(GUEST)
    await page.getByRole('main').getByRole('button', { name: 'Sign in by email' }).click()
    await expect(sheet(page)).toContainText('the link opens in Safari and signs you in there, not in this app')
    await page.keyboard.press('Escape')
    await signIn(page, 'guest')
    await expect(accountMenu(page)).toBeVisible()
  })
})

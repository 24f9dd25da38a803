import { PAGE_COOKIES } from '@garba/shared/contracts/site/pages'
import { REHEARSAL } from '@garba/shared/messages/common'
import { LANGUAGES } from '@garba/shared/messages/language'
import { formatRupees } from '@garba/shared/rules/money'
import type { ConsoleMessage } from '@playwright/test'
import { changeEvent, eventOf, runningNow } from '../support/event.ts'
import { cutBefore } from '../support/faults.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { hero } from '../support/guest.ts'
import { restoreSession } from '../support/session.ts'

/** What the server answers, before any script runs. */
const textOf = async ({ url }: TestServer, path: string, cookie = '') =>
  (await fetch(new URL(path, url), { headers: { cookie } })).text()

test('the server renders each language whole, without a script that its policy would block, the event as it is at this moment, whose words cannot break out, and none in the page that an app starts from offline', async ({
  server,
}) => {
  const landing = await textOf(server, '/', `${PAGE_COOKIES.language}=gu`)
  expect(landing).toContain('<html lang="gu">')
  const hero = /<section[^>]*aria-labelledby="event-name".*?<\/section>/s.exec(landing)?.[0]
  expect(hero).toContain('નવરાત્રિ પહેલાંની ભવ્ય ઉજવણી')
  // The longest page.
  for (const language of LANGUAGES) {
    const page = await textOf(server, '/privacy-policy', `${PAGE_COOKIES.language}=${language}`)
    expect(page).not.toContain('<template')
    // The module and the page's own data.
    expect(page.match(/<script/g)).toHaveLength(2)
  }
  const bare = await textOf(server, '/index.html')
  expect(bare).toContain('<div id="root"></div>')
  expect(bare).not.toContain((await eventOf(server)).venue)

  const admin = await server.api('admin')
  expect(await textOf(server, '/')).toContain('data-phase="before"')
  await changeEvent(admin, runningNow())
  expect(await textOf(server, '/')).toMatch(/data-phase="running".*The garba is on/s)
  const evil = '</script><script>alert(1)</script><!--'
  await changeEvent(admin, { name: 'Raas under lamps', description: evil })
  const page = await textOf(server, '/')
  expect(page).toContain('>Raas under lamps</h1>')
  expect(page).not.toContain('<script>alert(1)')
  // The module, the structured data and the page's own data.
  expect(page.match(/<script/g)).toHaveLength(3)
})

const readLastView = (page: Page): Promise<string> => page.evaluate(() => localStorage.getItem('garba.lastView') ?? '')

/** What React and the page write about a rendering that does not fit. */
function complaints(page: Page): string[] {
  const found: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') found.push(message.text())
  })
  page.on('pageerror', (error) => found.push(error.message))
  return found
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the landing page shows the event, its price, and what buying needs', async ({ page, server }) => {
    const event = await eventOf(server)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(event.name)
    await expect(hero(page)).toContainText(event.venue)
    await expect(hero(page)).toContainText(formatRupees(event.ticketPrice))
    await expect(page.getByText('Buying tickets needs JavaScript.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Book Your Tickets Now' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Skip intro' })).toBeHidden()
    await page.getByRole('link', { name: 'Refund Policy' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Refund Policy')
    await expect(page.getByText('UPI and wallets: 2-3 business days.')).toBeVisible()
  })
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the landing page of a rehearsal is taken over without a complaint, too', async ({ page, server }) => {
    await server.stop()
    server.change("insert into meta (key, value) values ('rehearsal', 'now')")
    await server.start()
    const found = complaints(page)
    await page.goto('/')
    await expect(page.getByRole('complementary', { name: REHEARSAL.mark })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(found).toEqual([])
  })

  test('the app takes pages over as the server rendered them', async ({ page }) => {
    const found = complaints(page)
    for (const [path, language] of [
      ['/', 'hi'],
      ['/terms-of-service', 'en'],
    ] as const) {
      await page.goto(path)
      await page.evaluate(() => {
        const heading = document.querySelector('h1')
        heading?.setAttribute('data-rendered', 'by the server')
      })
      // React marks the elements that are its own.
      await page.waitForFunction(() =>
        Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__reactFiber')),
      )
      await expect(page.locator('h1')).toHaveAttribute('data-rendered', 'by the server')
      await page.getByRole('combobox').selectOption(language)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
    }
    expect(found).toEqual([])
  })
})

test.describe('before the scripts are there', () => {
  /** Holds scripts back until released, the app's unless others are named. */
  async function holdScripts(page: Page, files = '**/assets/first-*.js'): Promise<() => void> {
    const gate = Promise.withResolvers<void>()
    await page.route(files, async (route) => {
      await gate.promise
      await route.continue()
    })
    return gate.resolve
  }

  /** Opens the landing page and waits for its first script, which notices presses. */
  async function openUnstarted(page: Page) {
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    await expect(page.locator('head > link[rel=modulepreload]')).not.toHaveCount(0)
  }

  test('a press of Sign In with Google works once they are', async ({ page }) => {
    const release = await holdScripts(page)
    await openUnstarted(page)
    // Under reduced motion the lamp is below the header from the first paint.
    await expect(page.locator('[data-splash]')).toBeHidden()
    await expect(hero(page)).toHaveCSS('z-index', 'auto')
    await hero(page).getByRole('button', { name: 'Sign In with Google' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    release()
    await expect(page.getByRole('dialog')).toBeVisible()
  })

  test('Book Your Tickets Now takes someone already signed in to their dashboard', async ({ page }) => {
    await restoreSession(page, 'guest')
    const release = await holdScripts(page)
    await openUnstarted(page)
    await hero(page).getByRole('button', { name: 'Book Your Tickets Now' }).click()
    release()
    await expect(page).toHaveURL(/\/dashboard\/guest$/)
  })

  test('a language chosen before even the first script is there is spoken once they are', async ({ page }) => {
    const release = await holdScripts(page, '**/assets/boot-*.js')
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    await page.getByRole('combobox', { name: 'Language' }).selectOption('hi')
    release()
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
    await expect(page.getByRole('combobox')).toHaveValue('hi')
  })

  test('a language and a press of Sign In both have their effect', async ({ page }) => {
    const release = await holdScripts(page)
    await openUnstarted(page)
    await page.getByRole('combobox', { name: 'Language' }).selectOption('hi')
    const signIn = hero(page).getByRole('button', { name: 'Sign In with Google' })
    await signIn.click()
    await signIn.click()
    release()
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
    await expect(page.getByRole('dialog')).toBeVisible()
  })

  test('a press before any script is there works, too', async ({ page }) => {
    const release = await holdScripts(page, '**/assets/boot-*.js')
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    await hero(page).getByRole('button', { name: 'Sign In with Google' }).click()
    release()
    await expect(page.getByRole('dialog')).toBeVisible()
  })

  test('the waiting list opens for a press made before they are', async ({ page, server }) => {
    await (await server.api('guest')).buy(4)
    await changeEvent(await server.api('admin'), { totalTickets: 4 })
    await restoreSession(page, 'guest')
    const release = await holdScripts(page)
    await openUnstarted(page)
    await hero(page).getByRole('button', { name: 'Wait for Tickets' }).click()
    release()
    await expect(page).toHaveURL(/\/dashboard\/guest$/)
  })

  test.describe('on the home as it was last drawn', () => {
    test.beforeEach(async ({ page, server }) => {
      await (await server.api('guest')).buy(2)
      await restoreSession(page, 'guest')
      await page.goto('/dashboard/guest')
      await expect.poll(() => readLastView(page)).toContain('Show at gate')
    })

    test('a press is answered by the app', async ({ page }) => {
      const release = await holdScripts(page)
      await page.goto('/dashboard/guest', { waitUntil: 'domcontentloaded' })
      await page.getByRole('button', { name: 'Buy More Tickets' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      release()
      await expect(page.getByRole('dialog')).toBeVisible()
      // Long enough for the view to have settled: what the dialog hides from screen readers must not be the next start's view.
      await page.waitForTimeout(3_000)
      expect(await readLastView(page)).not.toContain('data-base-ui-inert')
    })

    test('a language and a link both have their effect', async ({ page }) => {
      const release = await holdScripts(page)
      await page.goto('/dashboard/guest', { waitUntil: 'domcontentloaded' })
      await page.getByRole('combobox', { name: 'Language' }).selectOption('hi')
      await page.getByRole('link', { name: 'Show at gate' }).first().click()
      await expect(page).toHaveURL(/\/guest$/)
      release()
      await expect(page).toHaveURL(/\/gate/)
      await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
    })
  })

  test('the splash plays, a tap ends it at once, and the app takes it away', async ({ page, context }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const release = await holdScripts(page)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Animation.enable')
    // It cannot end by itself.
    await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 })
    await openUnstarted(page)
    const splash = page.getByRole('button', { name: 'Skip intro' })
    await expect(splash).toBeVisible()
    // Of the cover, the title and its three words.
    expect(await splash.evaluate((cover) => cover.getAnimations({ subtree: true }).length)).toBe(5)
    await page.mouse.click(200, 300)
    await expect(splash).toBeHidden()
    release()
    await expect(page.locator('[data-splash]')).toHaveCount(0)
  })

  test('the splash is over without them', async ({ page, context }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const devtools = await context.newCDPSession(page)
    await devtools.send('Animation.enable')
    await devtools.send('Animation.setPlaybackRate', { playbackRate: 10 })
    await holdScripts(page)
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    await expect(page.locator('[data-splash]')).toHaveCSS('visibility', 'hidden')
    await expect(page.getByRole('button', { name: 'Skip intro' })).toBeHidden()
  })

  test('they start only when the page is used, or was looked at for a while', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const taken = () =>
      page.evaluate(() => Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__reactFiber')))
    await page.goto('/')
    expect(await taken()).toBe(false)
    await page.mouse.move(200, 300)
    await expect.poll(taken).toBe(true)
  })

  /** By then the page has tried again whether the scripts can be fetched. */
  const RETRIED_MS = 4_000
  const isOfFailure = (message: ConsoleMessage) => message.text().includes('The app could not be loaded')

  for (const { control, act, seen } of [
    {
      control: 'press',
      act: (page: Page) => hero(page).getByRole('button', { name: 'Sign In with Google' }).click(),
      seen: (page: Page) => expect(page.getByRole('dialog')).toBeVisible(),
    },
    {
      control: 'language',
      act: (page: Page) => page.getByRole('combobox', { name: 'Language' }).selectOption('hi'),
      seen: (page: Page) => expect(page.locator('html')).toHaveAttribute('lang', 'hi'),
    },
  ])
    test(`a ${control} is not lost where the scripts could not be fetched at first`, async ({ page }) => {
      await page.clock.install()
      const cut = await cutBefore(page, '**/assets/first-*.js')
      const failed = page.waitForEvent('console', isOfFailure)
      await openUnstarted(page)
      await act(page)
      await failed
      await cut.end()
      await page.clock.fastForward(RETRIED_MS)
      await seen(page)
    })

  test('a dashboard opens once its app can be fetched', async ({ page }) => {
    await restoreSession(page, 'guest')
    await page.clock.install()
    const cut = await cutBefore(page, '**/assets/site-*.js')
    const failed = page.waitForEvent('console', isOfFailure)
    await page.goto('/dashboard/guest')
    await failed
    await cut.end()
    await page.clock.fastForward(RETRIED_MS)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('scripts that can be fetched but not run load the page again three times at most', async ({ page }) => {
    await page.clock.install()
    let loads = 0
    page.on('domcontentloaded', () => {
      loads += 1
    })
    await page.route('**/assets/first-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new TypeError("The test broke it")' }),
    )
    let failures = 0
    page.on('console', (message) => {
      if (isOfFailure(message)) failures += 1
    })
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    for (let time = 1; time <= 4; time += 1) {
      await expect
        .poll(async () => {
          await page.clock.fastForward(RETRIED_MS)
          return failures
        })
        .toBe(time)
    }
    await page.clock.fastForward(60_000)
    await expect(hero(page)).toBeVisible()
    expect(loads).toBe(4)
  })
})

test('an English page fetches no Gujarati or Devanagari letters of its own', async ({ page, server }) => {
  // The demo's event brings a line in Gujarati.
  await changeEvent(await server.api('admin'), { aboutText: null })
  const fonts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url())
  })
  await page.goto('/')
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await page.evaluate(() => document.fonts.ready)
  expect(fonts.length).toBeGreaterThan(0)
  expect(fonts.filter((url) => /gujarati|devanagari/.test(url))).toEqual([])
})

test('the lazy parts of the page do not change how the header looks', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const width = async () => (await page.getByRole('banner').getByRole('button').last().boundingBox())?.width
  await page.goto('/')
  const before = await width()
  await page.getByRole('contentinfo').waitFor()
  await page.getByRole('button', { name: 'Book Your Tickets Now' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await width()).toBe(before)
})

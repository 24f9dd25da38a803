import { gzipSync } from 'node:zlib'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { PAIR_PAGE } from '@garba/shared/contracts/site/pages'
import { formatRupees } from '@garba/shared/rules/money'
import { changeEvent, eventOf, runningNow } from '../support/event.ts'
import { cutBefore } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { hero, section } from '../support/guest.ts'
import { enterAs, restoreSession, signOutByMenu } from '../support/session.ts'

const longDate = (day: string) =>
  new Intl.DateTimeFormat('en-IN', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`))

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('the landing page tells name, date, time, venue and price of the event, opens the venue in the maps of the phone, and draws no feature or pattern twice', async ({
  page,
  server,
}) => {
  const event = await eventOf(server)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(event.name)
  await expect(hero(page)).toContainText('Pre-Navratri Grand Celebration')
  await expect(hero(page)).toContainText(longDate(event.date))
  await expect(hero(page)).toContainText('6:30 PM - 10:30 PM')
  await expect(hero(page)).toContainText(event.venue)
  await expect(hero(page)).toContainText(formatRupees(event.ticketPrice))
  await expect(hero(page)).toContainText('Group Discounts Available')
  const [, day = '', month = ''] = /(\d+) (\w{3})/.exec(longDate(event.date)) ?? []
  await expect(hero(page).locator('dd').first()).toHaveText(new RegExp(`^${month}\\w* ${day}$`))

  await expect(section(page, 'faq')).toBeAttached()
  await expect(section(page, 'venue').getByRole('link', { name: 'Open in Maps' })).toHaveAttribute(
    'href',
    `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(event.venue)}`,
  )
  // A demo without an Instagram address shows the place of its link.
  await expect(page.getByRole('contentinfo').getByText('Instagram (coming soon)')).toBeVisible()
  const drawings = await section(page, 'features').evaluate((node) =>
    [...node.querySelectorAll('li svg')].map((svg) => svg.innerHTML),
  )
  expect(drawings.length).toBeGreaterThan(1)
  expect(new Set(drawings).size).toBe(drawings.length)
  const scenes = await page.evaluate(() =>
    [...document.querySelectorAll('[data-scene]')].map((scene) => scene.getAttribute('data-scene')),
  )
  expect(scenes).toEqual(['dancers', 'sticks', 'lamp', 'dhol', 'ground'])
  expect(await page.evaluate(() => document.querySelectorAll('main pattern').length)).toBe(0)
})

test('the hero shows Sign In with Google only to visitors, and Book Your Tickets Now takes a signed-in guest to the dashboard', async ({
  page,
}) => {
  await enterAs(page, 'guest')
  await expect(hero(page).getByRole('button', { name: 'Book Your Tickets Now' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign In with Google' })).toHaveCount(0)
  await hero(page).getByRole('button', { name: 'Book Your Tickets Now' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await signOutByMenu(page)
  await expect(hero(page).getByRole('button', { name: 'Sign In with Google' })).toBeVisible()
})

test('a guest with tickets is led to them, on the day to the gate, and books more quietly', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(4)
  await restoreSession(page, 'guest')
  await page.goto('/')
  await hero(page).getByRole('button', { name: 'Show my 4 tickets' }).click()
  await expect(page.getByRole('article')).toHaveCount(4)
  await changeEvent(await server.api('admin'), runningNow())
  await page.goto('/')
  await expect(hero(page).getByRole('button', { name: 'Book more' })).toBeVisible()
  await hero(page).getByRole('button', { name: 'Show at gate' }).click()
  await expect(page.getByRole('dialog', { name: 'Show at gate' })).toContainText('One code for 4 tickets')
  await page.goto('/')
  await expect(hero(page).getByRole('button', { name: 'Show at gate' })).toBeVisible()
  await signOutByMenu(page)
  await expect(bookNow(page)).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('garba.ownTickets'))).toBe(null)
})

/** The server reports this many tickets left. */
const leave = (page: Page, availableTickets: number) =>
  page.route('**/api/event', async (route) => {
    const answer = await route.fetch()
    const { data, ...rest } = (await answer.json()) as { data: GarbaEvent }
    await route.fulfill({ json: { ...rest, data: { ...data, availableTickets } } })
  })
const bookNow = (page: Page) => hero(page).getByRole('button', { name: 'Book Your Tickets Now' })
const openTickets = (page: Page) => hero(page).getByRole('button', { name: 'Open My Tickets' })

test('only the last few tickets are counted in the hero; a sold-out evening is shown as sold out, and leads to the tickets people have', async ({
  page,
}) => {
  await leave(page, 101)
  await page.goto('/')
  await expect(section(page, 'details')).toContainText('101 tickets remaining')
  await expect(hero(page)).not.toContainText('left')
  await page.unrouteAll()
  await leave(page, 100)
  await page.reload()
  await expect(hero(page)).toContainText('Only 100 tickets left')
  await expect(hero(page)).not.toContainText('Group Discounts Available')
  await expect(section(page, 'details')).toContainText('Only 100 tickets left')
  await expect(bookNow(page)).toBeVisible()
  await page.unrouteAll()
  await leave(page, 0)
  await page.reload()
  await expect(hero(page)).toContainText('Sold Out!')
  await expect(hero(page)).not.toContainText('₹')
  await expect(hero(page).getByRole('button', { name: 'Wait for Tickets' })).toBeVisible()
  await expect(hero(page)).toContainText('A cancelled ticket goes back on sale here.')
  await expect(bookNow(page)).toHaveCount(0)
  await expect(section(page, 'details')).toContainText('Sold Out!')
})

test('a page that comes back after minutes reads price and stock again', async ({ page, server }) => {
  await page.goto('/')
  await expect(hero(page)).toContainText('₹299')
  await changeEvent(await server.api('admin'), { ticketPrice: 345, groupPrice4: 345 })
  // While a phone sleeps, its time of day goes on, but not the page's own clock.
  await page.clock.setFixedTime(Date.now() + 4 * 60_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(hero(page)).toContainText('₹345')
})

test('the hero and the countdown say how long it is, when it is tonight, when the garba is on and when it is over', async ({
  page,
  server,
}) => {
  const event = await eventOf(server)
  let now = 0
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { date: new Date(now).toUTCString() } })
  })
  const at = async (time: number) => {
    now = time
    await page.clock.setFixedTime(time)
    await page.goto('/')
    await expect(section(page, 'faq')).toBeAttached()
  }
  const start = Date.parse(event.startsAt)
  const timer = section(page, 'countdown').getByRole('timer')
  await at(start - (2 * 86_400 + 3 * 3_600 + 4 * 60 + 5) * 1000)
  await expect(timer).toHaveAccessibleName(/2 days, 3 hours, 4 minutes/)
  await expect(timer).toContainText('5')
  await at(start - (86_400 + 3_600 + 60 + 1) * 1000)
  await expect(timer).toHaveAccessibleName(/1 day, 1 hour, 1 minute$/)
  await at(start - 24 * 3_600_000)
  await expect(hero(page)).not.toContainText('Tonight')
  await at(start - 60_000)
  await expect(hero(page)).toContainText('Tonight at 6:30 PM')
  await expect(bookNow(page)).toBeVisible()
  await at(start)
  await expect(hero(page)).toContainText('The garba is on. Come and dance!')
  await expect(section(page, 'countdown')).toContainText('The lamp is lit.')
  await expect(bookNow(page)).toBeVisible()
  await at(Date.parse(event.endsAt))
  await expect(hero(page)).toContainText('The event is over')
  await expect(hero(page)).toContainText('Thank you for dancing with us.')
  await expect(page.getByText('Thank you for dancing with us.')).toHaveCount(1)
  await expect(openTickets(page)).toBeVisible()
  await expect(section(page, 'details')).not.toContainText('tickets remaining')
  for (const part of [hero(page), section(page, 'details')]) await expect(part).not.toContainText('₹')
})

test.describe('with no event', () => {
  test.use({ serverOptions: { data: 'empty' } })

  test('the fallback values are shown', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garba Rass 2025')
    await expect(hero(page)).toContainText('₹299')
    await expect(hero(page)).toContainText('Sept 7')
    await expect(hero(page)).toContainText('6:30 PM - 10:30 PM')
    await expect(hero(page)).toContainText('Venue to be announced')
    await expect(section(page, 'about')).toContainText('An evening of garba and raas')
    await expect(section(page, 'features')).toHaveCount(0)
    await expect(section(page, 'countdown')).toContainText('as soon as the evening is announced')
  })
})

test('a visitor without network finds the event seen before; features are shown only when it has any, and tickets sold light the lamp', async ({
  page,
  server,
}) => {
  await page.goto('/')
  const venue = hero(page).locator('dd', { hasText: 'Ahmedabad' })
  await expect(venue).toBeVisible()
  await expect(section(page, 'features').getByRole('listitem')).not.toHaveCount(0)
  await page.route('**/api/**', (route) => route.abort())
  await page.reload()
  await expect(venue).toBeVisible()
  await page.unrouteAll()
  await changeEvent(await server.api('admin'), { features: [], totalTickets: 8 })
  await (await server.api('guest')).buy(4)
  await page.reload()
  await expect(page.locator('[style*="--sold"]')).toHaveAttribute('style', /^--sold: ?0\.5;?$/)
  await expect(section(page, 'faq')).toBeAttached()
  await expect(section(page, 'features')).toHaveCount(0)
})

test('sections that cannot be fetched are offered again', async ({ page }) => {
  const cut = await cutBefore(page, '**/assets/Sections*.js')
  await page.goto('/')
  const failed = page.getByText('The rest of the page could not be loaded.')
  await expect(failed).toBeVisible()
  await expect(hero(page).getByRole('button', { name: 'Book Your Tickets Now' })).toBeVisible()
  await cut.end()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(section(page, 'faq')).toBeAttached()
  await expect(failed).toBeHidden()
})

test.describe('the footer', () => {
  test.use({
    serverOptions: { env: { SUPPORT_EMAIL: 'help@garba.test', INSTAGRAM_URL: 'https://instagr.am/garba-rass' } },
  })

  test('links to the policies, and writes to the organiser', async ({ page }) => {
    await page.goto('/')
    const footer = page.getByRole('contentinfo')
    for (const [name, path] of [
      ['Privacy Policy', '/privacy-policy'],
      ['Cancellation Policy', '/cancellation-policy'],
      ['Refund Policy', '/refund-policy'],
      ['Terms of Service', '/terms-of-service'],
    ] as const)
      await expect(footer.getByRole('link', { name })).toHaveAttribute('href', path)
    await expect(footer.getByRole('link', { name: 'Crew: pair this phone' })).toHaveAttribute('href', PAIR_PAGE)
    await expect(footer.getByRole('link', { name: 'Contact Support' })).toHaveAttribute(
      'href',
      /^mailto:help@garba\.test\?/,
    )
    await expect(footer.getByRole('link', { name: 'Instagram' })).toHaveAttribute(
      'href',
      'https://instagr.am/garba-rass',
    )
    await expect(footer.getByText('Facebook (coming soon)')).toBeVisible()
  })
})

test('a picture of the event that fails is shown as not available', async ({ page, server }) => {
  await changeEvent(await server.api('admin'), { eventImage: PIXEL })
  await page.route('**/api/event/image/**', (route) => route.abort())
  await page.goto('/')
  await section(page, 'about').scrollIntoViewIfNeeded()
  await expect(section(page, 'about').getByText('Image not available')).toBeVisible()
  await page.addInitScript(() => localStorage.setItem('garba.language', 'gu'))
  await page.reload()
  await section(page, 'about').scrollIntoViewIfNeeded()
  await expect(section(page, 'about').getByText('ચિત્ર ઉપલબ્ધ નથી')).toBeVisible()
})

test('the first load of the landing page is at most 120 kB of script, and has neither Firebase nor zod in it', async ({
  server,
}) => {
  const html = await (await fetch(server.url)).text()
  // Boot's own tag, and the files it is to fetch once the page is painted.
  const scripts = new Set([...html.matchAll(/\/assets\/[^" ]+\.js/g)].map(([path]) => path))
  expect(scripts.size).toBeGreaterThan(1)
  let total = 0
  for (const path of scripts) {
    const text = await (await fetch(new URL(path, server.url))).text()
    expect(text, path).not.toMatch(/identitytoolkit|ZodError/)
    total += gzipSync(text).length
  }
  expect(total).toBeLessThanOrEqual(120_000)
})

import { describe } from 'vitest'
import { hero, section } from '../e2e/support/guestPage.ts'
import { expect, type Page, test } from './support/fixtures.ts'
import { accountMenu, enterAs } from './support/session.ts'

const book = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Book Tickets' })

test('the header links to the dashboard, signs in first, and hides the link on the dashboard itself', async ({
  page,
}) => {
  await page.goto('/refund-policy')
  await book(page).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Garima Guest/ })
    .click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(book(page)).toHaveCount(0)
  await page.goto('/refund-policy')
  await expect(accountMenu(page)).toBeVisible()
  await book(page).click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
})

test('on the home page the hero has the only way in while it is in sight', async ({ page }) => {
  await page.goto('/')
  await expect(section(page, 'faq')).toBeAttached()
  await expect(hero(page).getByRole('button', { name: 'Book Your Tickets Now' })).toBeVisible()
  await expect(page.getByRole('banner').getByText('Book Tickets')).toBeHidden()
})

test('the desk is in English, dialogs included, and its header offers no other language', async ({ page }) => {
  await enterAs(page, 'admin')
  await page.goto('/privacy-policy')
  await expect(accountMenu(page)).toBeVisible()
  await page.getByRole('banner').getByRole('combobox').selectOption('gu')
  await expect(page.locator('html')).toHaveAttribute('lang', 'gu')
  await page.goto('/dashboard/admin/devices')
  await page.getByRole('button', { name: 'Add a device' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'gu')
  await expect(page.getByRole('dialog')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('banner').getByRole('combobox')).toHaveCount(0)
  await page.goto('/privacy-policy')
  await expect(page.getByRole('banner').getByRole('combobox')).toBeVisible()
})

describe('languages', () => {
  const choose = (page: Page, language: string) => page.getByRole('combobox').selectOption(language)

  test('the chosen language applies at once, is set on the document, and is remembered', async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await choose(page, 'gu')
    await expect(hero(page)).toContainText('નવરાત્રિ પહેલાંની ભવ્ય ઉજવણી')
    await expect(section(page, 'faq')).toContainText('સવાલ અને જવાબ')
    await expect(page.locator('html')).toHaveAttribute('lang', 'gu')
    await page.reload()
    await expect(hero(page).getByRole('button', { name: 'હમણાં જ ટિકિટ બુક કરો' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'gu')
    await choose(page, 'en')
    await expect(hero(page).getByRole('button', { name: 'Book Your Tickets Now' })).toBeVisible()
  })

  test('only the words of the chosen language are fetched', async ({ page }) => {
    const fetched = () => page.network.asked.flatMap((url) => /\/assets\/(gu|hi)-/.exec(url)?.[1] ?? [])
    await page.goto('/')
    await expect(section(page, 'faq')).toBeAttached()
    expect(fetched()).toEqual([])
    await choose(page, 'hi')
    await expect(hero(page)).toContainText('नवरात्रि से पहले का भव्य उत्सव')
    expect(new Set(fetched())).toEqual(new Set(['hi']))
  })
})

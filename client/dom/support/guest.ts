import { readCode } from '../../e2e/support/readCode.ts'
import { expect } from './expect.ts'
import type { Locator } from './locator.ts'
import type { Page } from './page.ts'
import { restoreSession } from './session.ts'

export const GUEST = '/dashboard/guest'

/** Signs in as the demo guest and opens the dashboard, its tickets known. */
export async function openDashboard(page: Page): Promise<void> {
  await restoreSession(page, 'guest')
  await page.goto(GUEST)
  await expect(page.getByRole('heading', { level: 1, name: /Garima Guest/ })).toBeVisible()
  await expect(total(page, 'Total')).toHaveText(/\d/)
}

/** The figure above a word in the totals of My Tickets. */
export const total = (page: Page, word: 'Total' | 'Active' | 'Used' | 'Cancelled') =>
  page.getByLabel('Your tickets in figures').locator('div', { hasText: word }).locator('dd')

export const ticketCards = (page: Page) => page.getByRole('article')

/** What begins a purchase, with tickets and without. */
export const buyButton = (page: Page) =>
  page.getByRole('button', { name: /^Buy (Tickets|More Tickets|Your First Ticket)$/ }).first()

/** Opens a closed line of the home. */
export const openLine = (page: Page, name: 'Event and map' | 'Prices' | 'Your details') =>
  page.getByRole('heading', { name, exact: true }).click()

/** The moment after a purchase. */
export const moment = (page: Page, count: number) =>
  page.getByText(count === 1 ? 'Your ticket is ready for the gate.' : `Your ${count} tickets are ready for the gate.`)

/** The item of a ticket's menu, which is opened. */
export async function inMenu(page: Page, card: Locator, name: string): Promise<Locator> {
  await card
    .getByRole('button', { name: /^More for ticket/ })
    .first()
    .click()
  await expect(page.getByRole('menu')).toBeVisible()
  return page.getByRole('menuitem', { name, exact: true })
}

/** A button of a ticket's details, which are opened. */
export async function inDetails(page: Page, card: Locator, name: string): Promise<Locator> {
  const button = card.getByRole('button', { name, exact: true })
  if (!(await button.isVisible())) await (await inMenu(page, card, 'Details')).click()
  return button
}

export const codes = (within: Page | Locator) => within.getByRole('img', { name: /QR code of ticket/ })

/** Opens the details of all tickets, and with them their codes. */
export async function openRows(page: Page): Promise<void> {
  for (const card of await ticketCards(page).all()) await (await inMenu(page, card, 'Details')).click()
}

export const entryPass = (page: Page) => page.getByRole('dialog', { name: 'Show at gate' })

/** What jsdom lacks for the entry pass: modal dialogs, and a strip of pages that scrolls by its width. */
export const layOutEntryPass = (page: Page): void =>
  page.addInitScript(() => {
    Object.assign(HTMLDialogElement.prototype, {
      showModal(this: HTMLDialogElement) {
        this.open = true
      },
      close(this: HTMLDialogElement) {
        this.open = false
      },
    })
    Object.defineProperty(HTMLUListElement.prototype, 'clientWidth', { value: 390 })
    Object.assign(HTMLUListElement.prototype, {
      scrollTo(this: HTMLUListElement, { left = 0 }: ScrollToOptions) {
        this.scrollLeft = left
        this.dispatchEvent(new Event('scroll'))
      },
    })
  })

/** The first step of a purchase, filled in. */
export async function choose(page: Page, quantity: number): Promise<Locator> {
  await buyButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'How many tickets?' }).fill(String(quantity))
  await dialog.getByRole('checkbox').check()
  return dialog
}

/** A purchase up to its second step. */
export async function order(page: Page, quantity: number): Promise<Locator> {
  const dialog = await choose(page, quantity)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('heading', { name: 'Confirm Your Order' })).toBeVisible()
  return dialog
}

/** Pixels a module. */
const SCALE = 4
/** All that a drawn code consists of: filled rectangles on the grid of its view box. */
const RECTANGLE = /M(\d+)[ ,](\d+) ?h(\d+)v(\d+)H\d+z/g

/** What a scanner reads from the code that is drawn here. */
export const readShown = (code: Locator): Promise<string> => code.evaluate((svg) => readCode(pictureOf(svg)))

function pictureOf(svg: Element) {
  const side = Number(svg.getAttribute('viewBox')?.split(' ')[2]) * SCALE
  const pixels = new Uint32Array(side * side)
  for (const path of svg.querySelectorAll('path')) {
    const colour = Number.parseInt(path.getAttribute('fill')?.slice(1) ?? '', 16)
    for (const [, ...numbers] of path.getAttribute('d')?.matchAll(RECTANGLE) ?? []) {
      const [x = 0, y = 0, width = 0, height = 0] = numbers.map((one) => Number(one) * SCALE)
      for (let row = y; row < y + height; row++)
        pixels.fill(0xff000000 + colour, row * side + x, row * side + x + width)
    }
  }
  return { width: side, height: side, data: new Uint8ClampedArray(pixels.buffer), colorSpace: 'srgb' } as const
}

import { GUEST, inMenu, ticketCards } from '../../e2e/support/guestPage.ts'
import { readCode } from '../../e2e/support/readCode.ts'
import { expect } from './expect.ts'
import type { Locator } from './locator.ts'
import type { Page } from './page.ts'
import { restoreSession } from './session.ts'

export * from '../../e2e/support/guestPage.ts'

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

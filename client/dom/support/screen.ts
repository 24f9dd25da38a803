import { expect } from './expect.ts'

import type { Locator } from './locator.ts'
import type { Page } from './page.ts'

/** The latest toast with this text. */
export const toastOf = (page: Page, text: string | RegExp): Locator =>
  page.locator('[data-sonner-toast]', { hasText: text }).first()

/** Runs the page's time, which is installed, until this is shown: past the pauses before a call is tried again. */
export async function runUntilShown(page: Page, what: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000)
      return what.isVisible()
    })
    .toBe(true)
}

import { expect } from './expect.ts'
import type { Locator } from './locator.ts'
import type { Page } from './page.ts'

/** The latest toast with this text. */
export const toastOf = (page: Page, text: string | RegExp): Locator =>
  page.locator('[data-sonner-toast]', { hasText: text }).first()

/** Takes a toast away before its time. */
export async function closeToast(page: Page, text: string | RegExp): Promise<void> {
  const toast = toastOf(page, text)
  await expect(toast).toBeVisible()
  await toast.getByRole('button', { name: 'Close toast' }).click()
}

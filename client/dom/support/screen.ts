import type { Locator } from './locator.ts'
import type { Page } from './page.ts'

/** The latest toast with this text. */
export const toastOf = (page: Page, text: string | RegExp): Locator =>
  page.locator('[data-sonner-toast]', { hasText: text }).first()

import { expect, type Locator } from '@playwright/test'

/**
 * Waits until this is on the screen; seconds pass in the page meanwhile, so that retries and polls come at once. The page's
 * clock must have been installed before the page was opened.
 */
export async function expectInTime(locator: Locator): Promise<void> {
  const isThere = async () => {
    if (await locator.isVisible()) return true
    await locator.page().clock.fastForward(1_000)
    return false
  }
  await expect.poll(isThere, { timeout: 45_000, intervals: [100] }).toBe(true)
}

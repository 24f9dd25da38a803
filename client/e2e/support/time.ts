import { expect, type Locator } from '@playwright/test'

/**
 * Waits until this is on the screen while the page's time runs fast, so that retries and polls come at once. The page's
 * clock must be installed.
 */
export async function expectInTime(locator: Locator): Promise<void> {
  const isThere = async () => {
    if (await locator.isVisible()) return true
    await locator.page().clock.runFor(250)
    return false
  }
  await expect.poll(isThere).toBe(true)
}

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The latest toast with this text. */
export const toastOf = (page: Page, text: string | RegExp) =>
  page.locator('[data-sonner-toast]', { hasText: text }).first()

/** Everything axe knows of WCAG 2.2 A and AA and of good practice, once what moves has come to rest. */
export async function expectNoViolations(page: Page, what?: string): Promise<void> {
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter((one) => one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime))
    return Promise.all(ending.map((one) => one.finished.catch(() => undefined)))
  })
  const { violations } = await new AxeBuilder({ page }).analyze()
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 140)).join(' | ')}`)
  expect(told, what).toEqual([])
}

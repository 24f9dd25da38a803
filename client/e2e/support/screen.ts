import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/** The two sizes that screens are checked at, without reloading. */
const SIZES = { narrow: { width: 390, height: 844 }, wide: { width: 1280, height: 800 } } as const

/** The latest toast with this text. */
export const toastOf = (page: Page, text: string | RegExp) =>
  page.locator('[data-sonner-toast]', { hasText: text }).first()

/** Runs all axe rules for WCAG 2.2 A and AA and best practices, after animations have ended. */
export async function expectNoViolations(page: Page, what?: string): Promise<void> {
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter((one) => one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime))
    return Promise.all(ending.map((one) => one.finished.catch(() => undefined)))
  })
  // Once for each document: the text of axe is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // Only violations are reported with all their elements; what passes is not collected.
  const violations = await page.evaluate(async () => {
    const found = await (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] })
    return found.violations
  })
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 140)).join(' | ')}`)
  expect(found, what).toEqual([])
}

/** The same at both widths, and nothing is wider than the screen. */
export async function expectNoViolationsInBothSizes(page: Page, what: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport)
    await expectNoViolations(page, `${what}, ${size}`)
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(wider, `${what}, ${size}`).toBeLessThanOrEqual(0)
  }
}

/** Opens an address of the app that is on the page, as a link in it does: without loading the app again. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

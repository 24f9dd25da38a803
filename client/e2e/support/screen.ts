import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type { Result } from 'axe-core'

/** The two sizes that screens are checked at, without reloading. */
const SIZES = { narrow: { width: 390, height: 844 }, wide: { width: 1280, height: 800 } } as const

/** The latest toast with this text. */
export const toastOf = (page: Page, text: string | RegExp) =>
  page.locator('[data-sonner-toast]', { hasText: text }).first()

/**
 * What is hidden and takes the focus is a fault, except for Base UI's guards around an open menu or dialog: they pass the focus on
 * at once and never keep it. Its authors and axe's call that finding a false one (mui/base-ui#4668, dequelabs/axe-core#4832).
 */
const HIDDEN_WITH_FOCUS = { id: 'aria-hidden-focus', selector: '[aria-hidden="true"]:not([data-base-ui-focus-guard])' }

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Lets scripts run in the page's document with timers of their own, because a test may have stopped the page's. */
async function besidePage<T>(page: Page, act: (run: <R>(script: string) => Promise<R>) => Promise<T>): Promise<T> {
  const session = await page.context().newCDPSession(page)
  try {
    const { frameTree } = await session.send('Page.getFrameTree')
    const world = { frameId: frameTree.frame.id, worldName: 'axe' }
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', world)
    return await act(async (expression) => {
      const options = { contextId, expression, awaitPromise: true, returnByValue: true }
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', options)
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
      return result.value
    })
  } finally {
    await session.detach()
  }
}

/**
 * Runs all axe rules for WCAG 2.2 A and AA and best practices, after animations have ended, and returns what it finds.
 * `contrast: false` leaves out the colours, which take four fifths of the time.
 */
export async function violations(page: Page, { contrast = true } = {}): Promise<string[]> {
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter((one) => one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime))
    return Promise.all(ending.map((one) => one.finished.catch(() => undefined)))
  })
  const found = await besidePage(page, async (run) => {
    // Once for each document: the text of axe is half a megabyte.
    if (!(await run<boolean>("'axe' in globalThis"))) await run(`${AXE};0`)
    await run(`axe.configure({ rules: [${JSON.stringify(HIDDEN_WITH_FOCUS)}] })`)
    // Only violations are reported with all their elements; what passes is not collected.
    const options = { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: contrast } } }
    return run<Result[]>(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`)
  })
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 140)).join(' | ')}`)
}

export const expectNoViolations = async (page: Page, what?: string): Promise<void> =>
  expect(await violations(page), what).toEqual([])

/**
 * The same at both widths, and nothing is wider than the screen. Colours do not depend on the width. Begins with the width
 * the page has and leaves it at the other: each change draws the page again.
 */
export async function expectNoViolationsInBothSizes(page: Page, what: string): Promise<void> {
  const sizes = Object.entries(SIZES)
  if (page.viewportSize()?.width === SIZES.wide.width) sizes.reverse()
  for (const [size, viewport] of sizes) {
    await page.setViewportSize(viewport)
    expect(await violations(page, { contrast: size === 'wide' }), `${what}, ${size}`).toEqual([])
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(wider, `${what}, ${size}`).toBeLessThanOrEqual(0)
  }
}

/** Opens an address of the app as a link on the page does, without loading the app again. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** Sets the letters to twice their size, as a person's browser settings do. */
export async function twiceAsLarge(page: Page): Promise<void> {
  const settings = await page.context().newCDPSession(page)
  await settings.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  await expect
    .poll(() => page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)))
    .toBe(32)
}

/** Elements that are wider than their place on the screen, or whose words are cut off. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scope = document.querySelector('[role="menu"], [role="dialog"], dialog[open]') ?? document.body
    const found = [...scope.querySelectorAll('button, a, h1, h2, h3, p, dt, dd, label')]
      .map((one) => ({ one, box: one.getBoundingClientRect() }))
      // What only screen readers read is a dot; what is hidden from them lies beside the screen until it is swiped in.
      .filter(({ one, box }) => box.width > 2 && box.height > 2 && !one.closest('[aria-hidden="true"]'))
      .filter(
        ({ one, box }) =>
          box.left < -1 ||
          box.right > innerWidth + 1 ||
          (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && getComputedStyle(one).display !== 'inline'),
      )
      .map(({ one, box }) => `${one.tagName} ${one.textContent}: ${box.left} to ${box.right}`)
    return [
      ...found,
      ...(document.documentElement.scrollWidth > innerWidth ? [`page: ${document.documentElement.scrollWidth}`] : []),
    ]
  })

export const expectToFit = (page: Page, what: string): Promise<void> =>
  expect.poll(() => tooWide(page), what).toEqual([])

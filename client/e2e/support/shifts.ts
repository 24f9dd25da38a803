import { setTimeout as wait } from 'node:timers/promises'
import { expect, type Page } from '@playwright/test'

/** Records from the next load on how far elements in view moved by themselves, and which ones. */
export async function watchShifts(page: Page): Promise<() => Promise<{ sum: number; what: string[] }>> {
  await page.addInitScript(() => {
    const shifts = { sum: 0, what: [] as string[] }
    Object.assign(window, { shifts })
    interface Shift extends PerformanceEntry {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue
        shifts.sum += value
        const nodes = sources.map(({ node }) => (node instanceof Element ? node.outerHTML : node?.textContent) ?? '')
        shifts.what.push(`${value.toFixed(4)}: ${nodes.map((text) => text.slice(0, 120)).join(' | ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  // Entries are handed over between two frames.
  return () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      return (window as unknown as { shifts: { sum: number; what: string[] } }).shifts
    })
}

/** Each answer has its own time, as on a slow line. Streams are left alone, because they do not end. */
export async function slowReads(page: Page): Promise<void> {
  let asked = 0
  await page.route(/\/api\/(?!.*\/live)/, async (route) => {
    await wait(100 + (asked++ % 5) * 60)
    await route.continue()
  })
}

export async function expectStill(
  shifts: () => Promise<{ sum: number; what: string[] }>,
  { where = '', atMost = 0.05 } = {},
) {
  const { sum, what } = await shifts()
  expect(sum, [where, ...what].join('\n')).toBeLessThanOrEqual(atMost)
}

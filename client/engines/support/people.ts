import { DEMO_ACCOUNTS, type DemoRole } from '@garba/shared/constants'
import { activeWorker } from '../../e2e/support/network.ts'
import { expect, type Tab } from './fixtures.ts'

/** Signs in from the landing page by the demo's account chooser, as a person does. */
export async function enter(tab: Tab, role: DemoRole): Promise<void> {
  const { name } = DEMO_ACCOUNTS[role]
  await tab.goto('/')
  await tab
    .locator('header')
    .getByRole('button', { name: /sign in with google/i })
    .click()
  await tab
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(name) })
    .click()
  await tab
    .getByRole('button', { name: /account menu/i })
    .filter({ hasText: name })
    .waitFor()
  // Firefox may drop a page that is asked for while the worker takes over.
  await tab.evaluate(activeWorker, undefined)
}

/** The page is no wider than the window, on a small phone and on a desk. */
export async function expectToFit(tab: Tab): Promise<void> {
  for (const size of [
    { width: 360, height: 640 },
    { width: 1280, height: 800 },
  ]) {
    await tab.resize(size)
    await expect.poll(() => tab.evaluate(tooWide, undefined), `at ${size.width} px`).toEqual([])
  }
}

/** Runs in the page and must be whole in itself: what makes it wider than the window, if anything does. */
function tooWide(): string[] {
  if (document.documentElement.scrollWidth <= window.innerWidth) return []
  return [...document.querySelectorAll('*')]
    .filter((one) => one.getBoundingClientRect().right > window.innerWidth)
    .map((one) => one.outerHTML.slice(0, 120))
}

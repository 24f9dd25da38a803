import { DEMO_ACCOUNTS, type DemoRole } from '@garba/shared/constants'
import type { User } from '@garba/shared/contracts/people/user'
import { type Browser, expect, type Page } from '@playwright/test'
import { keptSession, readWhenKept } from './keptSession.ts'
import { type Kept, keepInPage, readKept } from './sessionInPage.ts'
import { signIn } from './signIn.ts'

export { signIn, signInAsOther } from './signIn.ts'

export const accountMenu = (page: Page) => page.getByRole('button', { name: /account menu/i })
const accountMenuOf = (page: Page, role: DemoRole) =>
  accountMenu(page).and(page.getByRole('button', { name: DEMO_ACCOUNTS[role].name }))
/** The hero's on the landing page, until that is out of sight; else the header's. */
export const signInButton = (page: Page) => page.getByRole('button', { name: /sign in with google/i }).first()

/** Opens the landing page signed in, on the test's server or another origin. */
export async function enterAs(page: Page, role: DemoRole, origin = ''): Promise<void> {
  await restoreSession(page, role, origin)
  await page.goto(`${origin}/`)
  await accountMenuOf(page, role).waitFor()
}

/**
 * Makes the browser one in which this account has signed in, without the clicks: what a sign-in leaves is written there,
 * and the server learns of the account. The page is then at an address of the server without a screen. The sign-in by hand
 * has tests of its own (main job, identity).
 */
export async function restoreSession(page: Page, role: DemoRole, origin = ''): Promise<void> {
  await page.goto(`${origin}/healthz`)
  await page.evaluate(keepInPage, await buildSession(page, role))
}

/** What a browser stores of this account once it has signed in to the server that the page is at. */
export async function buildSession(page: Page, role: DemoRole): Promise<{ kept: Kept; user: User }> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('This browser can open no second context: sign in by hand')
  return keptSession({ role, url: new URL(page.url()).origin, signInByHand: (own) => signInByHand(browser, own) })
}

/** By the account chooser, as a person does. */
export async function enterByHand(page: Page, role: DemoRole): Promise<void> {
  await page.goto('/')
  await signIn(page, role)
  await accountMenuOf(page, role).waitFor()
}

async function signInByHand(browser: Browser, url: string): Promise<Kept> {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await enterByHand(page, 'guest')
  const kept = await readWhenKept(() => page.evaluate(readKept))
  await context.close()
  return kept
}

export async function signOutByMenu(page: Page): Promise<void> {
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(signInButton(page)).toBeVisible()
}

/** The server's answer to a token that it does not accept. */
export const REFUSED = { success: false, code: 'UNAUTHENTICATED', message: 'Please sign in to continue.' }

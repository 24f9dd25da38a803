import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_ACCOUNTS, type DemoRole } from '@garba/shared/constants'
import { type Browser, expect, type Page } from '@playwright/test'
import { withLock } from '../../../scripts/lib/lock.mjs'
import { type Api, signInToApi } from './api.ts'
import { SESSIONS } from './globalSetup.ts'
import { emulatorHost } from './server.ts'
import { type Kept, keepInPage, readKept } from './sessionInPage.ts'
import { signIn } from './signIn.ts'

export const accountMenu = (page: Page) => page.getByRole('button', { name: /account menu/i })
const accountMenuOf = (page: Page, role: DemoRole) =>
  accountMenu(page).and(page.getByRole('button', { name: DEMO_ACCOUNTS[role].name }))
export const signInButton = (page: Page) => page.locator('header').getByRole('button', { name: /sign in with google/i })

/** Opens the landing page signed in, on the test's server or another origin. */
export async function enterAs(page: Page, role: DemoRole, origin = ''): Promise<void> {
  await restoreSession(page, role, origin)
  await page.goto(`${origin}/`)
  await accountMenuOf(page, role).waitFor()
}

/** What the guest's sign-in by hand leaves in a browser, made once in a run by the first test that asks. */
async function keptOfGuest(browser: Browser, url: string): Promise<Kept> {
  const folder = process.env[SESSIONS]
  if (folder === undefined) throw new Error('The global set-up has not run')
  const file = join(folder, 'guest.json')
  if (!existsSync(file))
    await withLock({
      path: `${file}.lock`,
      onWait: () => undefined,
      work: async () => {
        if (existsSync(file)) return
        const kept = await signInByHand(browser, 'guest', url)
        // Another worker may look for it at any moment, and must find all of it.
        writeFileSync(`${file}.unfinished`, JSON.stringify(kept))
        renameSync(`${file}.unfinished`, file)
      },
    })
  return JSON.parse(readFileSync(file, 'utf8')) as Kept
}

/** The same as another account's sign-in would leave it: only who it is and the tokens differ. */
function keptAs(role: DemoRole, kept: Kept, { token, refreshToken }: Api): Kept {
  const [from, to] = [DEMO_ACCOUNTS.guest, DEMO_ACCOUNTS[role]]
  let text = JSON.stringify(kept)
  const oldToken = /"accessToken":"([^"]+)"/.exec(text)?.[1] ?? ''
  const oldRefreshToken = /"refreshToken":"([^"]+)"/.exec(text)?.[1] ?? ''
  if (oldToken === '' || oldRefreshToken === '') throw new Error('The sign-in by hand kept no tokens')
  const changes = [
    [oldToken, token],
    [oldRefreshToken, refreshToken],
    [from.uid, to.uid],
    [from.email, to.email],
    [from.name, to.name],
  ] as const
  for (const [old, now] of changes) text = text.replaceAll(old, now)
  return JSON.parse(text) as Kept
}

/**
 * Makes the browser one in which this account has signed in, without the clicks: what a sign-in leaves is written there,
 * and the server learns of the account. The page is then at an address of the server without a screen. The sign-in by hand
 * has tests of its own (harness, identity, main job).
 */
export async function restoreSession(page: Page, role: DemoRole, origin = ''): Promise<void> {
  await page.goto(`${origin}/healthz`)
  const url = new URL(page.url()).origin
  const browser = page.context().browser()
  if (browser === null) throw new Error('This browser can open no second context: sign in by hand')
  const kept = await keptOfGuest(browser, url)
  const api = await signInToApi({ url, emulatorHost: emulatorHost(), account: DEMO_ACCOUNTS[role] })
  await page.evaluate(keepInPage, { kept: keptAs(role, kept, api), user: api.user })
}

/** By the account chooser, as a person does. */
export async function enterByHand(page: Page, role: DemoRole): Promise<void> {
  await page.goto('/')
  await signIn(page, role)
  await accountMenuOf(page, role).waitFor()
}

async function signInByHand(browser: Browser, role: DemoRole, url: string): Promise<Kept> {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await enterByHand(page, role)
  // The identity provider's and ours are written one after the other, and the menu waits for neither.
  let kept: Kept = { flags: {}, databases: [] }
  await expect
    .poll(
      async () => {
        kept = await page.evaluate(readKept, undefined)
        return kept.databases.map(({ rows }) => rows.length > 0)
      },
      { intervals: [50] },
    )
    .toEqual([true, true])
  await context.close()
  return kept
}

export async function signOutByMenu(page: Page): Promise<void> {
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(signInButton(page)).toBeVisible()
}

import { SHOTS } from './shots/all.ts'
import { inShot } from './shots/scene.ts'
import { test } from './support/fixtures.ts'
import { expectNoViolationsInBothSizes } from './support/screen.ts'

/**
 * One of each kind of thing over a page: a menu, a list, a dialog, a sheet and what fills the window. `npm run screens`
 * lets axe look at all of them.
 */
const OVERLAYS = [
  'site account menu',
  'guest with an open menu',
  'guest entry pass of a group',
  'order payment choice',
  'desk list of statuses',
  'desk tickets, bulk update',
  'desk palette',
  'scanner lets in',
  'scanner menu',
] as const

for (const name of OVERLAYS)
  test(`axe finds nothing, wide or narrow: ${name}`, async ({ browser }) => {
    const shot = SHOTS[name]
    if (shot === undefined) throw new Error('There is no such picture.')
    await inShot(browser, shot, ({ page }) => expectNoViolationsInBothSizes(page, name))
  })

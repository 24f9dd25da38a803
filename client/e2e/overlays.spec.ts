import { SHOTS } from './shots/all.ts'
import { inShot } from './shots/scene.ts'
import { test } from './support/fixtures.ts'
import { expectNoViolationsInBothSizes } from './support/screen.ts'

/**
 * One of each kind of thing over a page: menus, lists, dialogs, sheets, notices and what fills the window. `npm run screens`
 * lets axe look at all of them.
 */
const OVERLAYS = [
  'site account menu',
  'site sign-in failed',
  'guest with an open menu',
  'guest naming a ticket',
  'guest entry pass of a group',
  'wallet code of a ticket',
  'order payment choice',
  'desk list of statuses',
  'desk tickets, bulk update',
  'desk ticket menu',
  'desk palette',
  'desk evening gates, edit',
  'desk money, choosing days',
  'devices form with gates picked',
  'scanner lets in',
  'scanner reads a group',
  'scanner finds by name',
  'scanner menu',
] as const

for (const name of OVERLAYS)
  test(`axe finds nothing, wide or narrow: ${name}`, async ({ browser }) => {
    const shot = SHOTS[name]
    if (shot === undefined) throw new Error('There is no such picture.')
    await inShot(browser, shot, ({ page }) => expectNoViolationsInBothSizes(page, name))
  })

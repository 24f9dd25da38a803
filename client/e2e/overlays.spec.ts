import { SHOTS } from './shots/all.ts'
import { inShot } from './shots/scene.ts'
import { test } from './support/fixtures.ts'
import { expectNoViolationsInBothSizes } from './support/screen.ts'

/**
 * Overlays that no other test checks with axe: the guest's are in guest-access, the desk's in desk-axe and desk-shell,
 * and the scanner's menu in scanner-screens. `npm run screens` lets axe look at all of them.
 */
const OVERLAYS = ['site account menu', 'order payment choice', 'scanner lets in'] as const

for (const name of OVERLAYS)
  test(`axe finds nothing, wide or narrow: ${name}`, async ({ browser }) => {
    const shot = SHOTS[name]
    if (shot === undefined) throw new Error('There is no such picture.')
    await inShot(browser, shot, ({ page }) => expectNoViolationsInBothSizes(page, name))
  })

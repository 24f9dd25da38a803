import { SHOTS } from './shots/all.ts'
import { inShot } from './shots/scene.ts'
import { test } from './support/fixtures.ts'
import { expectNoViolationsInBothSizes } from './support/screen.ts'

/**
 * An overlay that no other test checks with axe: the guest's are in guest-access, the desk's in desk-axe and desk-shell,
 * and the scanner's menu and verdict in scanner-screens and scanner-phone. `npm run screens` lets axe look at all of them.
 */
test('axe finds nothing, wide or narrow: order payment choice', async ({ browser }) => {
  const name = 'order payment choice'
  const shot = SHOTS[name]
  if (shot === undefined) throw new Error('There is no such picture.')
  await inShot(browser, shot, ({ page }) => expectNoViolationsInBothSizes(page, name))
})

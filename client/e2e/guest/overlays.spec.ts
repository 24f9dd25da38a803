import { SHOTS } from '../shots/all.ts'
import { inShot } from '../shots/scene.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoViolationsInBothSizes } from '../support/screen.ts'
import { accountMenu, restoreSession } from '../support/session.ts'

/**
 * An overlay that no other test checks with axe: the guest's are in guest-access, the desk's in desk-axe,
 * and the scanner's menu and verdict in scanner-screens and scanner-phone. `npm run screens` lets axe look at all of them.
 */
test('axe finds nothing, wide or narrow: order payment choice', async ({ browser }) => {
  const name = 'order payment choice'
  const shot = SHOTS[name]
  if (shot === undefined) throw new Error('There is no such picture.')
  await inShot(browser, shot, ({ page }) => expectNoViolationsInBothSizes(page, name))
})

test.describe('on Android', () => {
  test.use({ userAgent: 'Mozilla/5.0 (Linux; Android 14; K) Chrome/156.0.0.0 Mobile Safari/537.36' })

  test('Back closes a dialog, a list in it and a menu, one at a time', async ({ page }) => {
    // Chromium hands the phone's Back to the page as it does Escape; here its key is kept from the page's own code.
    await page.addInitScript(() =>
      window.addEventListener('keydown', (event) => event.stopImmediatePropagation(), true),
    )
    const back = () => page.keyboard.press('Escape')
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/users')
    const places = {
      menu: page.getByRole('menu'),
      dialog: page.getByRole('dialog'),
      listbox: page.getByRole('listbox'),
    }
    for (const opener of [accountMenu(page), page.getByRole('button', { name: 'More about Manav Manager' })]) {
      await opener.click()
      await expect(places.menu).toBeVisible()
      await back()
      await expect(places.menu).toBeHidden()
    }
    await page.getByRole('button', { name: 'Change role: Manav Manager' }).click()
    await places.dialog.getByRole('combobox').click()
    await expect(places.listbox).toBeVisible()
    await back()
    await expect(places.listbox).toBeHidden()
    await expect(places.dialog).toBeVisible()
    await back()
    await expect(places.dialog).toBeHidden()
  })
})

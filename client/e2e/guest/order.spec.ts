import { expect, test } from '../support/fixtures.ts'
import { buyButton, openDashboard } from '../support/guest.ts'

test('the dialog leads to what is missing, takes the focus with each step, keeps what was typed, warns offline, and begins with the quantity of a tier', async ({
  page,
  context,
}) => {
  await openDashboard(page)
  await buyButton(page).click()
  const dialog = page.getByRole('dialog')
  const [next, quantity] = [
    dialog.getByRole('button', { name: 'Continue' }),
    dialog.getByRole('textbox', { name: 'How many tickets?' }),
  ]
  await expect(dialog.getByRole('button', { name: 'One ticket less' })).toBeDisabled()
  await next.click()
  await expect(dialog.getByRole('alert')).toHaveText('Please accept the terms to continue.')
  await expect(dialog.getByRole('checkbox')).toBeFocused()
  await dialog.getByRole('checkbox').check()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  for (const typed of ['0', '-3', '1.5', '']) {
    await quantity.fill('6')
    await expect(dialog).toContainText('₹1,494')
    await quantity.fill(typed)
    await quantity.blur()
    await expect(dialog.getByText('Quantity must be a whole number of at least 1')).toBeVisible()
    await next.click()
    await expect(quantity).toBeFocused()
    await expect(dialog.locator('dl')).toHaveText('Total-')
    await expect(quantity).toHaveValue(typed)
  }
  await quantity.fill('101')
  await expect(dialog.getByText('One order can hold at most 100 tickets.')).toBeVisible()
  await next.click()
  await expect(quantity).toBeFocused()
  await quantity.fill('7')
  const step = (name: string) => dialog.getByRole('group', { name })
  // A held Enter must not press the button of the next step.
  await next.press('Enter')
  await expect(step('Confirm Your Order')).toBeFocused()
  await expect(dialog).toContainText('₹1,743')
  await dialog.getByRole('button', { name: 'Back' }).press('Enter')
  await expect(step('Get Your Tickets')).toBeFocused()
  await expect(quantity).toHaveValue('7')
  await expect(dialog.getByRole('checkbox')).toBeChecked()

  await next.click()
  await expect(dialog).toContainText('₹1,743')
  await expect(dialog.getByRole('status')).toHaveCount(0)
  await context.setOffline(true)
  await expect(dialog.getByRole('status')).toContainText('You are offline. Your order can be sent when the connection')
  await context.setOffline(false)
  await expect(dialog.getByRole('status')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: /^Group/ }).click()
  await expect(quantity).toHaveValue('4')
  await dialog.getByRole('button', { name: /^Individual/ }).click()
  await expect(quantity).toHaveValue('1')
  await quantity.fill('7')
  await dialog.getByRole('button', { name: /^Group/ }).click()
  await expect(quantity).toHaveValue('7')
})

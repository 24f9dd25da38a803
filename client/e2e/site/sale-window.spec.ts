import { HOUR_MS } from '@garba/shared/constants'
import { changeEvent, eventOf } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { buyButton, hero, openDashboard, section } from '../support/guest.ts'
import { restoreSession } from '../support/session.ts'

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

test('the landing page and the dashboard say when the sale begins, that it is paused and why, and that it has ended, in three languages', async ({
  page,
  server,
}) => {
  const admin = await server.api('admin')
  const book = hero(page).getByRole('button', { name: 'Book Your Tickets Now' })
  const buy = buyButton(page)
  const states = [
    [{ salesFrom: inHours(50) }, /Ticket sales begin on \d+ \w+ \d{4}, /, 'Not on Sale Yet'],
    [{ salesFrom: null, paused: 'Back at six.' }, 'Ticket sales are paused. Back at six.', 'Sales Paused'],
    [{ paused: null, salesUntil: inHours(-1) }, 'Online ticket sales have ended.', 'Sales Closed'],
  ] as const
  for (const [change, text, button] of states) {
    await changeEvent(admin, change)
    await page.goto('/')
    await expect(hero(page)).toContainText(text)
    await expect(book).toHaveCount(0)
    await openDashboard(page)
    await expect(page.getByText(text)).toBeVisible()
    await expect(page.getByRole('button', { name: button })).toBeDisabled()
    await expect(buy).toHaveCount(0)
  }
  await changeEvent(admin, { paused: 'Back at six.' })
  await page.goto('/')
  await expect(section(page, 'faq')).toBeAttached()
  for (const [language, text] of [
    ['gu', 'ટિકિટનું વેચાણ હાલ થોભાવ્યું છે. Back at six.'],
    ['hi', 'टिकटों की बिक्री अभी रुकी हुई है। Back at six.'],
  ] as const) {
    await page.getByRole('banner').getByRole('combobox').selectOption(language)
    await expect(hero(page)).toContainText(text)
  }
})

test('a dialog that is open when sales are paused says what the organiser says, and the page behind it too', async ({
  page,
  server,
}) => {
  await openDashboard(page)
  await buyButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await changeEvent(await server.api('admin'), { paused: 'Back at six.' })
  await dialog.getByRole('button', { name: /^Get/ }).click()
  await expect(dialog.getByText('Back at six.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Sales Paused' })).toBeDisabled()
})

test('the event form takes the beginning and end of online sales in the event’s time, and pauses them with a sentence that cannot be empty', async ({
  page,
  server,
}) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await page.getByRole('button', { name: 'Edit Event Details' }).click()
  await page.getByLabel('Online sales begin').fill('2026-01-10T10:00')
  await page.getByLabel('Online sales end').fill('2026-01-09T10:00')
  await page.getByLabel('Pause online sales').click()
  const sentence = page.getByLabel('What guests read while sales are paused')
  await expect(sentence).toHaveValue('Please come back in a little while.')
  await sentence.fill('')
  const save = page.getByRole('button', { name: 'Save Changes' })
  await save.click()
  await expect(page.getByText('Online sales must end after they begin')).toBeVisible()
  await expect(page.getByText('Tell guests in a sentence why sales are paused')).toBeVisible()
  await sentence.fill('Back at six.')
  await page.getByLabel('Online sales end').fill('')
  await save.click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect
    .poll(() => eventOf(server))
    .toMatchObject({
      salesFrom: '2026-01-10T04:30:00.000Z',
      salesUntil: null,
      paused: 'Back at six.',
    })
})

import { expect, test } from '../support/fixtures.ts'
import { hero, openDashboard, section } from '../support/guest.ts'
import { follow } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

const REASON = 'The ground is under water.'

test('the desk calls the event off with a preview, takes it back, and then watches the refunds', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const [ticket] = await guest.buy(2)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  const change = page.getByRole('button', { name: 'Change…' })
  await expect(page.getByText('The event takes place as announced.')).toBeVisible()
  await change.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('2 people have a ticket.')
  await dialog.getByRole('button', { name: 'Call off' }).click()
  await expect(dialog).toContainText('goes back for 2 tickets')
  await dialog.getByRole('button', { name: 'Tell everyone' }).click()
  await expect(dialog.getByText('Tell guests why in a sentence')).toBeVisible()
  await dialog.getByLabel('Reason, as guests read it').fill(REASON)
  await dialog.getByRole('button', { name: 'Tell everyone' }).click()
  await expect(page.getByText('The event is called off. Nothing is sold, and nobody is let in.')).toBeVisible()
  await expect(page.getByText('Called off', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByText('The event takes place as announced.')).toBeVisible()

  await change.click()
  await dialog.getByRole('button', { name: 'Call off' }).click()
  await dialog.getByLabel('Reason, as guests read it').fill(REASON)
  await dialog.getByRole('checkbox', { name: 'Send at once; it cannot be taken back' }).click()
  await dialog.getByRole('button', { name: 'Tell everyone' }).click()
  const refunds = page.getByRole('region', { name: 'Refunds' })
  await expect(refunds).toContainText('2 tickets')
  await expect(refunds).toContainText('Left for you to give back')
  await expect
    .poll(async () => (await guest.call('ticket', { params: { id: ticket._id } })).body)
    .toMatchObject({ ticket: { status: 'cancelled' } })
})

test('every page of guests says in three languages that the event is called off and why', async ({ page, server }) => {
  const admin = await server.api('admin')
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  await admin.call('setEventState', { body: { state: 'calledOff', reason: REASON }, headers })
  const titles = { en: 'The event is called off', gu: 'કાર્યક્રમ રદ થયો છે', hi: 'कार्यक्रम रद्द हो गया है' }
  await page.goto('/')
  await expect(section(page, 'faq')).toBeAttached()
  for (const [language, title] of Object.entries(titles)) {
    for (const address of ['/', '/refund-policy', '/dashboard/guest/wallet']) {
      await follow(page, address)
      if (address === '/') await page.getByRole('banner').getByRole('combobox').selectOption(language)
      const note = page.getByRole('status').filter({ hasText: title })
      await expect(note).toContainText(REASON)
      if (address === '/') await expect(hero(page)).not.toContainText('₹')
    }
  }
  await page.evaluate(() => localStorage.setItem('garba.language', 'en'))
  await openDashboard(page)
  await expect(page.getByRole('status').filter({ hasText: titles.en })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Called Off' })).toBeDisabled()
})

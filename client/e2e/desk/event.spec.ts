import { IMAGE_MAX_BYTES, UNDO_MS } from '@garba/shared/constants'
import { EVENT_FORM } from '@garba/shared/messages/eventForm'
import { EVENT, fillEvent } from '../support/desk.ts'
import { changeEvent, closeEvent, dayAhead, eventOf } from '../support/event.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { recordRequests } from '../support/network.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession, signOutByMenu } from '../support/session.ts'

/** Opens the empty form as an admin. */
async function openForm(page: Page) {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await expect(page.getByRole('heading', { name: 'Create Event' })).toBeVisible()
}

const submit = (page: Page) => page.getByRole('button', { name: 'Create Event' }).click()

test.describe('with no event', () => {
  test.use({ serverOptions: { data: 'empty', env: { ADMIN_EMAILS: 'admin@garba.test' } } })

  test('the counter leads to the form, where each rule shows its message at its field until the field is edited, and a refused file is no error of the form', async ({
    page,
  }) => {
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/orders/sell')
    await page.getByRole('link', { name: 'Create Event' }).click()
    await expect(page.getByRole('heading', { name: 'Create Event' })).toBeVisible()
    const input = page.getByLabel('Event image', { exact: true })
    const large = Buffer.alloc(IMAGE_MAX_BYTES + 1)
    await input.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: large })
    await expect(page.getByText(EVENT_FORM.imageSize)).toBeVisible()
    await expect(page.getByText(EVENT_FORM.fixErrors)).toHaveCount(0)
    await submit(page)
    await expect(toastOf(page, 'Please fix the validation errors')).toBeVisible()
    await expect(page.getByText(EVENT_FORM.fixErrors)).toBeVisible()
    for (const message of [
      EVENT_FORM.nameRequired,
      EVENT_FORM.dateRequired,
      EVENT_FORM.venueRequired,
      EVENT_FORM.descriptionRequired,
      EVENT_FORM.startTimeRequired,
      EVENT_FORM.endTimeRequired,
      EVENT_FORM.ticketPriceInvalid,
      EVENT_FORM.groupPriceInvalid,
      EVENT_FORM.totalTicketsInvalid,
    ])
      await expect(page.getByText(message, { exact: true })).toBeVisible()
    await expect(page.getByLabel('Event name')).toBeFocused()
    await fillEvent(page)
    await expect(page.getByText(EVENT_FORM.fixErrors)).toBeHidden()
    const preview = page.getByRole('complementary', { name: 'As visitors will see it' })
    for (const [group, isSaid] of [
      ['249', true],
      ['299', false],
    ] as const) {
      await page.getByLabel('Group price for 4+ (₹ each)').fill(group)
      await expect(preview.getByText(/Group Discounts Available/)).toHaveCount(isSaid ? 1 : 0)
    }
    await expect(page.getByLabel('Start time', { exact: true })).toHaveAccessibleDescription('6:30 PM (24-hour, HH:MM)')

    const refused = async (label: string, value: string, message: string) => {
      const field = page.getByLabel(label, { exact: true })
      const good = await field.inputValue()
      await field.fill(value)
      await submit(page)
      await expect(page.getByText(message, { exact: true })).toBeVisible()
      await expect(field).toHaveAccessibleDescription(message)
      await field.fill(good)
      await expect(page.getByText(message, { exact: true })).toBeHidden()
    }
    await refused('Date', dayAhead(-1), EVENT_FORM.datePast)
    await refused('Start time', '6 pm', EVENT_FORM.startTimeFormat)
    await refused('End time', '25:00', EVENT_FORM.endTimeFormat)
    await refused('End time', '18:00', EVENT_FORM.endBeforeStart)
    await refused('Ticket price (₹)', '0', EVENT_FORM.ticketPriceInvalid)
    await refused('Total tickets', '1.5', EVENT_FORM.totalTicketsInvalid)
  })

  test('what was typed is back after a reload, until it is discarded or its admin signs out', async ({ page }) => {
    await openForm(page)
    await page.getByLabel('Event name').fill('ગરબા રાસ')
    await page.reload()
    await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
    await expect(page.getByLabel('Event name')).toHaveValue('ગરબા રાસ')
    await page.getByRole('button', { name: 'Discard them' }).click()
    await expect(page.getByLabel('Event name')).toHaveValue('')

    await page.getByLabel('Event name').fill('ગરબા રાસ')
    const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))
    await expect.poll(drafts).toHaveLength(1)
    await signOutByMenu(page)
    expect(await drafts()).toEqual([])
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/event')
    await expect(page.getByLabel('Event name')).toHaveValue('')
    await expect(page.getByText('Your unsaved changes were restored.')).toBeHidden()
  })

  test('a session that ends while saving leads home and keeps the draft', async ({ page }) => {
    await openForm(page)
    await fillEvent(page)
    await page.route('**/securetoken.googleapis.com/**', (route) =>
      route.fulfill({ status: 400, json: { error: { code: 400, message: 'TOKEN_EXPIRED' } } }),
    )
    await page.route('**/api/event', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 401, json: { success: false, code: 'UNAUTHENTICATED', message: 'Please sign in.' } })
        : route.continue(),
    )
    await submit(page)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
    await expect(page).toHaveURL(/:\d+\/$/)
    await page.unrouteAll()
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/event')
    await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
    await expect(page.getByLabel('Venue')).toHaveValue(EVENT.Venue)
  })
})

test('the form of the next event begins with the values of the last but for its date and picture, or empty at a press', async ({
  page,
  server,
}) => {
  const { name, totalTickets } = await eventOf(server)
  await changeEvent(await server.api('admin'), { eventImage: PIXEL, paused: 'Back at six.' })
  await closeEvent(server)
  await openForm(page)
  await expect(page.getByText(`This form begins with the details of ${name}.`)).toBeVisible()
  await expect(page.getByLabel('Event name')).toHaveValue(name)
  await expect(page.getByLabel('Total tickets')).toHaveValue(String(totalTickets))
  await expect(page.getByLabel('Date', { exact: true })).toHaveValue('')
  await expect(page.getByLabel('Pause online sales')).not.toBeChecked()
  await expect(page.getByRole('button', { name: 'Remove image' })).toHaveCount(0)
  await page.getByLabel('Date', { exact: true }).fill(dayAhead(30))
  await submit(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect.poll(() => eventOf(server)).toMatchObject({ name, totalTickets, eventImage: null, paused: null })

  await closeEvent(server)
  await page.goto('/dashboard/admin/event')
  await page.getByRole('button', { name: 'Start empty' }).click()
  await expect(page.getByLabel('Event name')).toHaveValue('')
})

/** One transparent pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

test('the picture is shown as the landing page crops it, nothing is saved while another is scaled, and saving a form that was open while another admin saved undoes nothing of theirs', async ({
  page,
  server,
}) => {
  const other = await server.api('admin')
  const saveElsewhere = async (change: object) => {
    const event = (await other.call('event')).body.data as Record<string, unknown>
    expect((await other.call('updateEvent', { body: { ...event, ...change } })).status).toBe(200)
  }
  const picture = () => server.rows('select image_hash from events')
  await saveElsewhere({ eventImage: PIXEL })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await expect(page.getByRole('img', { name: 'The event image as the landing page crops it' })).toHaveAttribute(
    'src',
    /^\/api\/event\/image\//,
  )
  const before = picture()
  await page.getByRole('button', { name: 'Edit Event Details' }).click()
  await page.evaluate(() => {
    window.createImageBitmap = () => new Promise((_, reject) => addEventListener('too-slow', () => reject('Slow')))
  })
  const buffer = Buffer.from(PIXEL.slice(PIXEL.indexOf(',') + 1), 'base64')
  await page.getByLabel('Event image', { exact: true }).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
  const save = page.getByRole('button', { name: 'Save Changes' })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  // `click()` of these tests waits until the button can be used.
  await save.dispatchEvent('click')
  await page.evaluate(() => dispatchEvent(new Event('too-slow')))
  await expect(toastOf(page, 'Failed to process image')).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)

  await page.getByLabel('Venue').fill('Riverfront Ground')
  // A group price above the ticket price is pointed out in the hint's place, and may be saved.
  const group = page.getByLabel('Group price for 4+ (₹ each)')
  const hint = 'It stays for the others when part of a group is cancelled'
  await group.fill('299')
  await expect(group).toHaveAccessibleDescription(hint)
  await group.fill('299.5')
  await expect(group).toHaveAccessibleDescription('More than the ticket price: groups pay extra for each ticket')
  await saveElsewhere({ totalTickets: 900 })
  await save.click()
  expect(picture()).toEqual(before)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(toastOf(page, 'Event updated successfully! ✨')).toBeVisible()
  expect(await eventOf(server)).toMatchObject({ venue: 'Riverfront Ground', groupPrice4: 299.5, totalTickets: 900 })
  expect(picture()).toEqual(before)
})

test('a form that opened with a draft stays open once the draft is discarded', async ({ page }) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await page.getByRole('button', { name: 'Edit Event Details' }).click()
  await page.getByLabel('Venue').fill('Riverfront Ground')
  await page.reload()
  await expect(page.getByLabel('Venue')).toHaveValue('Riverfront Ground')
  await page.getByRole('button', { name: 'Discard them' }).click()
  // The page draws itself again, as for any news.
  await page.evaluate(() => {
    history.pushState(null, '', '?from=2025-09-01')
    dispatchEvent(new PopStateEvent('popstate'))
    return new Promise((drawn) => setTimeout(drawn, 200))
  })
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible()
})

test('a form keeps none of its first values as a draft when the event is read again while it is open', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(1)
  await restoreSession(page, 'admin')
  const requests = recordRequests(page)
  await page.clock.install()
  await page.goto('/dashboard/admin/tickets')
  await page.getByRole('button', { name: /^Delete ticket/ }).click()
  const rail = page.getByRole('navigation', { name: 'Dashboard' })
  await rail.getByRole('link', { name: 'Event', exact: true }).click()
  await page.getByRole('button', { name: 'Edit Event Details' }).click()
  const body = { ...(await eventOf(server)), totalTickets: 900 }
  expect((await (await server.api('admin')).call('updateEvent', { body })).status).toBe(200)
  const asked = () => requests.filter((url) => url.endsWith('/api/event')).length
  const before = asked()
  // The ticket is deleted, so that the desk reads the event again.
  await page.clock.runFor(UNDO_MS)
  await expect.poll(asked).toBeGreaterThan(before)
  await page.getByLabel('Venue').fill('Riverfront Ground')
  await page.clock.runFor(1_000)
  await page.reload()
  await expect(page.getByLabel('Venue')).toHaveValue('Riverfront Ground')
  await expect(page.getByLabel('Total tickets')).toHaveValue('900')
})

test('a form that was open while its event was closed and another created changes nothing of the other', async ({
  page,
  server,
}) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await page.getByRole('button', { name: 'Edit Event Details' }).click()
  await page.getByLabel('Venue').fill('Riverfront Ground')
  const other = await server.api('admin')
  const event = await eventOf(server)
  await closeEvent(server)
  const body = { ...event, date: dayAhead(90), venue: 'Town Hall' }
  expect((await other.call('createEvent', { body })).status).toBe(201)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(
    toastOf(page, 'Failed to update event: This event was closed, so nothing was changed. Reload the page.'),
  ).toBeVisible()
  // The draft belongs to the event that was closed.
  await page.reload()
  await expect(page.getByRole('button', { name: 'Edit Event Details' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit Event Details' }).click()
  await expect(page.getByLabel('Venue')).toHaveValue('Town Hall')
  expect(server.rows('select venue from events where closed_at is null')).toEqual([{ venue: 'Town Hall' }])
})

test.describe('when the answer to creating an event is lost', () => {
  test.use({ serverOptions: { data: 'empty', env: { ADMIN_EMAILS: 'admin@garba.test' } } })

  test('the form says that it was created', async ({ page, server }) => {
    await openForm(page)
    await fillEvent(page)
    await page.route('**/api/event', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await submit(page)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
    await expect(toastOf(page, 'Event created successfully! 🎉')).toBeVisible()
    expect(server.rows('select count(*) as n from events')).toEqual([{ n: 1 }])
  })
})

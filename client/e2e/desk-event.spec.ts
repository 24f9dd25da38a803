import { EVENT_FORM } from '@garba/shared/messages/eventForm'
import type { Page } from '@playwright/test'
import { EVENT, fillEvent } from './support/desk.ts'
import { dayAhead } from './support/event.ts'
import { expect, test } from './support/fixtures.ts'
import { toastOf } from './support/screen.ts'
import { enterAs, restoreSession, signOutByMenu } from './support/session.ts'

test.use({ serviceWorkers: 'block', serverOptions: { data: 'empty', env: { ADMIN_EMAILS: 'admin@garba.test' } } })

test.beforeEach(async ({ page }) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await expect(page.getByRole('heading', { name: 'Create Event' })).toBeVisible()
})

const submit = (page: Page) => page.getByRole('button', { name: 'Create Event' }).click()

test('each rule of the form is said at its field and goes when the field is edited', async ({ page }) => {
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

test('what was typed is there again after a reload, until it is discarded', async ({ page }) => {
  await page.getByLabel('Event name').fill('ગરબા રાસ')
  await page.reload()
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  await expect(page.getByLabel('Event name')).toHaveValue('ગરબા રાસ')
  await page.getByRole('button', { name: 'Discard them' }).click()
  await expect(page.getByLabel('Event name')).toHaveValue('')
})

test('a session that ends at saving leads home, and the draft waits', async ({ page }) => {
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

test('signing out takes the draft along', async ({ page }) => {
  await page.getByLabel('Event name').fill('ગરબા રાસ')
  await page.reload()
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  await signOutByMenu(page)
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))).toEqual([])
  await enterAs(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await expect(page.getByLabel('Event name')).toHaveValue('')
  await expect(page.getByText('Your unsaved changes were restored.')).toBeHidden()
})

/** A picture of this size as a file, made in the page; pasted or dropped as a hand does. */
async function bring(page: Page, by: 'paste' | 'drop', { width, height }: { width: number; height: number }) {
  await page.evaluate(
    async ([kind, w, h]) => {
      const canvas = new OffscreenCanvas(w, h)
      const pen = canvas.getContext('2d')
      if (!pen) throw new Error('No canvas')
      pen.fillStyle = 'orange'
      pen.fillRect(0, 0, w, h)
      const file = new File([await canvas.convertToBlob({ type: 'image/png' })], 'garba.png', { type: 'image/png' })
      const transfer = new DataTransfer()
      transfer.items.add(file)
      const way = { bubbles: true, cancelable: true }
      const target = document.querySelector('h1') ?? document.body
      target.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...way, clipboardData: transfer })
          : new DragEvent('drop', { ...way, dataTransfer: transfer }),
      )
    },
    [by, width, height] as const,
  )
}

test('a picture pasted or dropped anywhere is scaled to 1600 px WebP; wrong files are refused', async ({
  page,
  server,
}) => {
  const picture = page.getByRole('img', { name: 'The chosen event image' })
  const input = page.getByLabel('Event image')
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await expect(page.getByText(EVENT_FORM.imageType)).toBeVisible()
  const large = Buffer.alloc(5 * 1024 * 1024 + 1)
  await input.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: large })
  await expect(page.getByText(EVENT_FORM.imageSize)).toBeVisible()
  await input.setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('not a png') })
  await expect(toastOf(page, 'Failed to process image')).toBeVisible()

  await bring(page, 'paste', { width: 3200, height: 1600 })
  await expect(picture).toBeVisible()
  await expect(page.getByText(EVENT_FORM.imageSize)).toBeHidden()
  const size = () => picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])
  await expect.poll(size).toEqual([1600, 800])
  expect(await picture.getAttribute('src')).toMatch(/^data:image\/webp;base64,/)
  await bring(page, 'drop', { width: 400, height: 300 })
  await expect.poll(size).toEqual([400, 300])

  await fillEvent(page)
  await submit(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('button', { name: 'Edit Event Details' })).toBeVisible()
  const { eventImage } = (await (await fetch(`${server.url}/api/event`)).json()).data
  expect((await fetch(new URL(eventImage, server.url))).headers.get('content-type')).toBe('image/webp')
})

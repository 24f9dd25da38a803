import { EVENT_FORM } from '@garba/shared/messages/eventForm'
import type { Page } from '@playwright/test'
import { fillEvent } from '../support/desk.ts'
import { expect, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

test.use({ serverOptions: { data: 'empty', env: { ADMIN_EMAILS: 'admin@garba.test' } } })

/** Makes a picture of this size in the page, and pastes or drops it as a file. */
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

test('a picture pasted or dropped anywhere becomes a WebP of at most 1600 px; wrong files are refused', async ({
  page,
  server,
}) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
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
  await page.getByRole('button', { name: 'Create Event' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('button', { name: 'Edit Event Details' })).toBeVisible()
  const { eventImage } = (await (await fetch(`${server.url}/api/event`)).json()).data
  expect((await fetch(new URL(eventImage, server.url))).headers.get('content-type')).toBe('image/webp')
})

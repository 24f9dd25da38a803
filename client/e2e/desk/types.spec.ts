import { changeEvent } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { restoreSession } from '../support/session.ts'

const type = (en: string, price: number) => ({ name: { en }, phases: [{ price, groupPrice: price }] })

test('a ticket type is dragged before another and past two', async ({ page, server }) => {
  await changeEvent(await server.api('admin'), {
    types: [type('General', 300), type('VIP', 900), type('Student', 100)],
  })
  // Chromium starts no drag when the page is scrolled between the press and the first move.
  await page.setViewportSize({ width: 1280, height: 4000 })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await page.getByRole('button', { name: 'Edit ticket types' }).click()
  const group = (name: string) => page.getByRole('group', { name })
  const grip = (name: string) => group(name).getByTitle('Drag to order')
  const names = () =>
    page
      .locator('legend')
      .filter({ has: page.getByTitle('Drag to order') })
      .allInnerTexts()
  await grip('VIP').dragTo(group('General'), { targetPosition: { x: 40, y: 60 } })
  await expect.poll(names, { timeout: 8_000 }).toEqual(['VIP', 'General', 'Student'])
  await grip('VIP').dragTo(group('Student'), { targetPosition: { x: 40, y: 60 } })
  await expect.poll(names).toEqual(['General', 'Student', 'VIP'])
  await page.getByRole('button', { name: 'Save ticket types' }).click()
  await expect
    .poll(() => server.rows("select json_extract(types, '$[1].name.en') as second from events"))
    .toEqual([{ second: 'Student' }])
})

test('a fault is in view beside the button that saves, and so is the name of a type that is added', async ({
  page,
  server,
}) => {
  await changeEvent(await server.api('admin'), {
    types: [type('General', 300), type('VIP', 900), type('Student', 100)],
  })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await page.getByRole('button', { name: 'Edit ticket types' }).click()
  await page.getByRole('group', { name: 'General' }).getByLabel('Name', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save ticket types' }).click()
  await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Add a type' }).click()
  const added = page.getByRole('group', { name: 'New type' }).last().getByLabel('Name', { exact: true })
  await expect(added).toBeFocused()
  await expect(added).toBeInViewport({ ratio: 1 })
})

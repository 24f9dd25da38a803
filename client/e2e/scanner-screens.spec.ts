import { changeEvent, runningNow } from './support/event.ts'
import { expect, test } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'
import { expectNoViolations, expectNoViolationsInBothSizes } from './support/screen.ts'

test('the station by keyboard and for screen readers: find, let in, undo, history', async ({ server, page }) => {
  const [ticket] = await (await server.api('guest')).buy(2)
  const gate = await Gate.open(page)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Find by name or code' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: /Name, order, or last/ })).toBeFocused()
  await page.keyboard.type('ga')
  const hits = page.getByRole('dialog').getByRole('listitem')
  await expect(hits).toHaveCount(2)
  await expectNoViolations(page)
  await page.getByRole('textbox').fill(ticket.id.slice(-8).toLowerCase())
  await expect(hits).toHaveCount(1)
  await hits.getByRole('button').press('Enter')
  await page.getByRole('button', { name: 'Let in' }).press('Enter')
  const verdict = await gate.nextVerdict(0)
  expect(verdict).toMatchObject({ look: 'allowed', words: expect.stringContaining('Welcome Garima Guest') })
  await expect(page.getByRole('button', { name: 'Continue' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(gate.verdict).toBeHidden()
  await expect(gate.recent).toContainText('by hand')
  expect(server.rows('select manual, outcome from scans')).toEqual([{ manual: 1, outcome: 'admitted' }])

  await page.getByRole('button', { name: /Undo the admission of Garima Guest/ }).press('Enter')
  await expect(gate.recent.locator('[data-ending="undone"]')).toHaveCount(1)
  expect(server.rows('select status from tickets where id = ?', ticket.id)).toEqual([{ status: 'active' }])
  expect(server.rows('select undone_at is not null as undone from scans')).toEqual([{ undone: 1 }])
  expect(await gate.tiles()).toEqual([1, 0, 0])
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await page.getByRole('menu').waitFor()
  await expectNoViolationsInBothSizes(page, 'the menu')
})

test.describe('a camera that cannot be opened', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    viewport: { width: 320, height: 568 },
  })

  test('blocked: its title, the steps of this browser, and Retry in view on the smallest screen', async ({
    server,
    page,
  }) => {
    await Gate.open(page, { failure: 'NotAllowedError' })
    await page.getByRole('button', { name: 'Start Scanner' }).click()
    // The strip about another day takes room from the words, which then scroll.
    await expect(page.getByRole('region', { name: 'The event’s day' })).toBeVisible()
    await expectNoViolations(page)
    await expect(page.getByRole('button', { name: 'Retry' })).toBeInViewport({ ratio: 1 })
    await changeEvent(await server.api('admin'), runningNow())
    await expect(page.getByRole('region', { name: 'The event’s day' })).toHaveCount(0)
    const fault = page.getByRole('region', { name: 'The camera is blocked' })
    await expect(fault.getByRole('alert')).toHaveText('Failed to access camera')
    await expect(fault.getByRole('listitem').nth(1)).toHaveText('Tap Permissions and turn Camera on.')
    await expect(fault.getByRole('button', { name: 'Retry' })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Find by name or code' })).toBeInViewport({ ratio: 1 })
    await expectNoViolations(page)
  })
})

test('without a camera there is a checklist, finding by name lets people in, and a scanner that types like a keyboard reads: it presses no button whatever is in a code, and works without a network', async ({
  context,
  server,
  page,
}) => {
  await (await server.apiAs({ uid: 'kavya', email: 'kavya@example.test', name: 'Kavya Patel' })).buy(1)
  const [first, second] = await (await server.api('guest')).buy(2)
  await changeEvent(await server.api('admin'), runningNow())
  const gate = await Gate.open(page, { labels: [] })
  await page.getByRole('button', { name: 'Start Scanner' }).click()
  await expect(page.getByRole('heading', { name: 'No Camera Available' })).toBeVisible()
  await expect(page.getByText('No cameras detected')).toBeVisible()
  await expect(page.getByText('Are camera permissions granted?')).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'No Camera Available' })).toBeVisible()
  await page.getByRole('button', { name: 'Find by name or code' }).click()
  await page.getByRole('textbox').fill('kavya')
  await page.getByRole('dialog').getByRole('listitem').getByRole('button').click()
  await page.getByRole('button', { name: 'Let in' }).click()
  expect((await gate.nextVerdict(0)).look).toBe('allowed')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Dismiss' }).click()

  const scan = async (text: string, delay = 5) => {
    await page.keyboard.type(text, { delay })
    await page.keyboard.press('Enter')
  }
  // The focus is on the button that would start the camera.
  const start = page.getByRole('button', { name: 'Start Scanner' })
  await start.focus()
  await scan(first.qrCode)
  expect(await gate.nextVerdict(1)).toMatchObject({ look: 'allowed', by: 'server' })
  await expect(gate.verdict).toBeHidden()

  // A code with Tab, Space and Enter in it cannot undo the last admission.
  const undo = page.getByRole('button', { name: /Undo the admission/ })
  await expect(undo).toBeVisible()
  const keyboard = await context.newCDPSession(page)
  const KEYS = { Tab: [9], Enter: [13, '\r'], Space: [32, ' '] } as const
  // All sent at once, so that they arrive at a scanner's pace.
  const typed = (codes: readonly (keyof typeof KEYS)[]) =>
    Promise.all(
      codes.flatMap((code) => {
        const [windowsVirtualKeyCode, text] = KEYS[code]
        const stroke = { code, key: text === ' ' ? text : code, windowsVirtualKeyCode }
        return [
          keyboard.send('Input.dispatchKeyEvent', { ...stroke, type: 'keyDown', ...(text ? { text } : {}) }),
          keyboard.send('Input.dispatchKeyEvent', { ...stroke, type: 'keyUp' }),
        ]
      }),
    )
  for (let tabs = 1; tabs <= 12; tabs++)
    for (const press of ['Enter', 'Space'] as const) {
      await start.focus()
      await typed([...Array<'Tab'>(tabs).fill('Tab'), press, 'Enter'])
    }
  await expect(undo).toBeVisible()
  expect(server.rows('select undone_at from scans')).toEqual([{ undone_at: null }, { undone_at: null }])
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await scan(first.qrCode)
  expect(await gate.nextVerdict(2)).toMatchObject({ look: 'refused' })
  await expect(page.getByRole('heading', { name: 'No Camera Available' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Continue' }).click()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Find by name or code' }).click()
  // In a field it is text, and a person types slowly everywhere.
  await scan(second.qrCode)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  // Now nothing has the focus that Enter would press.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await scan(second.qrCode.slice(0, 12), 130)
  await scan(second.qrCode)
  expect(await gate.nextVerdict(3)).toMatchObject({ look: 'pending', by: 'device' })
  await expect.poll(() => gate.tiles()).toEqual([4, 3, 1])
})

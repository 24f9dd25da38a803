import { UPI_AND_DESK } from '../support/deskMoney.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

async function openPaper(page: Page) {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/orders/sell')
  await expect(page.getByRole('heading', { name: 'Paper tickets' })).toBeVisible()
}
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const codes = (server: TestServer) =>
  server.rows('select state, count(*) as n from block_codes group by state order by 1')

async function makeBlock(page: Page, label: string, size: string) {
  await field(page, 'Name of the block').fill(label)
  await field(page, 'How many').fill(size)
  await page.getByRole('button', { name: 'Make a block' }).click()
  await expect(toastOf(page, `Block ${label} made. Print its sheet next.`)).toBeVisible()
}

test.describe('where the desk takes money', () => {
  test.use({ serverOptions: { env: UPI_AND_DESK } })

  test('paper is made, activated by its numbers and taken back, and shows what is left', async ({ page, server }) => {
    await openPaper(page)
    await expect(page.getByText('No paper tickets yet.')).toBeVisible()
    await makeBlock(page, 'રવિ સ્ટોર્સ', '20')
    await expect(page.getByText('Left: 1 to 20')).toBeVisible()

    await page.getByRole('button', { name: 'Activate tickets of રવિ સ્ટોર્સ' }).click()
    const dialog = page.getByRole('dialog', { name: 'Activate paper tickets' })
    await dialog.getByRole('textbox', { name: 'Last number' }).fill('40')
    await expect(dialog).toContainText('Enter two numbers from 1 to 20, the first one first')
    await expect(dialog.getByRole('button', { name: 'Activate' })).toBeDisabled()
    await dialog.getByRole('textbox', { name: 'Last number' }).fill('5')
    await expect(dialog).not.toContainText('5 tickets at')
    await expect(dialog.getByRole('button', { name: 'Activate' })).toBeDisabled()
    await dialog.getByRole('radio', { name: 'Sold singly, ₹299 each' }).click()
    await expect(dialog).toContainText('5 tickets at ₹299 = ₹1,495')
    await dialog.getByRole('radio', { name: 'Sold as a group, ₹249 each' }).click()
    await expect(dialog).toContainText('5 tickets at ₹249 = ₹1,245')
    await expect(dialog).toContainText('Open your cash session before you take cash.')
    await expect(dialog.getByRole('button', { name: 'Activate' })).toBeDisabled()
    await expect(dialog.getByRole('textbox', { name: 'Cash you start with (₹)' })).toBeVisible()
    await dialog.getByRole('button', { name: 'UPI', exact: true }).click()
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await expect(toastOf(page, 'Activated 1 to 5: ₹1,245')).toBeVisible()
    await expect(page.getByText('Left: 6 to 20')).toBeVisible()

    await page.getByRole('button', { name: 'Take back tickets of રવિ સ્ટોર્સ' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'First number' }).fill('19')
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
    await expect(toastOf(page, 'Taken back: 19 to 20')).toBeVisible()
    await expect(page.getByText('Left: 6 to 18')).toBeVisible()
    expect(codes(server)).toEqual([
      { state: 'allotted', n: 13 },
      { state: 'returned', n: 2 },
      { state: 'sold', n: 5 },
    ])
    expect(server.rows('select channel, provider, buyer_name as buyer, quantity from orders')).toEqual([
      { channel: 'desk', provider: 'upi', buyer: 'રવિ સ્ટોર્સ', quantity: 5 },
    ])
  })

  test('a range with numbers that are sold is refused in words, and the dialog stays open', async ({
    page,
    server,
  }) => {
    await openPaper(page)
    await makeBlock(page, 'Ravi', '4')
    await page.getByRole('button', { name: 'Activate tickets of Ravi' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Last number' }).fill('2')
    await page.getByRole('dialog').getByRole('button', { name: 'Card' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
    await expect(page.getByText('Left: 3 to 4')).toBeVisible()
    await page.getByRole('button', { name: 'Take back tickets of Ravi' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take back paper tickets' })
    await dialog.getByRole('textbox', { name: 'First number' }).fill('2')
    await dialog.getByRole('button', { name: 'Take back' }).click()
    await expect(page.getByText(/Already sold or returned: 2\. Nothing was changed\./)).toBeVisible()
    await expect(dialog).toBeVisible()
    expect(codes(server)).toEqual([
      { state: 'allotted', n: 2 },
      { state: 'sold', n: 2 },
    ])
  })
})

test('paper is made, sold and taken back once, although the answers were lost', async ({ page, server }) => {
  await openPaper(page)
  const lost = new Set<string>()
  await page.route(/\/api\/admin\/blocks(\/.*)?$/, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (route.request().method() !== 'POST' || lost.has(pathname)) return route.continue()
    lost.add(pathname)
    await route.fetch()
    if (pathname.endsWith('/return')) await route.abort()
    else await route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Broken' } })
  })
  await field(page, 'Name of the block').fill('Crew')
  await field(page, 'How many').fill('3')
  await page.getByRole('button', { name: 'Make a block' }).click()
  await expect(toastOf(page, /^Failed to make the block: Server error/)).toBeVisible()
  await page.getByRole('button', { name: 'Make a block' }).click()
  await expect(toastOf(page, 'Block Crew made. Print its sheet next.')).toBeVisible()

  await page.getByRole('button', { name: 'Activate tickets of Crew' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activate paper tickets' })
  await dialog.getByRole('textbox', { name: 'Last number' }).fill('2')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Dancers')
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await expect(toastOf(page, /^Failed to activate: Server error/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await expect(toastOf(page, 'Activated 1 to 2: ₹0')).toBeVisible()

  await page.getByRole('button', { name: 'Take back tickets of Crew' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await expect(toastOf(page, /^Taken back: 3/)).toBeVisible()
  expect(codes(server)).toEqual([
    { state: 'returned', n: 1 },
    { state: 'sold', n: 2 },
  ])
  expect(server.rows('select count(*) as n from orders')).toEqual([{ n: 1 }])
})

test('where the desk takes no money, paper is given away with a reason', async ({ page, server }) => {
  await openPaper(page)
  await makeBlock(page, 'Crew', '2')
  await page.getByRole('button', { name: 'Activate tickets of Crew' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activate paper tickets' })
  await expect(dialog.getByRole('button', { name: 'Activate' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Dancers')
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await expect(toastOf(page, 'Activated 1 to 2: ₹0')).toBeVisible()
  expect(codes(server)).toEqual([{ state: 'sold', n: 2 }])
})

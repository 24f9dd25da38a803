import { rows } from '../support/desk.ts'
import { confirmUpi, must, orderByUpi, UPI_AND_DESK } from '../support/deskMoney.ts'
import { expect, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

test.describe('where guests pay by UPI', () => {
  test.use({ serverOptions: { env: UPI_AND_DESK } })

  test('a bank statement is imported by its columns, and its matches are confirmed after a look', async ({
    page,
    server,
  }) => {
    const { code: radha } = await orderByUpi(server, { name: 'રાધા પટેલ', utr: '412345678901' })
    const { code: meera } = await orderByUpi(server, { name: 'Meera' })
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money')
    await page.getByRole('link', { name: 'Bank statement' }).click()
    await expect(page.getByText('No statement imported yet')).toBeVisible()
    const csv = `Date,Narration,Credit\n08/08/2025,UPI/412345678901,299.00\n08/08/2025,UPI/412345678902/${meera},299\n08/08/2025,RENT,"1,00,000.00"\n09/08/2025,Shah,2,500`
    await page.getByLabel('Statement file').setInputFiles({
      name: 'statement.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv),
    })
    await page.getByRole('dialog', { name: 'Columns' }).getByRole('button', { name: 'Import' }).click()
    await expect(page.getByText('3 new lines, 0 already known, 1 skipped')).toBeVisible()
    await expect(page.getByRole('heading', { name: '1 row skipped' })).toBeVisible()
    await expect(page.getByText('Line 5: more or fewer cells than the header')).toBeVisible()
    const lines = rows(page, 'Bank statement')
    await expect(lines).toHaveCount(3)
    await page.getByRole('button', { name: 'Confirm 1 match' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText('1 payment confirmed')).toBeVisible()
    await expect(lines.filter({ hasText: radha })).toContainText('Confirmed')
    await expect(lines.filter({ hasText: meera })).toContainText('Code matches')
    await expect(lines.filter({ hasText: '₹1,00,000' })).toContainText('Unmatched')
    await expect(page.getByText('1 line without an order.')).toBeVisible()

    await page.getByRole('button', { name: 'Set aside the credit of ₹1,00,000' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set aside' })
    await expect(dialog.getByRole('button', { name: 'Set aside' })).toBeDisabled()
    await dialog.getByRole('textbox', { name: 'What is it?' }).fill('Rent of the ground')
    await dialog.getByRole('button', { name: 'Set aside' }).click()
    await expect(page.getByRole('heading', { name: '1 line set aside' })).toBeVisible()
    await expect(page.getByText('Every line has its order.')).toBeVisible()
    await expect(lines).toHaveCount(2)
    await expect(page.getByRole('listitem').filter({ hasText: 'Rent of the ground' })).toContainText('By Asha Admin')
    await page.getByRole('button', { name: 'Bring back the credit of ₹1,00,000' }).click()
    await expect(lines).toHaveCount(3)
    await expect(page.getByText('1 line without an order.')).toBeVisible()
  })

  test('a second transfer for an order is recorded there, and waits to be paid back', async ({ page, server }) => {
    const { code } = await orderByUpi(server, { name: 'Meera' })
    await confirmUpi(server, code, '412345678901')
    const csv = `Date,Narration,Credit\n08/08/2025,UPI/412345678902/${code},299.00`
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money/statement')
    const buffer = Buffer.from(csv)
    await page.getByLabel('Statement file').setInputFiles({ name: 'statement.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('dialog', { name: 'Columns' }).getByRole('button', { name: 'Import' }).click()
    const line = rows(page, 'Bank statement').first()
    await expect(line).toContainText('Order already paid')
    await line.getByRole('button', { name: `Record ₹299 in order ${code}?` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Record' }).click()
    await expect(toastOf(page, `Recorded in order ${code}`)).toBeVisible()
    await expect(line).toContainText('Confirmed')
    expect(server.rows('select kind, amount_paise as paise from refunds')).toEqual([
      { kind: 'duplicate', paise: 29_900 },
    ])
  })

  test('a file whose dates fit both orders is imported once the desk has said which', async ({ page, server }) => {
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money/statement')
    const csv = `From,1 Nov 2025,To,20 Nov 2025\nDate,Narration,Credit\n11/05/2025,UPI/412345678901/x,299\n11/06/2025,UPI/412345678902/x,299`
    const buffer = Buffer.from(csv)
    await page.getByLabel('Statement file').setInputFiles({ name: 'statement.csv', mimeType: 'text/csv', buffer })
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    const order = dialog.getByRole('combobox', { name: 'Dates in this file' })
    await expect(order).toContainText('Choose')
    await expect(dialog).toContainText(
      'With the day first, some dates would be in the future or outside the statement.',
    )
    await expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled()
    await order.click()
    await page.getByRole('option', { name: 'Month, then day' }).click()
    await dialog.getByRole('button', { name: 'Import' }).click()
    await expect(page.getByText('2 new lines, 0 already known, 0 skipped')).toBeVisible()
    await expect(rows(page, 'Bank statement').first()).toContainText('6 Nov 2025')
    expect(server.rows('select day from statement_lines order by day')).toEqual([
      { day: '2025-11-05' },
      { day: '2025-11-06' },
    ])
  })

  test('a credit that may be another form of one that paid an order does not say that two orders claim it', async ({
    page,
    server,
  }) => {
    const { code } = await orderByUpi(server, { name: 'Meera' })
    const admin = await server.api('admin')
    const first = `Date,Narration,UTR,Credit\n08/08/2025,NEFT 632910118785/${code},611111111111,299`
    const mapping = { date: 0, description: 1, utr: 2, amount: 3 }
    const { body } = await admin.call('importStatement', { body: { csv: first, mapping } })
    const lines = (body as { lines: { id: string }[] }).lines.map(({ id }) => id)
    await must(admin.call('confirmStatement', { body: { lines } }))
    const second = 'Date,Narration,Credit\n08/08/2025,UPI/632910118785/MEERA,299'
    await must(
      admin.call('importStatement', { body: { csv: second, mapping: { date: 0, description: 1, amount: 2 } } }),
    )
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money/statement')
    const line = rows(page, 'Bank statement').filter({ hasText: '632910118785/MEERA' })
    await expect(line).toContainText('May have counted already')
    await expect(line).toContainText(code)
    await expect(page.getByText('Two orders claim it')).toHaveCount(0)
  })

  test('a file that Excel saved as Unicode text is read, and an unreadable file shows an error; payouts say so when the provider has not been asked yet', async ({
    page,
  }) => {
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/money/statement')
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel('Statement file').setInputFiles({ name, mimeType: 'text/plain', buffer })
    const text = 'Date\tNarration\tCredit\n08/08/2025\tUPI/412345678904/શાહ\t299.00'
    await choose('statement.txt', Buffer.from(`\ufeff${text}`, 'utf16le'))
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    await expect(dialog).toContainText('UPI/412345678904/શાહ')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.evaluate(() => {
      File.prototype.arrayBuffer = () => Promise.reject(new Error('The file has gone'))
    })
    await choose('statement.csv', Buffer.from(text))
    await expect(toastOf(page, 'An unexpected error occurred.')).toBeVisible()
    await page.goto('/dashboard/admin/money/payouts')
    await expect(page.getByText('No payouts yet')).toBeVisible()
    await expect(page.getByText('The provider has not been asked yet.')).toBeVisible()
  })
})

import { readFileSync } from 'node:fs'
import { rows } from '../support/desk.ts'
import { UPI_AND_DESK } from '../support/deskMoney.ts'
import { expect, test } from '../support/fixtures.ts'
import { restoreSession } from '../support/session.ts'

test.use({ serverOptions: { env: UPI_AND_DESK } })

const file = (name: string) => new URL(`../../../server/src/testing/statements/${name}`, import.meta.url)

test('files of every type that banks give are read by the desk’s own picker, and a second time change no row', async ({
  page,
  server,
}) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/money/statement')
  const picker = page.getByLabel('Statement file')
  for (const type of ['.xls', '.xlsx', '.csv', '.txt', '.pdf'])
    expect(await picker.getAttribute('accept')).toContain(type)
  const lines = rows(page, 'Bank statement')
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  const choose = async (name: string, buffer = readFileSync(file(name))) => {
    await picker.setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
    await dialog.getByRole('button', { name: 'Import' }).click()
    await expect(dialog).toBeHidden()
  }
  const files = [
    ['sbi-2026.xlsx', ['632910174218', '632910182137']],
    ['icici-optransaction.xls', ['632910229651', '632910237570']],
    ['html-named.xls', ['632910546411']],
    ['sbi-old.xls', ['632910118785', '632910126704']],
    ['canara.csv', ['632910673115', '632910681034']],
    ['enc-UTF-16BE-with-mark.txt', []],
    ['enc-UTF-16LE-with-mark.txt', []],
    ['enc-UTF-16LE-without-mark.txt', []],
    ['enc-UTF-8-with-mark.txt', []],
    // The five have the same credit.
    ['enc-Windows-1252-with-a-hard-space.txt', ['632910538492']],
  ] as const
  for (const [name, utrs] of files) {
    await choose(name)
    for (const utr of utrs) await expect(lines.filter({ hasText: utr })).toHaveCount(1)
  }
  await expect(lines).toHaveCount(10)
  const stored = () => server.rows('select * from statement_lines order by id')
  const before = stored()
  for (const [name] of files) await choose(name)
  expect(stored()).toEqual(before)
  const xml = `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Info"><Table><Row><Cell><Data ss:Type="String">Garba Samiti</Data></Cell></Row></Table></Worksheet><Worksheet ss:Name="List"><Table>
<Row>${['Date', 'Narration', 'Credit'].map((name) => `<Cell><Data ss:Type="String">${name}</Data></Cell>`).join('')}</Row>
<Row><Cell><Data ss:Type="String">05/11/2026</Data></Cell><Cell><Data ss:Type="String">UPI/MOB/632910000001/x</Data></Cell><Cell><Data ss:Type="Number">299</Data></Cell></Row></Table></Worksheet></Workbook>`
  await choose('list.xls', Buffer.from(xml))
  await expect(lines.filter({ hasText: '632910000001' })).toHaveCount(1)
  await picker.setInputFiles({ name: 'statement.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
  await expect(page.getByText('A PDF cannot be read: download the statement from the bank as Excel')).toBeVisible()
  await picker.setInputFiles({
    name: 'password.xlsx',
    mimeType: 'text/plain',
    buffer: readFileSync(file('password.xlsx')),
  })
  await expect(page.getByText('This file has a password: download the statement as CSV')).toBeVisible()
  await picker.setInputFiles({
    name: 'broken.xlsx',
    mimeType: 'application/zip',
    buffer: Buffer.from('PK\u0003\u0004 broken'),
  })
  await expect(page.getByText('This file cannot be read: download the statement')).toBeVisible()
})

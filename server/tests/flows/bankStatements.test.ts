import { readFileSync } from 'node:fs'
import { statementMappingSchema } from '@garba/shared/contracts/money/statement'
import { STATEMENT } from '@garba/shared/messages/money'
import { BANK_FORMS, findCutCodes, readNarration, WORDS_BETWEEN } from '@garba/shared/rules/orders/bankForms'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readColumns, readCredits } from '../../src/flows/reconciliation/statementFile.ts'

const TODAY = '2026-11-29'

/** Invented data in the shapes that banks and payment apps write. */
function readFile(name: string) {
  const bytes = readFileSync(new URL(`../../src/testing/statements/${name}`, import.meta.url))
  return readGuessed(bytes.toString('utf8'))
}

function readGuessed(csv: string) {
  const { mapping } = readColumns(csv, TODAY)
  return readCredits(csv, statementMappingSchema.parse(mapping))
}

/** Whether the words have this code whole, or its beginning where the bank cuts it off. */
const hasCode = (description: string, code: string): boolean =>
  code.length === 8 ? description.split(/[^0-9A-Z]+/i).includes(code) : findCutCodes(description).includes(code)

test.each([
  ['sbi-old.xls', ['11-05 299 632910118785 NWRZM', '11-06 598 632910126704 28F82']],
  [
    'sbi-stamp.csv',
    [
      '11-05 299 632910174218 4YSP',
      '11-06 299 632910182137 2FSW',
      '11-07 299 632910190056 10CS',
      '11-08 598 632910197975 MWG3',
    ],
  ],
  ['sbi-overlap-old.tsv', ['11-05 299 632958092087 -', '11-05 200 632958107925 -']],
  ['sbi-overlap-new.csv', ['11-05 299 632958092087 -', '11-05 200 632958107925 -']],
  ['sbi-xlsx-wrapped.csv', ['11-05 299 632910007919 F8HD', '11-06 598 632910015838 ZNYD']],
  ['hdfc-delimited.txt', ['11-05 299 632910007919 QH6ASQMQ', '11-06 598 632910015838 G71NBF20', '11-14 10000 null -']],
  ['hdfc-xls-saved.csv', ['11-05 299 632910063352 T72T4MK0', '11-06 598 632910071271 4TMGHB17', '11-07 2990 null -']],
  ['icici-new.csv', ['11-05 299 632910285084 GYXE208H', '11-06 598 632910293003 G8SEBJV5']],
  ['icici-cib.csv', ['11-05 299 632911005713 0VFEB97J', '11-06 598 632911013632 CKJBP7EX']],
  ['icici-whatsapp-1.csv', ['11-06 598 632910134623 5XQRK98X']],
  ['icici-whatsapp-2.csv', ['11-06 598 632910134623 5XQRK98X', '11-07 598 632910142542 6JS16ZVQ']],
  ['kotak-drcr.csv', ['11-05 299 632910506816 NMDQVHJW', '11-06 598 632910514735 RMVFTDF6']],
  ['kotak-two-numbers.csv', ['11-06 598 632910150461 66Y2MRZC']],
  ['kotak-overlap-1.csv', ['11-06 598 632910039595 VC72VPEB']],
  ['kotak-overlap-2.csv', ['11-06 598 632910039595 VC72VPEB']],
  ['axis-savings.csv', ['11-05 299 632910340517 8YV2098Z', '11-06 598 632910348436 ZC90HCGQ']],
  ['axis-current.csv', ['11-05 299 632910395950 DJ3T129K', '11-06 598 632910403869 NQNBGADA']],
  ['axis-current-overdrawn.csv', ['11-05 299 632910110866 70JWF4DQ', '11-06 598 632910118785 W4FJS8GW']],
  ['canara.csv', ['11-05 299 632910673115 VPS4REQ1', '11-06 598 632910681034 WQ8VQKS5']],
  ['canara-grouped.csv', ['11-05 1299 632910031676 3P7GC02S', '11-06 1 null -']],
  ['unescaped-quotes.csv', ['11-05 1299 632958147520 088SBDE8', '11-06 598 632958155439 W8BNZGN2']],
  ['idfc-narrative.csv', ['11-05 299 632910007919 8EAG555R', '11-06 598 632910015838 X3XGFE3G']],
  ['paytm-upi.csv', ['11-05 299 632911061146 5SR4QT9Z', '11-06 598 632911069065 62DR2PGR']],
  ['paytm-remarks.csv', ['11-06 598 632910213813 VN0H3E4Y']],
  ['app-report-with-failed.csv', ['11-05 598 632958139601 -']],
  ['leading-zero-lost.csv', ['11-05 299 null -']],
  ['enc-UTF-8-with-mark.txt', ['11-05 299 632910538492 M92RJ5WN']],
])('%s is read as its bank means it', (name, expected) => {
  const { credits } = readFile(name)
  const shown = credits.map(({ day, paise, utr }) => `${day.slice(5)} ${paise / 100} ${utr}`)
  expect(shown).toEqual(expected.map((line) => line.split(' ').slice(0, 3).join(' ')))
  for (const [at, line] of expected.entries()) {
    const code = line.split(' ')[3] ?? '-'
    if (code !== '-') expect(credits[at]).toSatisfy((credit) => hasCode(credit.description, code))
  }
})

const SOURCES = BANK_FORMS.flatMap(({ bank, source }) =>
  (source.match(/[\w-]+\.(?:csv|tsv|txt|xls)\b/g) ?? []).map((file) => [bank, file] as const),
)
test.each(SOURCES)('the form of %s is that of %s, its source', (bank, file) => {
  const narrations = readFile(file).credits.flatMap(({ description }) => description.split(WORDS_BETWEEN))
  expect(narrations.map((text) => readNarration(text)?.bank)).toContain(bank)
})

test('a credit of Federal that ends with its RRN or its VPA is read', () => {
  for (const text of ['UPI IN/632910285084', 'UPI IN/632910285084/radha@okicici'])
    expect(readNarration(text)).toEqual({ bank: 'Federal', rrn: '632910285084', remark: null })
})

test('a number that a spreadsheet shortened is named by its line', () => {
  const { notes } = readFile('leading-zero-lost.csv')
  expect(notes).toEqual([{ line: 2, message: STATEMENT.shortened }])
  expect(readGuessed('Date,Narration,UTR,Amount\n05/11/2026,x,6.32911E+11,+299').notes).toHaveLength(1)
  expect(readFile('app-report-with-failed.csv').notes).toBeUndefined()
})

test.each([
  ['Debit/Credit', '05/11/2026,UPI/632910110866/x,299,CR', 'Cash Withdrawal'],
  ['Dr / Cr', '05/11/2026,UPI/632910110866/x,299,Credited', 'Charges'],
  ['Type', '05/11/2026,UPI/632910110866/x,299,Received', 'Commission'],
])('%s says that money came in only with a known word', (column, credit, other) => {
  const csv = `Date,Narration,Amount,${column}\n${credit}\n06/11/2026,ATM,500,${other}`
  const { credits, skippedRows } = readGuessed(csv)
  expect(credits).toHaveLength(1)
  expect(skippedRows).toMatchObject([{ why: 'noSide', cell: { column, text: other } }])
})

const DATED = (dates: readonly string[], above = '') =>
  `${above}Date,Narration,Credit\n${dates.map((date, at) => `"${date}",UPI/63291011080${at}/x,299`).join('\n')}`

test.each([
  [
    ['11/05/2026', '11/13/2026'],
    ['2026-11-05', '2026-11-13'],
  ],
  [
    ['05/11/2026', '13/11/2026'],
    ['2026-11-05', '2026-11-13'],
  ],
  [
    ['05/11/2026', '06/11/2026'],
    ['2026-11-05', '2026-11-06'],
  ],
  [
    ['05 Nov 2026 07:55 PM', 'Nov 06, 2026'],
    ['2026-11-05', '2026-11-06'],
  ],
  [
    ['2026-11-05T18:20:11', '20261106'],
    ['2026-11-05', '2026-11-06'],
  ],
  [
    ['46331', '46332.7640'],
    ['2026-11-05', '2026-11-06'],
  ],
  [
    ['5-Nov-26', '06.11.2026 09:10:01'],
    ['2026-11-05', '2026-11-06'],
  ],
])('the dates %j are read', (dates, days) => {
  expect(readGuessed(DATED(dates)).credits.map(({ day }) => day)).toEqual(days)
})

test.each([
  ['the days would be in the future', DATED(['11/12/2026', '10/12/2026'])],
  ['the days are outside the statement', DATED(['11/05/2026', '11/06/2026'], 'From,1 Nov 2026,To,20 Nov 2026\n')],
])('if day and month fit both ways and %s, a person is asked', (_, csv) => {
  expect(readColumns(csv, TODAY).asksDateOrder).toBe(true)
  const read = (monthFirst: boolean) =>
    readCredits(csv, { date: 0, description: 1, amount: 2, monthFirst }).credits.map(({ day }) => day)
  expect(read(true).every((day) => day <= TODAY)).toBe(true)
  expect(read(true)).not.toEqual(read(false))
})

test('nobody is asked where the usual order is plausible, or neither is', () => {
  for (const date of ['05/11/2026', '11/12/2027', '13/12/2026'])
    expect(readColumns(DATED([date]), TODAY).asksDateOrder).toBeUndefined()
})

test('each skipped row has its true reason and cell', () => {
  const csv = `Date,Narration,Debit,Credit,Balance
05/11/2026,a,,Rs. 299/-,1
13/11/2026,b,,299.00 Credit,"-,77,65,682.30"
06/11/2026,c,(299.00),,1
06/11/2026,d,,(299.00),1
06/11/2026,e,,abc,1
11/13/2026,f,,299,1
06/11/2026,g,1,299,1
Total,,1,1,`
  const { credits, skippedRows } = readGuessed(csv)
  expect(credits.map(({ paise }) => paise)).toEqual([29_900, 29_900])
  expect(skippedRows.map(({ line, why, cell }) => [line, why, cell?.column, cell?.text])).toEqual([
    [6, 'noAmount', 'Credit', 'abc'],
    [7, 'wrongDate', 'Date', '11/13/2026'],
    [8, 'bothSides', 'Debit', '1'],
    [9, 'noDate', undefined, undefined],
    [4, 'debit', undefined, undefined],
    [5, 'debit', undefined, undefined],
  ])
  expect(readFile('paytm-upi.csv').skippedRows.map(({ why, cell }) => [why, cell?.text])).toEqual([
    ['noSign', '27,000.00'],
    ['debit', undefined],
  ])
  expect(readFile('app-report-with-failed.csv').skippedRows).toMatchObject([
    { why: 'failed', cell: { column: 'Transaction Status', text: 'FAILED' } },
  ])
})

test('a header over two lines, a table of sums above it, repeated headers and continued rows', () => {
  const csv = `Statement Date,Opening Amount,Closing Amount
20/11/2026,"10,000.00","10,897.00"
Txn,Transaction,Amount,Amount,Balance
Date,Particulars,(Dr),(Cr),
05/11/2026,UPI/RADHA KISHOR/radhakishor7@ok/GYXE2,,299.00,"10,299.00"
,08H/State Bank/63291028,,,
,5084/SBI77f2a1,,,
Txn,Transaction,Amount,Amount,Balance
Date,Particulars,(Dr),(Cr),
06/11/2026,CASH DEPOSIT BY,,598.00,"10,897.00"
,GARBA SAMITI,,,
Total,,0.00,897.00,`
  expect(readGuessed(csv).credits).toMatchObject([
    {
      paise: 29_900,
      utr: '632910285084',
      description: 'UPI/RADHA KISHOR/radhakishor7@ok/GYXE208H/State Bank/632910285084/SBI77f2a1',
    },
    { paise: 59_800, utr: null, description: 'CASH DEPOSIT BY GARBA SAMITI' },
  ])
})

test('what stands below a merged name belongs to it', () => {
  const csv = 'Date,,Narration,,Credit\n05/11/2026,,,UPI/632910285084/x,299\n,06/11/2026,UPI/632910285085/x,,299'
  expect(readGuessed(csv).credits.map(({ day, utr }) => [day, utr])).toEqual([
    ['2026-11-05', '632910285084'],
    ['2026-11-06', '632910285085'],
  ])
})

const digits = fc.stringMatching(/^[1-9]\d{11}$/)
const name = fc.stringMatching(/^[A-Z]{3,9}$/)
const code = fc.stringMatching(/^[0-9A-Z]{8}$/)

/** The credit of each form, with numbers of its bank and of a phone in every other place that may have one. */
const line = fc
  .record({ rrn: digits, own: digits, phone: digits, name, code })
  .filter(({ rrn, own, phone }) => new Set([rrn, own, phone]).size === 3)
const FORMS: Record<
  string,
  (facts: { rrn: string; own: string; phone: string; name: string; code: string }) => [string, string]
> = {
  'SBI to 2025': ({ rrn, own, phone, name: who, code: its }) => [
    `BY TRANSFER-UPI/CR/${rrn}/${who}/UTIB/${phone}/${its.slice(0, 5)}--`,
    `TRANSFER FROM 4${own}`,
  ],
  'SBI 2026': ({ rrn, own, phone, name: who, code: its }) => [
    `DEP TFR UPI/CR/${rrn}/${who}/UTIB/${phone}/${its.slice(0, 4)} 0${own} AT 16587 X`,
    own,
  ],
  HDFC: ({ rrn, own, phone, name: who, code: its }) => [
    `UPI-${who}-${phone}@YBL-SBIN0001234-${rrn}-${its} ${own}`,
    `0000${rrn}`,
  ],
  'ICICI to 2024': ({ rrn, own, phone, code: its }) => [`UPI/${rrn}/${its}/${phone}@wa/State Bank/ICI${own}`, own],
  ICICI: ({ rrn, own, phone, name: who, code: its }) => [
    `UPI/${who}/${phone}@wa/${its}/State Bank/${rrn}/WAI${own}/`,
    own,
  ],
  Kotak: ({ rrn, own, name: who, code: its }) => [`UPI/${who}/${rrn}/${its}`, `UPI-${own}`],
  Axis: ({ rrn, own, name: who, code: its }) => [`UPI/P2A/${rrn}/${who}/HDFC BANK/${its}`, own],
  Canara: ({ rrn, own, name: who, code: its }) => [
    `UPI/CR/${rrn}/${who}/SBIN/**X@YBL/${its}/SBIC${own}/05/11/2026 18:20:11`,
    rrn,
  ],
  Union: ({ rrn, own, phone, name: who }) => [`UPIAB/${rrn}/CR/${who}/UTIB/${phone}@ybl`, own],
  IDFC: ({ rrn, own, code: its }) => [`UPI/MOB/${rrn}/${its}`, own],
  Federal: ({ rrn, own, phone, code: its }) => [`UPI IN/${rrn}/${phone}@ybl/${its}/5085`, own],
  IDBI: ({ rrn, own, name: who }) => [`UPI/${rrn}/${who}`, own],
}

test.each(Object.keys(FORMS))('%s: no number outside the place of the RRN ever matches', (bank) => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
      const rows = lines.map((facts) =>
        FORMS[bank]?.(facts)
          .map((cell) => `="${cell}"`)
          .join(','),
      )
      const csv = `Date,Narration,Ref No,Credit\n${rows.map((row) => `05/11/2026,${row},299`).join('\n')}`
      expect(readGuessed(csv).credits.map(({ utr }) => utr)).toEqual(lines.map(({ rrn }) => rrn))
    }),
    { numRuns: 60 },
  )
})

test('without a known form only a column of UTRs or a chosen reference counts, and never one that credits share', () => {
  const read = (csv: string) => readGuessed(csv).credits.map(({ utr }) => utr)
  expect(read('Date,Narration,Credit\n05/11/2026,RADHA 632910285084,299')).toEqual([null])
  expect(read('Date,Narration,UTR,Credit\n05/11/2026,RADHA,632910285084,299')).toEqual(['632910285084'])
  expect(read('Date,Narration,Ref No,Credit\n05/11/2026,RADHA,632910285084,299')).toEqual(['632910285084'])
  const pool = '\n05/11/2026,RADHA,632910285084,299\n05/11/2026,MEHUL,632910285084,299'
  expect(read(`Date,Narration,Ref No,Credit${pool}`)).toEqual([null, null])
  expect(read('Date,Narration,Ref No,Credit\n05/11/2026,CASH,000000000000000,299')).toEqual([null])
})

import { readFileSync } from 'node:fs'
import { type StatementMapping, statementMappingSchema } from '@garba/shared/contracts/money/statement'
import { STATEMENT } from '@garba/shared/messages/money'
import { expect, test } from 'vitest'
import { Refusal } from '../../refusal.ts'
import { readColumns, readCredits } from './statementFile.ts'

const TODAY = '2026-11-29'

const HDFC = `\uFEFFHDFC BANK LTD,,,,,,
Account No : 50100012345678,,,,,,
,,,,,,
Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance
05/09/25,UPI-RADHA PATEL-radha@okaxis-412345678901-GARBA,0000412345678901,05/09/25,,"1,00,299.00","1,12,000.50"
05/09/25,UPI-OUT-412345678902,0000412345678902,05/09/25,500.00,,"1,11,500.50"
06/09/25,CASH DEPOSIT,,06/09/25,,299.00,"1,11,799.50"
06/09/25,CASH DEPOSIT,,06/09/25,,299.00,"1,12,098.50"
********,,,,,,
STATEMENT SUMMARY :-,,,,500.00,"1,00,897.00",
`

test('the credits of a statement with title lines, Indian thousands, padded references and totals', () => {
  const { columns, mapping, sample } = readColumns(HDFC, TODAY)
  expect(columns[1]).toBe('Narration')
  expect(mapping).toEqual({ date: 0, description: 1, utr: 2, amount: 5 })
  expect(sample[0]?.[2]).toBe('0000412345678901')
  const { credits, skipped } = readCredits(HDFC, { date: 0, description: 1, utr: 2, amount: 5 })
  expect(credits).toMatchObject([
    { day: '2025-09-05', paise: 10_029_900, utr: '412345678901' },
    { day: '2025-09-06', paise: 29_900, utr: null, description: 'CASH DEPOSIT' },
    { day: '2025-09-06', paise: 29_900, utr: null },
  ])
  expect(skipped).toBe(3)
  expect(credits.map(({ repeat }) => repeat)).toEqual([0, 0, 1])
})

test('one amount column with Cr and Dr, semicolons, named months, and a UTR within the text alone', () => {
  const csv = `Txn Date;Remarks;Type;Amount (INR);Balance
5-Sep-2025;"UPI/412345678901/AB12CD34; thanks";CR;299.00;1
06 September 2025;UPI/412345678902/x;DR;299.00;1
07-09-2025;="412345678903";Cr.;Rs. 598;1
2025-09-08;'412345678904;C;-598;1
31/09/2025;412345678905;CR;299;1`
  const { mapping } = readColumns(csv, TODAY)
  expect(mapping).toEqual({ date: 0, description: 1, direction: 2, amount: 3 })
  const { credits, skipped } = readCredits(csv, { date: 0, description: 1, direction: 2, amount: 3 })
  expect(credits).toMatchObject([
    { day: '2025-09-05', paise: 29_900, utr: '412345678901' },
    // A number alone may be anybody's.
    { day: '2025-09-07', paise: 59_800, utr: null, numbers: ['412345678903'] },
  ])
  expect(skipped).toBe(3)
})

test('of two columns of amounts the one with Cr in its name is chosen', () => {
  const csv = 'Date,Narration,Amount (Dr),Amount (Cr)\n05/09/2025,412345678901,299,\n05/09/2025,412345678902,,598'
  expect(readAsGuessed(csv)).toEqual({ credits: [['412345678902', 598]], skipped: [[2, 'debit']] })
})

test('a formula in a cell stays text', () => {
  const csv = `Date,Description,Credit\n05/09/2025,"=HYPERLINK(""http://x.example"",""412345678901"")",299`
  expect(readCredits(csv, { date: 0, description: 1, amount: 2 }).credits).toMatchObject([
    { utr: null, numbers: ['412345678901'], description: '=HYPERLINK("http://x.example","412345678901")' },
  ])
})

const CREDITS = `Date,Description,Credit\n${'05/09/2025,x,1\n'.repeat(70)}`

test.each([
  ['no header', 'a,b\n1,2', STATEMENT.noHeader],
  ['a workbook', 'PK\u0003\u0004"', STATEMENT.noHeader],
  ['one long text', 'x'.repeat(500_000), STATEMENT.noHeader],
  ['an open quote', `${CREDITS}05/09/2025,"${'x'.repeat(100_000)}`, STATEMENT.unreadable],
  ['no credits', 'Date,Description,Credit\nTotal,,1', STATEMENT.noRows],
])('%s is refused with the reason', (_, csv, message) => {
  expect(() => readCredits(csv, { date: 0, description: 1, amount: 2 })).toThrow(
    expect.toSatisfy((error) => error instanceof Refusal && error.facts.message === message),
  )
})

/** Made up, in the shapes that these banks export; some rows have commas that the bank did not quote. */
const exported = (name: string) => readFileSync(new URL(`../../testing/statements/${name}`, import.meta.url), 'utf8')

/** Credits as UTR (or words) and rupees; skipped rows as line and reason. */
function readAsGuessed(csv: string) {
  const mapping = statementMappingSchema.parse(readColumns(csv, TODAY).mapping)
  const { credits, skippedRows } = readCredits(csv, mapping)
  return {
    credits: credits.map(({ utr, description, paise }) => [utr ?? description, paise / 100]),
    skipped: skippedRows.map(({ line, why }) => [line, why]),
  }
}

test.each([
  [
    'hdfc.csv',
    [
      ['500000000101', 299],
      ['500000000102', 598],
      ['NEFT CR-IDFB0010204-A B TRADERS', 10_000],
    ],
    [
      // An unquoted balance and no empty withdrawal: it reads as money out and in.
      [11, 'bothSides'],
      [12, 'noDate'],
      ...[7, 8, 10].map((line) => [line, 'debit']),
    ],
  ],
  [
    'sbi.txt',
    [
      ['500000000201', 299],
      ['500000000203', 598],
    ],
    [
      [6, 'noDate'],
      [4, 'debit'],
    ],
  ],
  [
    'icici.csv',
    [
      ['500000000301', 299],
      ['500000000303', 598],
    ],
    [
      [9, 'noDate'],
      [5, 'debit'],
      [7, 'debit'],
    ],
  ],
  [
    'axis.csv',
    [
      ['500000000401', 299],
      ['500000000403', 598],
    ],
    [
      // A cell is missing, so that the balance stands under the credits.
      [8, 'fields'],
      [6, 'debit'],
    ],
  ],
  [
    'paytm.csv',
    [['500000000501', 299]],
    [
      // The comma belongs to one of two columns of words.
      [4, 'fields'],
      [5, 'fields'],
      [3, 'debit'],
    ],
  ],
])(
  '%s: credits are credits, and a row that does not read in exactly one way is left out by its line',
  (name, credits, skipped) => {
    expect(readAsGuessed(exported(name))).toEqual({ credits, skipped })
  },
)

test('a comma may be in the words or between thousands, and where it may be in both the row is left out', () => {
  const read = (row: string) => readAsGuessed(`Date,Narration,Debit,Credit\n${row}\n05/09/2025,x,,1`)
  expect(read('05/09/2025,UPI/412345678901,,1,00,299.00').credits[0]).toEqual(['412345678901', 100_299])
  expect(read('05/09/2025,UPI/412345678901/a, b,,299').credits[0]).toEqual(['412345678901', 299])
  expect(read('05/09/2025,UPI, out,500.00,').skipped).toEqual([[2, 'debit']])
  // 2 in the words and 500 out, or 2,500 out.
  expect(read('05/09/2025,UPI,2,500.00,').skipped).toEqual([[2, 'fields']])
  // Money out of 1, and in of 299; or 1,299 in; or out.
  expect(read('05/09/2025,UPI,1,299.00').skipped).toEqual([[2, 'bothSides']])
  expect(read(`05/09/2025${',x'.repeat(200)}`).skipped).toEqual([[2, 'fields']])
})

test.each<[string, StatementMapping, string | null]>([
  ['Date,Narration,Debit,Credit\n05/09/2025,x,299,', { date: 0, description: 1, amount: 2 }, STATEMENT.debitColumn],
  [
    'Date,Narration,Withdrawal Amt.,Balance\n05/09/2025,x,,9',
    { date: 0, description: 1, amount: 3 },
    STATEMENT.debitColumn,
  ],
  // The desk did not choose the column that says so.
  ['Date,Narration,Amount,Dr/Cr\n05/09/2025,x,299,Dr', { date: 0, description: 1, amount: 2 }, STATEMENT.noRows],
  [
    'Date,Narration,Amount,Dr/Cr\n05/09/2025,x,299,',
    { date: 0, description: 1, amount: 2, direction: 3 },
    STATEMENT.noRows,
  ],
  ['Date,Narration,Type,Amount\n05/09/2025,x,Debit,299', { date: 0, description: 1, amount: 3 }, STATEMENT.noRows],
  ['Date,Narration,Amount (Dr)\n05/09/2025,x,299', { date: 0, description: 1, amount: 2 }, STATEMENT.debitColumn],
  // Not ₹29,900.
  ['Date,Narration,Paid in\n05/09/2025,x,"299,00"', { date: 0, description: 1, amount: 2 }, STATEMENT.noRows],
  ['Date,Narration,Amount\n05/09/2025,x,299 Dr', { date: 0, description: 1, amount: 2 }, STATEMENT.noRows],
  ['Date,Narration,Amount\n05/09/2025,x,-299', { date: 0, description: 1, amount: 2 }, STATEMENT.noRows],
  ['Date,Narration,Amount\n05/09/2025,x,+299', { date: 0, description: 1, amount: 2 }, null],
])('a debit never becomes a credit: %s', (csv, mapping, message) => {
  const read = () => readCredits(csv, mapping)
  if (message === null) expect(read().credits).toHaveLength(1)
  else expect(read).toThrow(expect.toSatisfy((error) => error instanceof Refusal && error.facts.message === message))
})

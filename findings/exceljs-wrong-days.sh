#!/usr/bin/env bash
# Version: exceljs 4.4.0, @e965/xlsx 0.20.3 (SheetJS CE 0.20.3)
# What: Two ways in which exceljs gives a wrong day without an error. A sheet written by SheetJS with `cellDates: true` holds days
#   as ISO text in cells of type d, which the standard allows: exceljs reads the year of 2026-11-05 as a serial number and gives
#   18 July 1905. And a rupee format whose letters are escaped instead of quoted, \R\s\. #,##0, counts as a format of days for
#   its s: the amount 46312 comes out as the Date 2026-10-17, while "Rs." #,##0 leaves it a number. SheetJS reads all of them
#   as they are meant.
# Source: github.com/exceljs/exceljs, lib/xlsx/xform/sheet/cell-xform.js (parseFloat) and lib/utils/utils.js (isDateFmt)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund exceljs@4.4.0 @e965/xlsx@0.20.3
cat > look.cjs <<'JS'
const Excel = require('exceljs')
const { utils, read, write } = require('@e965/xlsx')
const day = new Date('2026-11-05T00:00:00Z')
const sheet = utils.aoa_to_sheet([[day, 46312, 46312]], { cellDates: true, UTC: true })
sheet.B1.z = '\\R\\s\\. #,##0'
sheet.C1.z = '"Rs." #,##0'
const book = utils.book_new()
utils.book_append_sheet(book, sheet, 'Statement')
const file = write(book, { type: 'buffer', bookType: 'xlsx', cellDates: true })
const show = (values) => values.map((value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value)).join(' ')
const main = async () => {
  const cells = read(file, { cellDates: true, UTC: true }).Sheets.Statement
  const bySheetJs = show([cells.A1.v, cells.B1.v, cells.C1.v])
  const workbook = new Excel.Workbook()
  await workbook.xlsx.load(file)
  const row = workbook.worksheets[0].getRow(1)
  const byExceljs = show([1, 2, 3].map((column) => row.getCell(column).value))
  console.log('SheetJS', bySheetJs)
  console.log('exceljs', byExceljs)
  const isSeen = bySheetJs === '2026-11-05 46312 46312' && byExceljs === '1905-07-18 2026-10-17 46312'
  if (!isSeen) console.log('One of the two reads the sheet otherwise than it did.')
  process.exit(isSeen ? 0 : 1)
}
main()
JS
node look.cjs

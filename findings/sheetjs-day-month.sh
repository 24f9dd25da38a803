#!/bin/sh
# Version: @e965/xlsx 0.20.3 (SheetJS CE 0.20.3)
# What: An HTML table named .xls, as several Indian banks give it, holds dates as text: 05/11/2026 for 5 November. Read without
#   `raw: true`, SheetJS turns the text into the serial number of 11 May 2026 while the cell's shown text stays 05/11/2026, so
#   that a look at the sheet hides the change. 13/11/2026 in the same column stays text. A reference with leading zeros
#   (0000632910546411) becomes a number without them. With `raw: true` all three stay text.
# Source: https://docs.sheetjs.com/docs/api/parse-options
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error @e965/xlsx@0.20.3 >/dev/null
cat > look.cjs <<'JS'
const { read, SSF } = require('@e965/xlsx')
const row = (...cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
const html = `<table>${row('Date', 'Reference')}${row('05/11/2026', '0000632910546411')}${row('13/11/2026', 'x')}</table>`
const cells = (raw) => {
  const { Sheets } = read(html, { type: 'string', raw })
  const { A2, B2, A3 } = Sheets.Sheet1
  return { A2, B2, A3 }
}
const guessed = cells(false)
const kept = cells(true)
console.log('raw: false', JSON.stringify(guessed))
console.log('raw: true ', JSON.stringify(kept))
const { y, m, d } = SSF.parse_date_code(Number(guessed.A2.v))
console.log(`05/11/2026 was read as year ${y}, month ${m}, day ${d}`)
const isSeen =
  m === 5 && d === 11 && guessed.A3.t === 's' && guessed.B2.v === 632910546411 &&
  kept.A2.v === '05/11/2026' && kept.B2.v === '0000632910546411'
process.exit(isSeen ? 0 : 1)
JS
node look.cjs

#!/usr/bin/env bash
# Version: papaparse 5.7.1
# What: Papa Parse finds out the delimiter by itself: that with the same number of fields in every row. One would expect a newline
#   at the end of the file to change nothing. The empty row behind it counts as a row of one field and takes part in an average
#   that has to exceed 1.99, so a file of two columns and up to eight rows can no longer be tab, semicolon or bar separated.
#   "UPI1<tab>1,50,000.00" is then cut at the lakhs' commas into three fields, from three rows on without an error; without the
#   last newline, or with `skipEmptyLines`, it is two. With nine rows, or three columns, the newline does no harm, so a test with
#   few rows and a real statement differ.
# Source: github.com/mholt/PapaParse, papaparse.js (guessDelimiter)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund papaparse@5.7.1
cat > look.cjs <<'JS'
const Papa = require('papaparse')
const write = (delimiter, count, day = []) => {
  const rows = Array.from({ length: count }, (_, index) => [...day, `UPI${index + 1}`, '1,50,000.00'])
  return [[...day, 'Reference', 'Amount'], ...rows].map((row) => row.join(delimiter)).join('\n')
}
const read = (text, options) => {
  const { data, errors } = Papa.parse(text, options)
  return `${data[1].length} fields, the last ${data[1].at(-1)}, ${errors.length} errors`
}
const two = '2 fields, the last 1,50,000.00, 0 errors'
const cut = '3 fields, the last 000.00, 0 errors'
let asSeen = true
const look = (what, found, expected) => {
  console.log(`${what}: ${found}`)
  asSeen &&= found === expected
}
for (const [name, delimiter] of [['tab', '\t'], ['semicolon', ';'], ['bar', '|']]) {
  look(`${name}, 3 rows`, read(write(delimiter, 3)), two)
  look(`${name}, 3 rows and a newline`, read(`${write(delimiter, 3)}\n`), cut)
  look(`${name}, 8 rows and a newline`, read(`${write(delimiter, 8)}\n`), cut)
  look(`${name}, 8 rows and a newline, skipEmptyLines`, read(`${write(delimiter, 8)}\n`, { skipEmptyLines: true }), two)
  look(`${name}, 9 rows and a newline`, read(`${write(delimiter, 9)}\n`), two)
  look(`${name}, 3 columns, 3 rows and a newline`, read(`${write(delimiter, 3, ['17/10/2026'])}\n`), '3 fields, the last 1,50,000.00, 0 errors')
}
const [, row] = Papa.parse(`${write('\t', 3)}\n`).data
console.log(JSON.stringify(row))
asSeen &&= JSON.stringify(row) === '["UPI1\\t1","50","000.00"]'
if (!asSeen) console.log('Papa Parse finds the delimiter otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.cjs

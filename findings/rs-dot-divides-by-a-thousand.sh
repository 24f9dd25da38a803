#!/usr/bin/env bash
# Version: currency.js 2.0.4, accounting 0.4.1, numeral 2.0.6
# What: Bank files and buyers write amounts as Rs.500, Rs. 500.00 or Rs 500/-. One would expect a library that takes the sign and the
#   commas off a price to read 500, or to fail. All three keep the full stop of "Rs." as the decimal point: Rs.500 is 0.5, and
#   accounting makes 0.1 of Rs.1,00,000.50, without an error. Where a second full stop follows, currency.js and numeral give NaN.
#   The /- at the end, which says "and no paise", makes -500 in numeral and NaN in currency.js; accounting reads 500. What
#   follows a number is passed over, so 500.00 Dr is 500 in all three, with the sign of 500.00 Cr. INR 500 and ₹ 1,00,000.00 are
#   read as they are meant.
# Source: github.com/scurker/currency.js, src/currency.js (parse); github.com/openexchangerates/accounting.js, accounting.js (unformat);
#   github.com/adamwdraper/Numeral-js, numeral.js (stringToNumber)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund currency.js@2.0.4 accounting@0.4.1 numeral@2.0.6
cat > look.cjs <<'JS'
const currency = require('currency.js')
const accounting = require('accounting')
const numeral = require('numeral')
for (const text of process.argv.slice(2))
  console.log(`${text} | ${currency(text).value} | ${accounting.unformat(text)} | ${numeral(text).value()}`)
JS
found=$(node look.cjs 'Rs.500' 'Rs. 500.00' 'Rs.1,00,000.50' 'Rs 500/-' '500.00 Dr' '500.00 Cr' 'INR 500' '₹ 1,00,000.00')
echo 'text | currency.js | accounting | numeral'
echo "$found"
expected='Rs.500 | 0.5 | 0.5 | 0.5
Rs. 500.00 | NaN | 0.5 | NaN
Rs.1,00,000.50 | NaN | 0.1 | NaN
Rs 500/- | NaN | 500 | -500
500.00 Dr | 500 | 500 | 500
500.00 Cr | 500 | 500 | 500
INR 500 | 500 | 500 | 500
₹ 1,00,000.00 | 100000 | 100000 | 100000'
[ "$found" = "$expected" ] || { echo 'One of the three reads an amount otherwise than it did.'; exit 1; }

#!/usr/bin/env bash
# Version: mt940-js 1.0.0, mt940js 1.3.5
# What: In a statement in MT940 the bank marks a credit that it takes back RC and a charge that it gives back RD. One would expect a
#   reader to count RC as money that went out. mt940-js gives it as isCredit: true with a positive amount, and RD as a debit, with
#   nothing that tells either from an ordinary line: a payment that bounced is there as two payments. It keeps the reference
#   behind // only where it has all of the 16 characters that the format allows, so a UPI number of 12 digits is lost. mt940js
#   signs both and keeps the reference. The day of the entry is month and day alone; both readers put the year of the value date
#   before it, so an entry of 31 December with a value date of 1 January 2027 lies in December 2027.
# Source: github.com/webschik/mt940-js, tags/transaction-info; github.com/a-fas/mt940js, lib/tags.js
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund mt940-js@1.0.0 mt940js@1.3.5 tslib@2
cat > look.cjs <<'JS'
const { read } = require('mt940-js')
const { Parser } = require('mt940js')
const lines = [
  [':61:2610011001C500,00NTRFUPI1//627412345678', 'PAYMENT'],
  [':61:2610021002RC500,00NTRFUPI1//627412345678', 'PAYMENT TAKEN BACK'],
  [':61:2610031003D100,00NTRFUPI2//6274123456780123', 'CHARGES'],
  [':61:2610041004RD100,00NTRFUPI2//6274123456780123', 'CHARGES GIVEN BACK'],
  [':61:2701011231C8,00NTRFUPI3//627412345679', 'ENTERED ON NEW YEAR EVE'],
]
const text = [
  ':20:STATEMENT',
  ':25:50100012345678',
  ':28C:1/1',
  ':60F:C261001INR1000,00',
  ...lines.flatMap(([line, words]) => [line, `:86:${words}`]),
  ':62F:C270101INR1008,00',
  '-',
  '',
].join('\r\n')
const main = async () => {
  const [one] = await read(new TextEncoder().encode(text).buffer)
  for (const { description, isCredit, amount, entryDate, bankReference } of one.transactions)
    console.log(`mt940-js: ${description}: ${isCredit ? 'credit' : 'debit'} ${amount}, ${entryDate}, ${bankReference || 'no reference'}`)
  const [other] = new Parser().parse(text)
  for (const { details, amount, entryDate, bankReference } of other.transactions)
    console.log(`mt940js: ${details}: ${amount}, ${entryDate.toISOString().slice(0, 10)}, ${bankReference}`)
}
main()
JS
found=$(node look.cjs)
echo "$found"
expected='mt940-js: PAYMENT: credit 500, 2026-10-01, no reference
mt940-js: PAYMENT TAKEN BACK: credit 500, 2026-10-02, no reference
mt940-js: CHARGES: debit 100, 2026-10-03, 6274123456780123
mt940-js: CHARGES GIVEN BACK: debit 100, 2026-10-04, 6274123456780123
mt940-js: ENTERED ON NEW YEAR EVE: credit 8, 2027-12-31, no reference
mt940js: PAYMENT: 500, 2026-10-01, 627412345678
mt940js: PAYMENT TAKEN BACK: -500, 2026-10-02, 627412345678
mt940js: CHARGES: -100, 2026-10-03, 6274123456780123
mt940js: CHARGES GIVEN BACK: 100, 2026-10-04, 6274123456780123
mt940js: ENTERED ON NEW YEAR EVE: 8, 2027-12-31, 627412345679'
[ "$found" = "$expected" ] || { echo 'One of the two reads the statement otherwise than it did.'; exit 1; }

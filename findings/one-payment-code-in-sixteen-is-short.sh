#!/usr/bin/env bash
# Version: emv-qrcps 0.0.7, steplix-emv-qrcps 0.0.8, emvqr 0.0.5
# What: A counter shows each buyer a Bharat QR (EMV merchant-presented code) with the sum to pay. One would expect a builder to
#   write codes of one form for all sums. emv-qrcps writes the checksum at the end as a hexadecimal number without leading
#   zeros, with that length before it: of the sums from ₹1 to ₹2,000, 111 end in 6303 and three digits or fewer, where EMV fixes
#   6304 and four. ₹299 is right and ₹7 is not, so a trial with a few sums shows nothing. The fork steplix-emv-qrcps pads it;
#   nothing else in the codes differs. emvqr refuses the short ones, but also the fork's right ones whose checksum begins with
#   two zeros (11 of 2,000), for it puts one zero before its own at most.
# Source: EMV QR Code Specification for Payment Systems, Merchant-Presented Mode 1.1, 4.7.3 (ID 63, length 04); npm, steplix-emv-qrcps
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund emv-qrcps@0.0.7 steplix-emv-qrcps@0.0.8 emvqr@0.0.5
cat > look.cjs <<'JS'
const { decode } = require('emvqr')
const buildWith = (library) => (rupees) => {
  const { Merchant } = require(library)
  const code = Merchant.buildEMVQR()
  const account = Merchant.buildMerchantAccountInformation()
  account.setGloballyUniqueIdentifier('A000000524')
  account.addPaymentNetworkSpecific('01', 'garba@okaxis')
  code.setPayloadFormatIndicator('01')
  code.setPointOfInitiationMethod('12')
  code.addMerchantAccountInformation('26', account)
  code.setMerchantCategoryCode('7922')
  code.setTransactionCurrency('356')
  code.setTransactionAmount(`${rupees}.00`)
  code.setCountryCode('IN')
  code.setMerchantName('GARBA RAAS')
  code.setMerchantCity('AHMEDABAD')
  return code.generatePayload()
}
const read = (text) => {
  try {
    return `reads ${decode(text)['54'].data}`
  } catch ({ message }) {
    return `refuses: ${message}`
  }
}
const [first, fork] = ['emv-qrcps', 'steplix-emv-qrcps'].map(buildWith)
const ends = (text) => text.slice(text.indexOf('6009AHMEDABAD') + 13)
const sums = Array.from({ length: 2000 }, (_, index) => index + 1)
for (const [name, build] of [['emv-qrcps', first], ['steplix-emv-qrcps', fork]]) {
  const refused = sums.filter((sum) => read(build(sum)).startsWith('refuses')).length
  console.log(`${name}: ${sums.filter((sum) => !/^6304[0-9A-F]{4}$/.test(ends(build(sum)))).length} of 2000 without four digits, ${refused} refused by emvqr`)
}
const short = sums.find((sum) => ends(first(sum)).startsWith('6303'))
for (const sum of [299, short])
  console.log(`₹${sum}: ${ends(first(sum))}, fork ${ends(fork(sum))}; emvqr ${read(first(sum))}`)
const differ = sums.filter((sum) => {
  const [one, other] = [first(sum), fork(sum)]
  return one !== other && one.slice(0, one.indexOf(ends(one))) !== other.slice(0, other.indexOf(ends(other)))
})
const right = sums.filter((sum) => read(fork(sum)).startsWith('refuses')).map((sum) => ends(fork(sum)).slice(4))
console.log(`refused of the fork: ${right.join(' ')}`)
console.log(`other differences: ${differ.length}`)
JS
found=$(node look.cjs)
echo "$found"
expected='emv-qrcps: 111 of 2000 without four digits, 111 refused by emvqr
steplix-emv-qrcps: 0 of 2000 without four digits, 11 refused by emvqr
₹299: 6304140B, fork 6304140B; emvqr reads 299.00
₹7: 63033D7, fork 630403D7; emvqr refuses: checksum validation failed.
refused of the fork: 00D6 00B2 0050 0062 0027 0015 00CF 00FD 007B 0049 005A
other differences: 0'
[ "$found" = "$expected" ] || { echo 'The codes are built or read otherwise than they were.'; exit 1; }

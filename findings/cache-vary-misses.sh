#!/usr/bin/env bash
# Version: Chromium 156.0.8078.114 (Debian 12), playwright-core 1.65.1
# What: A page in the guest's language is answered with Vary: Accept-Language, and a service worker puts it into its cache by addAll
#   for the night without a network. One would expect the same browser with the same language to find it. Chromium adds that
#   line to the request on the way out, so the kept request has none, while the one that the worker's fetch event hands out
#   has it: caches.match(event.request) never finds the page, neither for a visit nor for a fetch. Vary: Accept and
#   User-Agent miss likewise; Accept-Encoding, Cookie (changed between) and Sec-Fetch-Dest (another between) always hit.
#   A page kept with put(event.request, answer) at a first visit is found, and so is one asked for by its address.
# Source: w3c.github.io/ServiceWorker (request matches cached item); chromium, content/browser/cache_storage (VaryMatches)
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
npm install --silent --no-audit --no-fund playwright-core@1.65.1
"$chromium" --version 2>/dev/null
cat > look.mjs <<'JS'
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'

const names = ['Accept-Language', 'Accept', 'User-Agent', 'Accept-Encoding', 'Cookie', 'Sec-Fetch-Dest']
const worker = `
  const add = async () => (await caches.open('added')).addAll(${JSON.stringify(names)}.map((name) => '/added/' + name))
  self.addEventListener('install', (event) => event.waitUntil(add().then(() => self.skipWaiting())))
  self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
  const answer = async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/added/')) return (await caches.match(request)) ?? new Response('missing')
    if (pathname.startsWith('/address/')) return (await caches.match(pathname.replace('address', 'added'))) ?? new Response('missing')
    const kept = await caches.match(request)
    if (kept) return kept
    const fresh = await fetch(request)
    await (await caches.open('put')).put(request, fresh)
    return new Response('missing')
  }
  self.addEventListener('fetch', (event) => {
    if (new URL(event.request.url).pathname !== '/') event.respondWith(answer(event.request))
  })
`
let count = 0
const server = createServer((request, response) => {
  const isWorker = request.url === '/worker.js'
  const name = request.url.split('/')[2]
  response.setHeader('Content-Type', isWorker ? 'text/javascript' : 'text/html').setHeader('Set-Cookie', `visit=${count++}`)
  if (name) response.setHeader('Vary', name)
  response.end(isWorker ? worker : 'found')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${server.address().port}`
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const context = await browser.newContext({ locale: 'gu-IN' })
const page = await context.newPage()
await page.goto(origin)
await page.evaluate(() => navigator.serviceWorker.register('/worker.js'))
await page.waitForFunction(() => navigator.serviceWorker.controller)
const visit = async (path) => {
  await page.goto(origin + path)
  return page.evaluate(() => document.body.textContent)
}
const ask = (path) => page.evaluate(async (url) => (await fetch(url)).text(), path)
const misses = ['Accept-Language', 'Accept', 'User-Agent']
let asSeen = true
for (const name of names) {
  const visited = await visit(`/added/${name}`)
  const fetched = await ask(`/added/${name}`)
  const byAddress = await ask(`/address/${name}`)
  await visit(`/put/${name}`)
  const afterPut = await visit(`/put/${name}`)
  console.log(`${name}: added, then visited ${visited}, fetched ${fetched}, by address ${byAddress}; put, then visited ${afterPut}`)
  const expected = misses.includes(name) ? 'missing' : 'found'
  asSeen &&= visited === expected && fetched === expected && byAddress === 'found' && afterPut === 'found'
}
await browser.close()
server.close()
server.closeAllConnections()
if (!asSeen) console.log('Chromium finds kept answers otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs "$chromium"

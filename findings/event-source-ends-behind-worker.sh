#!/usr/bin/env bash
# Version: Chromium 156.0.8078.114 (Debian 12), playwright-core 1.65.1
# What: An EventSource connects again by itself when its stream breaks or ends, and a service worker that answers with
#   fetch(event.request) looks as if it changes nothing. Together they differ: when the connection breaks, as when a server
#   restarts, an EventSource whose request went through the worker has readyState 2 after its first error and never connects
#   again; without the worker it has 0 and is back in three seconds. A stream that the server ends properly is opened again in
#   both. So the live view of an installed app dies at the first restart or dropped connection, though the same page reconnects
#   in a test without the worker. A worker that leaves such requests alone (no respondWith) keeps the reconnection.
# Source: html.spec.whatwg.org, server-sent events ("reestablish the connection" after a network error)
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
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from 'playwright-core'
const workers = {
  none: null,
  'passes on': "if (new URL(event.request.url).pathname !== '/') event.respondWith(fetch(event.request))",
  'leaves alone': "if (new URL(event.request.url).pathname !== '/stream') event.respondWith(fetch(event.request))",
}
const streams = new Set()
const server = createServer(({ url }, answer) => {
  if (url === '/stream') {
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: hello\n\n')
    streams.add(answer)
    answer.on('close', () => streams.delete(answer))
  } else if (url.startsWith('/worker')) {
    const handle = workers[decodeURIComponent(url.split('?')[1])]
    answer.setHeader('content-type', 'text/javascript').end(`
      self.addEventListener('install', () => self.skipWaiting())
      self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
      self.addEventListener('fetch', (event) => { ${handle} })`)
  } else answer.setHeader('content-type', 'text/html').end('<!doctype html>')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
for (const [worker, handle] of Object.entries(workers))
  for (const end of ['breaks', 'ends']) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    if (handle !== null)
      await page.evaluate(async (name) => {
        const controlled = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
        await navigator.serviceWorker.register(`/worker?${encodeURIComponent(name)}`)
        await controlled
      }, worker)
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          const source = new EventSource('/stream')
          Object.assign(window, { source, opened: 0, states: [] })
          source.addEventListener('open', () => { opened++ })
          source.addEventListener('error', () => states.push(source.readyState))
          source.addEventListener('message', resolve)
        }),
    )
    for (const stream of streams) end === 'breaks' ? stream.destroy() : stream.end()
    await wait(10_000)
    console.log(`worker ${worker}, stream ${end}: ${JSON.stringify(await page.evaluate(() => ({ opened, states, now: source.readyState })))}`)
    await context.close()
  }
await browser.close()
server.closeAllConnections()
server.close()
JS
found=$(node look.mjs "$browser")
echo "$found"
expected='worker none, stream breaks: {"opened":2,"states":[0],"now":1}
worker none, stream ends: {"opened":2,"states":[0],"now":1}
worker passes on, stream breaks: {"opened":1,"states":[2],"now":2}
worker passes on, stream ends: {"opened":2,"states":[0],"now":1}
worker leaves alone, stream breaks: {"opened":2,"states":[0],"now":1}
worker leaves alone, stream ends: {"opened":2,"states":[0],"now":1}'
[ "$found" = "$expected" ] || { echo 'The streams end otherwise than they did.'; exit 1; }

#!/usr/bin/env bash
# Version: playwright-core 1.65.1, Chromium 156.0.8078.114 (Debian 12)
# What: A test gives a phone a clock that is wrong by years with context.clock and runs it forward. One would expect everything in
#   that browser to live in that time, as Date, Intl, performance.timeOrigin and even Temporal.Now do, in frames too. A worker, a
#   worker from a blob and the service worker keep the machine's time, and so does File.lastModified: a page and the worker that
#   decodes or caches for it disagree by years. Run forward by an hour, setTimeout, requestIdleCallback and AbortSignal.timeout
#   fire at once; scheduler.postTask with a delay waits for real time.
# Source: github.com/microsoft/playwright, packages/injected/src/clock.ts; playwright.dev, Clock
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

const scripts = {
  '/worker.js': 'onmessage = () => postMessage(Date.now())',
  '/service.js': 'onactivate = (event) => event.waitUntil(clients.claim()); onmessage = (event) => event.source.postMessage(Date.now())',
}
const server = createServer(({ url }, response) => {
  response.setHeader('Content-Type', scripts[url] ? 'text/javascript' : 'text/html')
  response.end(scripts[url] ?? '<!doctype html><title>Phone</title>')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const context = await browser.newContext()
await context.clock.install({ time: new Date('2020-06-01T00:00:00Z') })
const page = await context.newPage()
await page.goto(`http://127.0.0.1:${server.address().port}/`)
const years = await page.evaluate(async () => {
  const year = (ms) => new Date(ms).getUTCFullYear()
  const ask = (worker, port = worker) =>
    new Promise((resolve) => {
      port.onmessage = ({ data }) => resolve(year(data))
      worker.postMessage('now')
    })
  document.body.append(document.createElement('iframe'))
  const blob = new Blob(['onmessage = () => postMessage(Date.now())'], { type: 'text/javascript' })
  await navigator.serviceWorker.register('/service.js')
  const { active } = await navigator.serviceWorker.ready
  return {
    Date: year(Date.now()),
    Intl: Number(new Intl.DateTimeFormat('en', { year: 'numeric' }).format()),
    timeOrigin: year(performance.timeOrigin),
    Temporal: Temporal.Now.plainDateISO('UTC').year,
    frame: year(frames[0].Date.now()),
    worker: await ask(new Worker('/worker.js')),
    'worker from a blob': await ask(new Worker(URL.createObjectURL(blob))),
    'service worker': await ask(active, navigator.serviceWorker),
    'File.lastModified': year(new File([], 'scan').lastModified),
  }
})
await page.evaluate(() => {
  const fired = []
  window.fired = fired
  setTimeout(() => fired.push('setTimeout'), 600_000)
  requestIdleCallback(() => fired.push('requestIdleCallback'))
  AbortSignal.timeout(600_000).onabort = () => fired.push('AbortSignal.timeout')
  scheduler.postTask(() => fired.push('postTask'), { delay: 600_000 })
})
await context.clock.runFor(3_600_000)
await new Promise((later) => setTimeout(later, 1_000))
const fired = await page.evaluate(() => window.fired.toSorted().join(', '))
await browser.close()
server.close()
for (const [what, year] of Object.entries(years)) console.log(`${what}: ${year}`)
console.log(`after an hour of the clock: ${fired}`)
const inTime = ['Date', 'Intl', 'timeOrigin', 'Temporal', 'frame']
const asSeen =
  Object.entries(years).every(([what, year]) => (year === 2020) === inTime.includes(what)) && fired === 'AbortSignal.timeout, requestIdleCallback, setTimeout'
if (!asSeen) console.log('The clock reaches otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs "$chromium"

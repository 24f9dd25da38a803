#!/usr/bin/env bash
# Version: playwright-core 1.65.1, Chromium 156.0.8078.114 (Debian 12), ws 8.23.0
# What: A test takes the network from a phone with context.setOffline(true) and looks at its live view. One would expect nothing to
#   come any more, as from a server that is gone. New requests fail, navigator.onLine is false and `offline` is fired, but an
#   EventSource that stands goes on to bring events, and so does the body of a fetch that is under way. A WebSocket brings
#   nothing, and what the page sends does not arrive, but it is not closed and shows no error. So a test of what the page does
#   when its stream breaks sees no break. When the server closes its connections, all three say so.
# Source: playwright.dev, BrowserContext.setOffline; Chrome DevTools Protocol, Network.emulateNetworkConditions
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
npm install --silent --no-audit --no-fund playwright-core@1.65.1 ws@8.23.0
"$chromium" --version 2>/dev/null
cat > look.mjs <<'JS'
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
import { WebSocketServer } from 'ws'

// Every stream brings something each 20 ms.
const writers = new Set()
const ticking = setInterval(() => writers.forEach((write) => write()), 20)
const keep = (stream, write) => {
  writers.add(write)
  stream.on('close', () => writers.delete(write))
}
const server = createServer((request, response) => {
  response.setHeader('Content-Type', request.url === '/events' ? 'text/event-stream' : 'text/html')
  if (request.url === '/events') keep(response, () => response.write('data: 1\n\n'))
  else if (request.url === '/body') keep(response, () => response.write('1'))
  else response.end('<!doctype html><title>Phone</title>')
})
let heard = 0
const sockets = new WebSocketServer({ server })
sockets.on('connection', (socket) => {
  keep(socket, () => socket.send('1'))
  socket.on('message', () => heard++)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const context = await browser.newContext()
const page = await context.newPage()
await page.goto(`http://127.0.0.1:${server.address().port}/`)
await page.evaluate(async () => {
  const count = { events: 0, body: 0, socket: 0 }
  const broken = []
  const events = new EventSource('/events')
  events.onmessage = () => count.events++
  events.onerror = () => broken.push('events')
  const socket = new WebSocket(`ws://${location.host}`)
  socket.onmessage = () => count.socket++
  socket.onclose = () => broken.push('socket')
  const reader = (await fetch('/body')).body.getReader()
  const read = async () => {
    while (!(await reader.read()).done) count.body++
  }
  read().catch(() => broken.push('body'))
  Object.assign(window, { count, broken, socket })
})
// Waits for 50 more events and says what else came meanwhile.
const look = async () => {
  const start = await page.evaluate(() => ({ ...window.count }))
  await page.waitForFunction((events) => window.count.events >= events + 50, start.events)
  return page.evaluate(async ({ body, socket }) => {
    const fetched = await fetch('/').then(() => 'answered', () => 'failed')
    const [isBody, isSocket] = [window.count.body > body, window.count.socket > socket]
    return `fetch ${fetched}, onLine ${navigator.onLine}, events come, body ${isBody}, socket ${isSocket}, broken: ${window.broken.join(' ') || 'none'}`
  }, start)
}
const online = await look()
console.log('online:', online)
await context.setOffline(true)
await page.waitForFunction((events) => window.count.events > events + 5, await page.evaluate(() => window.count.events))
heard = 0
await page.evaluate(() => window.socket.send('1'))
const offline = `${await look()}, messages to the server: ${heard}`
console.log('setOffline(true):', offline)
await context.setOffline(false)
clearInterval(ticking)
for (const socket of sockets.clients) socket.terminate()
server.closeAllConnections()
await page.waitForFunction(() => window.broken.length === 3)
const broken = await page.evaluate(() => window.broken.sort().join(' '))
console.log('connections closed:', broken)
await browser.close()
server.close()
const asSeen =
  online === 'fetch answered, onLine true, events come, body true, socket true, broken: none' &&
  offline === 'fetch failed, onLine false, events come, body true, socket false, broken: none, messages to the server: 0' &&
  broken === 'body events socket'
if (!asSeen) console.log('setOffline does otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs "$chromium"

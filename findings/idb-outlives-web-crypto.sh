#!/usr/bin/env bash
# Version: Chromium 156.0.8078.114 (Debian 12), playwright-core 1.65.1, fake-indexeddb 6.2.8, Node 24.21.0
# What: A scanner that signs or encrypts between two writes of one IndexedDB transaction. By the book the transaction is over once
#   something else than a request is awaited. Chromium lets it pass as long as the Web Crypto call is quick: put, await
#   subtle.digest or an Ed25519 signature, put succeeds every time, even with 20 MB to digest; after a slow one (PBKDF2), after
#   setTimeout or a MessageChannel's answer the second put throws TransactionInactiveError. So a test in Chromium does not show
#   the fault. fake-indexeddb does not stand in for it either: the 20 MB are always too late there, the quick calls some of
#   the time (9 to 30 of 100), and a MessageChannel's answer, always too late in Chromium, is always in time.
# Source: github.com/Bdaya-Dev/oidc/pull/360 reports the case in Firefox, where the second write always threw
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
npm install --silent --no-audit --no-fund playwright-core@1.65.1 fake-indexeddb@6.2.8
"$chromium" --version 2>/dev/null
cat > look.mjs <<'JS'
import { createServer } from 'node:http'
import * as fake from 'fake-indexeddb'
import { chromium } from 'playwright-core'

// Runs in the page and, with fake-indexeddb, in Node: how many of 100 second writes succeed after each thing awaited.
const measure = async (factory) => {
  const answer = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const opening = factory.open('phone', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore('scans')
  const database = await answer(opening)
  const { subtle } = crypto
  const { privateKey } = await subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify'])
  const password = await subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits'])
  const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(8), iterations: 300_000 }
  const awaited = {
    digest: [100, () => subtle.digest('SHA-256', new Uint8Array(50))],
    signature: [100, () => subtle.sign('Ed25519', privateKey, new Uint8Array(50))],
    'digest of 20 MB': [10, () => subtle.digest('SHA-256', new Uint8Array(2e7))],
    PBKDF2: [10, () => subtle.deriveBits(pbkdf2, password, 256)],
    setTimeout: [100, () => new Promise((resolve) => setTimeout(resolve))],
    MessageChannel: [
      100,
      () =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel()
          port2.onmessage = () => {
            port1.close()
            resolve()
          }
          port1.postMessage(1)
        }),
    ],
  }
  const share = {}
  for (const [name, [times, wait]] of Object.entries(awaited)) {
    let successes = 0
    for (let index = 0; index < times; index++) {
      const store = database.transaction('scans', 'readwrite').objectStore('scans')
      await answer(store.put(1, 'first'))
      await wait()
      try {
        await answer(store.put(2, 'second'))
        successes++
      } catch {}
    }
    share[name] = (100 * successes) / times
  }
  database.close()
  return share
}
const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Phone</title>'))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const page = await browser.newPage()
await page.goto(`http://localhost:${server.address().port}/`)
const inChromium = await page.evaluate(`(${measure})(indexedDB)`)
await browser.close()
server.close()
const inFake = await measure(fake.indexedDB)
for (const name in inChromium) console.log(`put, await ${name}, put: succeeds in Chromium ${inChromium[name]}%, in fake-indexeddb ${inFake[name]}%`)
const isSeen =
  inChromium.digest >= 95 && inChromium.signature >= 95 && inChromium['digest of 20 MB'] >= 90 &&
  !inChromium.PBKDF2 && !inChromium.setTimeout && !inChromium.MessageChannel &&
  !inFake['digest of 20 MB'] && inFake.MessageChannel === 100
if (!isSeen) console.log('Chromium or fake-indexeddb ends transactions otherwise than it did.')
process.exit(isSeen ? 0 : 1)
JS
timeout 120 node look.mjs "$chromium"

#!/usr/bin/env bash
# Version: razorpay 2.9.8 (axios as it brings it), Node 24
# What: A refund is asked for and its answer is lost. One would expect the provider's own library to say so, as after a lost answer
#   the money may be on its way, and after a refused connection it is not. Both reject with one TypeError, "Cannot read properties
#   of undefined (reading 'status')", without code or cause; a gateway's page with 502 rejects with { statusCode: 502 } and no
#   text. A callback that throws after a refund that was made is called a second time, now with its own error as the refund's.
#   The times of a list differ by their type: a day written as text is midnight in UTC, half past five in India, a number goes
#   out as it is, milliseconds too, and a Date as its ISO text, where the API asks for seconds.
# Source: github.com/razorpay/razorpay-node, lib/api.js (normalizeError), lib/utils/nodeify.js, lib/utils/razorpay-utils.js
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund razorpay@2.9.8
cat > look.mjs <<'JS'
import { createServer } from 'node:http'
import Razorpay from 'razorpay'

let answer = 'made'
const asked = []
const server = createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => {
    asked.push(`${incoming.method} ${incoming.url}`)
    if (answer === 'lost') return incoming.socket.destroy()
    outgoing.writeHead(answer === 'made' ? 200 : 502, { 'content-type': answer === 'made' ? 'application/json' : 'text/html' })
    outgoing.end(answer === 'made' ? '{"id":"rfnd_1","items":[],"count":0}' : '<h1>502</h1>')
  })
})
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const client = new Razorpay({ key_id: 'key', key_secret: 'secret' })
client.api.rq.defaults.baseURL = `http://127.0.0.1:${server.address().port}`

const describe = (error) => `${error.constructor.name} ${error.message ?? JSON.stringify(error)} code ${error.code} cause ${error.cause}`
const refund = () => client.payments.refund('pay_1', { amount: 29_900 }).then(({ id }) => `made ${id}`, describe)
const seen = {}
for (answer of ['made', 'lost', 'page']) seen[answer] = await refund()
answer = 'made'
const calls = []
client.payments.refund('pay_1', { amount: 29_900 }, (error, made) => {
  calls.push(made ? `made ${made.id}` : `failed: ${error.message}`)
  if (made) throw new Error('our own mistake')
})
await new Promise((later) => setTimeout(later, 300))
seen.callback = calls.join(', then ')
const midnight = '2026-10-17T00:00:00+05:30'
for (const [name, from] of [['day', '2026-10-17'], ['seconds', Date.parse(midnight) / 1000], ['milliseconds', Date.parse(midnight)], ['date', new Date(midnight)]]) {
  await client.payments.all({ from })
  seen[name] = new URL(asked.at(-1).split(' ')[1], 'http://x').searchParams.get('from')
}
server.closeAllConnections()
await new Promise((closed) => server.close(closed))
seen.refused = await refund()

const type = "TypeError Cannot read properties of undefined (reading 'status') code undefined cause undefined"
const expected = {
  made: 'made rfnd_1',
  lost: type,
  page: 'Object {"statusCode":502} code undefined cause undefined',
  callback: 'made rfnd_1, then failed: our own mistake',
  day: `${Date.parse('2026-10-17T00:00:00Z') / 1000}`,
  seconds: '1792175400',
  milliseconds: '1792175400000',
  date: '2026-10-16T18:30:00.000Z',
  refused: type,
}
let asSeen = true
for (const [what, is] of Object.entries(expected)) {
  console.log(`${what}: ${seen[what]}`)
  asSeen &&= seen[what] === is
}
if (!asSeen) console.log('The library answers otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs

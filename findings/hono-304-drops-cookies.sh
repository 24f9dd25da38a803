#!/usr/bin/env bash
# Version: hono 4.13.19, express 5.3.0
# What: A page's answer carries a tag, a cookie that is renewed at each visit, and a request id. One would expect 304 to lack only
#   what describes the body, as Express's does, which has all three. Hono's etag() takes off every line but six: a session's
#   cookie is renewed by the first visit and never again while the page stays the same, and the id that the log speaks of is
#   gone. secureHeaders() around etag() puts its lines back and within it loses them; cors() writes Access-Control-Allow-Origin
#   before the answer has its tag and loses it in both orders, though Vary: Origin stays.
# Source: github.com/honojs/hono, src/middleware/etag/index.ts (RETAINED_304_HEADERS)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund hono@4.13.19 express@5.3.0
cat > look.mjs <<'JS'
import { get } from 'node:http'
import express from 'express'
import { Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { cors } from 'hono/cors'
import { etag } from 'hono/etag'
import { secureHeaders } from 'hono/secure-headers'

const names = ['set-cookie', 'x-request-id', 'access-control-allow-origin', 'strict-transport-security', 'vary']
const look = async (ask) => {
  const first = await ask({})
  const second = await ask({ 'If-None-Match': first.headers.get('etag') })
  return [first, second].map(({ status, headers }) => `${status} ${names.filter((name) => headers.has(name)).join(' ')}`).join('; ')
}
const origin = 'https://desk.example'
const makeHono = (...layers) => {
  const app = new Hono()
  for (const layer of layers) app.use(layer)
  app.get('/', (context) => {
    setCookie(context, 'session', '1')
    context.header('X-Request-Id', '7')
    return context.text('Tickets')
  })
  return (headers) => app.request('/', { headers: { Origin: origin, ...headers } })
}
const others = () => [cors({ origin }), secureHeaders()]
const app = express()
app.get('/', (_, response) => {
  response.set('X-Request-Id', '7').set('Access-Control-Allow-Origin', origin).set('Strict-Transport-Security', 'max-age=9').vary('Origin')
  response.cookie('session', '1').send('Tickets')
})
const server = app.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const ask = (headers) =>
  new Promise((resolve) => {
    get({ port: server.address().port, host: '127.0.0.1', headers }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode, headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, `${value}`])) })
    })
  })
const all = `200 ${names.join(' ')}`
const found = {
  'Hono, etag() inside': [await look(makeHono(...others(), etag())), `${all}; 304 strict-transport-security vary`],
  'Hono, etag() outside': [await look(makeHono(etag(), ...others())), `${all}; 304 vary`],
  Express: [await look(ask), `${all}; 304 ${names.join(' ')}`],
}
server.close()
server.closeAllConnections()
for (const [name, [shown]] of Object.entries(found)) console.log(`${name}: ${shown}`)
const asSeen = Object.values(found).every(([shown, expected]) => shown === expected)
if (!asSeen) console.log('One of the two answers otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs

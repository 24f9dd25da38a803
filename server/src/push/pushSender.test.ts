import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { expect, onTestFinished, test } from 'vitest'
import { startPushService } from '../testing/pushService.ts'
import { sendPush } from './pushSender.ts'

async function makeKeys() {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const point = Buffer.from(await crypto.subtle.exportKey('raw', pair.publicKey))
  return { publicKey: point.toString('base64url'), privateJwk: await crypto.subtle.exportKey('jwk', pair.privateKey) }
}

/** Until the test ends, each name stands for this machine, as an attacker's own name server may say. */
function nameThisMachine(): void {
  const { lookup } = dns
  const answer = { address: '127.0.0.1', family: 4 }
  const own = (_name: string, { all }: dns.LookupOptions, done: (error: null, ...found: unknown[]) => void) =>
    all ? done(null, [answer]) : done(null, answer.address, answer.family)
  Object.assign(dns, { lookup: own })
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(dns, { lookup })
    syncBuiltinESMExports()
  })
}

test('a message is never sent to this machine, whatever the name server says of the push service', async () => {
  const service = await startPushService()
  onTestFinished(service.close)
  const endpoint = 'https://push.example.org/x'
  const message = { payload: '{}', ttl: 60, urgency: 'normal', topic: 'x' } as const
  const settings = { demo: false, demoOnNetwork: false, supportEmail: 'help@example.org' }
  nameThisMachine()
  const sent = await sendPush(
    { ...service.subscribe(), ...message, endpoint },
    { keys: await makeKeys(), now: new Date(), settings },
  )
  expect(sent).toEqual({ outcome: 'retry', why: 'EADDRNOTPUBLIC' })
})

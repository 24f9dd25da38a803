import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { isPushEndpoint, lookupPublic } from './endpoint.ts'

const LIVE = { demo: false, demoOnNetwork: false }

test.each([
  'https://fcm.googleapis.com/fcm/send/x',
  'https://updates.push.services.mozilla.com/wpush/v2/x',
  'https://web.push.apple.com/x',
  'https://wns2-pn1p.notify.windows.com/w/?token=x',
  'https://[2606:4700::1111]/x',
])('%s is a push service', (address) => expect(isPushEndpoint(address, LIVE)).toBe(true))

test('a double on this machine may be used by a demo that only this machine reaches', () => {
  const double = 'http://127.0.0.1:4000/x'
  expect(isPushEndpoint(double, { demo: true, demoOnNetwork: false })).toBe(true)
  expect(isPushEndpoint(double, { demo: true, demoOnNetwork: true })).toBe(false)
  expect(isPushEndpoint(double, LIVE)).toBe(false)
})

test.each([true, false])('a name that stands for this machine is never connected to (all: %s)', async (all) => {
  const found = await new Promise<{ code?: string | undefined; address: string | LookupAddress[] }>((resolve) =>
    lookupPublic('localhost', { all }, (error, address) => resolve({ code: error?.code, address })),
  )
  expect(found).toEqual({ code: 'EADDRNOTPUBLIC', address: '' })
})

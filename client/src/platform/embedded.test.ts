import { expect, test } from 'vitest'
import { detectEmbeddedBrowser, leavingLink } from './embedded.ts'

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; SM-A546E Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.6723.107 Mobile Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  [
    `${ANDROID} Instagram 356.0.0.41.101 Android (34/14; 450dpi; 1080x2340; samsung; SM-A546E; a54x; s5e8835; en_IN; 653310013)`,
    'Instagram',
    'android',
  ],
  [
    `${IPHONE} Instagram 350.0.1.21.90 (iPhone14,5; iOS 17_6_1; en_IN; en; scale=3.00; 1170x2532; 641123456)`,
    'Instagram',
    'ios',
  ],
  [
    `${ANDROID} Instagram 356.0.0.41.101 Android (34/14; samsung; en_IN; 653310013) Barcelona 356.0.0.41.101`,
    'Threads',
    'android',
  ],
  [`${ANDROID} [FB_IAB/FB4A;FBAV/489.0.0.66.83;]`, 'Facebook', 'android'],
  [
    `${IPHONE} [FBAN/FBIOS;FBAV/489.0.0.38.111;FBBV/651234567;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.6.1]`,
    'Facebook',
    'ios',
  ],
  [`${ANDROID} [FB_IAB/Orca-Android;FBAV/480.0.0.60.109;]`, 'Messenger', 'android'],
  [`${IPHONE} [FBAN/MessengerForiOS;FBAV/480.0.0.40.107;FBDV/iPhone14,5]`, 'Messenger', 'ios'],
  [`${ANDROID} Snapchat/13.15.0.44 (SM-A546E; Android 14#A546EXXS9CXJ1#34; gzip)`, 'Snapchat', 'android'],
  [`${IPHONE} Snapchat/13.12.0.38 (like Safari/8618.3.11.10.5, panda)`, 'Snapchat', 'ios'],
  [`${ANDROID} [LinkedInApp]/4.1.1012`, 'LinkedIn', 'android'],
  [`${IPHONE} [LinkedInApp]/9.30.1203`, 'LinkedIn', 'ios'],
  [ANDROID, null, 'android'],
  [IPHONE, null, 'ios'],
  [IPHONE.replace('iPhone;', 'iPad;'), null, 'ios'],
  [MAC, null, 'ios'],
])('%s', (userAgent, app, system) => {
  expect(detectEmbeddedBrowser(userAgent)).toEqual({ app, system })
})

test.each([
  [
    'Chrome on Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Samsung Internet',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36',
  ],
  ['Firefox on Android', 'Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0'],
  [
    'Opera on Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Mobile Safari/537.36 OPR/85.0.0.0',
  ],
  ['Safari on iPhone', `${IPHONE.replace('Mobile/', 'Version/17.6 Mobile/')} Safari/604.1`],
  ['Chrome on iPhone', `${IPHONE.replace('Mobile/', 'CriOS/130.0.6723.90 Mobile/')} Safari/604.1`],
  ['Firefox on iPhone', `${IPHONE.replace('Mobile/', 'FxiOS/132.0 Mobile/')} Safari/605.1.15`],
  ['Edge on iPhone', `${IPHONE.replace('Mobile/', 'Version/17.0 EdgiOS/130.0.2849.68 Mobile/')} Safari/605.1.15`],
  ['Safari on a Mac, and on an iPad that asks for desktop sites', `${MAC} Version/17.6 Safari/605.1.15`],
  [
    'Chrome on a Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  ],
  ['Firefox on a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0'],
  [
    'Edge on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
  ],
  [
    'Chrome on Linux',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  ],
  [
    'an old phone',
    'Mozilla/5.0 (Linux; U; Android 4.0.3; en-us) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
  ],
])('%s is a browser of its own', (_, userAgent) => {
  expect(detectEmbeddedBrowser(userAgent)).toBeNull()
})

test('the link that leaves keeps the whole address, and comes back to it where it does not work', () => {
  const address = 'https://garba.example:8443/dashboard/guest/orders/GR-1?tickets=4&x=a%20b'
  expect(leavingLink(address, { app: 'Instagram', system: 'ios' })).toBe(`x-safari-${address}`)
  expect(leavingLink(address, { app: 'Instagram', system: 'android' })).toBe(
    `intent://garba.example:8443/dashboard/guest/orders/GR-1?tickets=4&x=a%20b#Intent;scheme=https;action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;S.browser_fallback_url=${encodeURIComponent(address)};end`,
  )
  expect(leavingLink(address, { app: null, system: 'other' })).toBeNull()
  const link = 'https://garba.example/dashboard/guest/wallet#TOKEN'
  expect(leavingLink(link, { app: 'Instagram', system: 'ios' })).toBe(`x-safari-${link}`)
  expect(leavingLink(link, { app: 'Instagram', system: 'android' })).toBeNull()
})

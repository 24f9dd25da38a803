import { expect, test } from 'vitest'
import { getCameraPlace } from '../../src/scanner/camera/lenses.ts'

const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  ['Chrome on Android', `${ANDROID} Chrome/141.0.0.0 Mobile Safari/537.36`, { isIos: false }, 'androidChrome'],
  [
    'Samsung Internet',
    `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    { isIos: false },
    'other',
  ],
  ['Edge on Android', `${ANDROID} Chrome/141.0.0.0 Mobile Safari/537.36 EdgA/141.0`, { isIos: false }, 'other'],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0', { isIos: false }, 'other'],
  ['Safari on an iPhone', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, { isIos: true }, 'iosSafari'],
  ['Safari on an iPad', `${MAC} Version/18.5 Safari/605.1.15`, { isIos: true }, 'iosSafari'],
  ['Chrome on an iPhone', `${IPHONE} CriOS/141.0 Mobile/15E148 Safari/604.1`, { isIos: true }, 'iosBrowser'],
  ['Safari on a Mac', `${MAC} Version/18.5 Safari/605.1.15`, { isIos: false }, 'other'],
] as const)('%s', (_name, userAgent, { isIos }, place) => {
  expect(getCameraPlace({ userAgent, isIos, isInstalled: false })).toBe(place)
})

test('installed apps have no address bar and so other steps', () => {
  const chrome = `${ANDROID} Chrome/141.0.0.0 Mobile Safari/537.36`
  expect(getCameraPlace({ userAgent: chrome, isIos: false, isInstalled: true })).toBe('androidApp')
  expect(getCameraPlace({ userAgent: IPHONE, isIos: true, isInstalled: true })).toBe('iosApp')
})

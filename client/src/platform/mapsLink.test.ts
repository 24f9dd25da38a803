import { expect, test } from 'vitest'
import { mapsLink } from './mapsLink.ts'

test('an iPhone is sent to its own maps, everyone else to the universal link', () => {
  expect(mapsLink('GMDC Ground', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')).toBe(
    'https://maps.apple.com/?q=GMDC%20Ground',
  )
  expect(mapsLink('GMDC Ground', 'Mozilla/5.0 (Linux; Android 15)')).toBe(
    'https://www.google.com/maps/search/?api=1&query=GMDC%20Ground',
  )
})

test('a venue cannot break out of the address', () => {
  expect(mapsLink('A & B? #1', 'Android')).toContain('query=A%20%26%20B%3F%20%231')
})

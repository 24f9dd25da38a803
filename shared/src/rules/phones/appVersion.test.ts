import { expect, test } from 'vitest'
import { olderVersion } from './appVersion.ts'

test.each([
  ['1.0.0+4f9c2ab', '1.0.0+8d1e7f0', '1.0.0+4f9c2ab'],
  ['1.0.0+8d1e7f0', '1.0.0+8d1e7f0', null],
  [null, '1.0.0+8d1e7f0', null],
  [undefined, '1.0.0+8d1e7f0', null],
] as const)('a phone that says %s to a server of %s', (reported, server, older) => {
  expect(olderVersion(reported, server)).toBe(older)
})

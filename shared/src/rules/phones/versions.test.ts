import { expect, test } from 'vitest'
import { olderVersion, parseEpoch } from './versions.ts'

test.each([
  ['0', 0],
  ['1790000000000', 1_790_000_000_000],
  ['01', null],
  ['-1', null],
  ['7.5', null],
  ['99999999999999999', null],
  ['7, 8', null],
  ['', null],
  [null, null],
  [undefined, null],
])('%s names the epoch %s', (text, epoch) => {
  expect(parseEpoch(text)).toBe(epoch)
})

test.each([
  ['1.0.0+4f9c2ab', '1.0.0+8d1e7f0', '1.0.0+4f9c2ab'],
  ['1.0.0+8d1e7f0', '1.0.0+8d1e7f0', null],
  [null, '1.0.0+8d1e7f0', null],
  [undefined, '1.0.0+8d1e7f0', null],
] as const)('a phone that says %s to a server of %s', (reported, server, older) => {
  expect(olderVersion(reported, server)).toBe(older)
})

import { expect, test } from 'vitest'
import { epochOf, isLaterEpoch, olderVersion } from './versions.ts'

const proof = 'AAAAAAAAAAAAAAAAAAAA-_'

test.each([
  [`0.${proof}`, 0],
  [`1790000000000.${proof}`, 1_790_000_000_000],
  [`01.${proof}`, null],
  [`-1.${proof}`, null],
  [`99999999999999999.${proof}`, null],
  ['7', null],
  ['7.short', null],
  [`7.${proof}, 8.${proof}`, null],
  ['', null],
  [null, null],
  [undefined, null],
])('%s names the epoch %s', (token, epoch) => {
  expect(epochOf(token)).toBe(epoch)
})

test('a later epoch is later than an earlier one, than none and than what is no token', () => {
  const [first, second] = [`0.${proof}`, `5.${proof}`]
  expect([isLaterEpoch(second, first), isLaterEpoch(first, null), isLaterEpoch(first, 'x')]).toEqual([true, true, true])
  expect([isLaterEpoch(first, second), isLaterEpoch(first, first), isLaterEpoch('x', null)]).toEqual([
    false,
    false,
    false,
  ])
})
test.each([
  ['1.0.0+4f9c2ab', '1.0.0+8d1e7f0', '1.0.0+4f9c2ab'],
  ['1.0.0+8d1e7f0', '1.0.0+8d1e7f0', null],
  [null, '1.0.0+8d1e7f0', null],
  [undefined, '1.0.0+8d1e7f0', null],
] as const)('a phone that says %s to a server of %s', (reported, server, older) => {
  expect(olderVersion(reported, server)).toBe(older)
})

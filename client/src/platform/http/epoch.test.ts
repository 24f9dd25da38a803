import { EPOCH_HEADER } from '@garba/shared/constants'
import { beforeEach, expect, test } from 'vitest'
import { stubLocalStorage } from '../testing/localStorage.ts'
import { epochHeaders, isOfLatestEpoch, noteEpoch, useEpoch } from './epoch.ts'

const entries = stubLocalStorage()
beforeEach(() => {
  entries.clear()
  useEpoch.setState({ token: null })
})

const proof = 'AAAAAAAAAAAAAAAAAAAAAA'
const answered = (token: string) => noteEpoch(new Headers({ [EPOCH_HEADER]: token }))

test('a request carries the highest epoch that any answer named, whatever came later', () => {
  expect(epochHeaders()).toEqual({})
  for (const number of [5, 7, 0, 6]) answered(`${number}.${proof}`)
  noteEpoch(new Headers())
  answered('99 of another server')
  expect(epochHeaders()).toEqual({ [EPOCH_HEADER]: `7.${proof}` })
  expect([...entries.values()]).toEqual([`7.${proof}`])
})

test('a tab that is behind leaves what another tab has kept', () => {
  entries.set('epoch', `9.${proof}`)
  answered(`8.${proof}`)
  expect(entries.get('epoch')).toBe(`9.${proof}`)
})

test('an answer of a server that was replaced, of none and of another server is not of the latest', () => {
  answered(`5.${proof}`)
  const isLatest = (token: string) => isOfLatestEpoch(new Headers({ [EPOCH_HEADER]: token }))
  expect([`5.${proof}`, `6.${proof}`, `4.${proof}`, '5'].map(isLatest)).toEqual([true, true, false, false])
  expect(isOfLatestEpoch(new Headers())).toBe(false)
})

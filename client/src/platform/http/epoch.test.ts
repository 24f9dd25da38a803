import { EPOCH_HEADER } from '@garba/shared/constants'
import { beforeEach, expect, test } from 'vitest'
import { stubLocalStorage } from '../testing/localStorage.ts'
import { epochNow, isOfLatestEpoch, recordEpoch, useEpoch } from './epoch.ts'

const entries = stubLocalStorage()
beforeEach(() => {
  entries.clear()
  useEpoch.setState({ epoch: -1 })
})

const answered = (epoch: string) => recordEpoch(new Headers({ [EPOCH_HEADER]: epoch }))

test('the highest epoch that any answer named is kept, whatever came later', () => {
  expect(epochNow()).toBe(0)
  for (const number of [5, 7, 0, 6]) answered(String(number))
  recordEpoch(new Headers())
  answered('99 of another server')
  expect(epochNow()).toBe(7)
  expect([...entries.values()]).toEqual(['7'])
})

test('a tab that is behind leaves what another tab has kept', () => {
  entries.set('epoch', '9')
  answered('8')
  expect(entries.get('epoch')).toBe('9')
})

test('an answer of a server that was replaced, of none and of another server is not of the latest', () => {
  const isLatest = (epoch: string) => isOfLatestEpoch(new Headers({ [EPOCH_HEADER]: epoch }))
  expect(isLatest('0')).toBe(true)
  answered('5')
  expect(['5', '6', '4', 'x'].map(isLatest)).toEqual([true, true, false, false])
  expect(isOfLatestEpoch(new Headers())).toBe(false)
})

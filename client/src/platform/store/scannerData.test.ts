import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { forgetGuests, forgetScannerData } from './scannerData.ts'

test('signing out and losing the role make no scanner database where there was none', async () => {
  await forgetScannerData()
  await forgetGuests()
  expect(await indexedDB.databases()).toEqual([])
})

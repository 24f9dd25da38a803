import type { EveningAlarm } from '@garba/shared/contracts/desk'
import { expect, test } from 'vitest'
import { alarmText } from '../src/desk/evening/Headline.tsx'

const alarm = (over: Partial<EveningAlarm>): EveningAlarm => ({
  kind: 'manual',
  count: 12,
  checkerName: null,
  deviceId: null,
  deviceName: null,
  at: '2025-09-22T13:00:00.000Z',
  ...over,
})

test('an alarm names the checker or the device, and how much of what', () => {
  expect(alarmText(alarm({ checkerName: 'Chetan Checker' }))).toBe(
    'Chetan Checker admitted 12 people by hand within a minute',
  )
  expect(alarmText(alarm({ kind: 'undos', count: 1_200, checkerName: 'Chetan Checker' }))).toBe(
    'Chetan Checker undid 1,200 admissions',
  )
  const device = { deviceId: 'd1', deviceName: 'Gate A' }
  expect(alarmText(alarm({ kind: 'backDated', count: 1, ...device }))).toBe('Gate A sent 1 back-dated scan')
  expect(alarmText(alarm({ kind: 'backDated', count: 3, ...device, deviceName: null }))).toBe(
    'd1 sent 3 back-dated scans',
  )
  expect(alarmText(alarm({ kind: 'unknownCodes' }))).toBe('Unnamed device scanned 12 unknown codes')
})

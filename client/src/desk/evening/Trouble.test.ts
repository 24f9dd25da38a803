import type { EveningFigures } from '@garba/shared/contracts/desk'
import { expect, test } from 'vitest'
import { findTrouble, isSilenceTold } from './Trouble.tsx'

const AT = Date.parse('2025-09-22T15:00:00.000Z')
const ago = (minutes: number) => new Date(AT - minutes * 60_000).toISOString()
const event = { startsAt: ago(90) }
const timeOf = (iso: string) => iso.slice(11, 16)

const phone = (deviceName: string, changes: Partial<EveningFigures['devices'][number]> = {}) => ({
  deviceId: deviceName,
  deviceName,
  checkerName: 'Chetan',
  lastSeen: ago(1),
  olderVersion: null,
  unsent: 0,
  oldestUnsent: null,
  rosterRevision: 1,
  rosterLacksSince: null,
  admitted: 0,
  ...changes,
})
const gate = (name: string, ...minutes: number[]) => ({
  name,
  people: minutes.length,
  inside: minutes.length,
  left: 0,
  admitted: minutes.length,
  perMinute: minutes.map((minute) => ({ minute: ago(minute), count: 1 })),
})
const side = { at: ago(20), checkerName: 'Chetan', deviceId: 'A', deviceName: 'A' }
const conflict = (changes: Partial<EveningFigures['conflicts'][number]> = {}) =>
  ({
    id: '1',
    disputed: false,
    first: side,
    second: side,
    acknowledgedAt: null,
    ...changes,
  }) as EveningFigures['conflicts'][number]

const say = (evening: Partial<Pick<EveningFigures, 'conflicts' | 'devices' | 'gates'>>) =>
  findTrouble({ conflicts: [], devices: [], gates: [], ...evening }, { event, at: AT, timeOf })

test('trouble is told in order: double admissions, unsent scans, old lists, silent phones, a gate at rest', () => {
  expect(
    say({
      conflicts: [conflict(), conflict({ disputed: true }), conflict({ acknowledgedAt: ago(1) })],
      gates: [gate('North', 30, 14), gate('South', 9, 1)],
      devices: [
        phone('Quiet', { lastSeen: ago(20) }),
        phone('Stale', { rosterLacksSince: ago(3) }),
        phone('Full', { unsent: 7, oldestUnsent: ago(6) }),
      ],
    }),
  ).toEqual([
    '1 double admission to look at',
    '1 swap to look at',
    'Full has 7 unsent scans, the oldest from 14:54',
    'Stale has a ticket list from 14:57',
    'Quiet has been silent since 14:40',
    'North has let nobody in since 14:46',
  ])
})

test('what is still within its time, of another day or ended is no trouble', () => {
  expect(
    say({
      gates: [gate('North', 9), gate('Never opened')],
      devices: [
        phone('A minute', { unsent: 1, oldestUnsent: ago(4), rosterLacksSince: ago(1), lastSeen: ago(4) }),
        phone('Yesterday', { lastSeen: ago(24 * 60), unsent: 3, oldestUnsent: ago(24 * 60) }),
        phone('Revoked', { lastSeen: ago(30), ended: true, rosterLacksSince: ago(30) }),
      ],
    }),
  ).toEqual([])
  // When no gate lets anybody in, the evening rests and not a gate.
  expect(say({ gates: [gate('North', 14), gate('South', 20)] })).toEqual([])
})

test('a phone is named for the worst alone, and several phones share a line with the longest', () => {
  const devices = [5, 12].map((minutes) =>
    phone(`Phone ${minutes}`, {
      lastSeen: ago(minutes),
      unsent: 1,
      oldestUnsent: ago(minutes),
      rosterLacksSince: ago(9),
    }),
  )
  expect(say({ devices })).toEqual(['2 phones have unsent scans, the oldest from 14:48'])
  expect(say({ devices: devices.map((device) => ({ ...device, unsent: 0 })) })).toEqual([
    '2 phones are silent, one since 14:48',
  ])
})

test('a silent phone whose pairing has ended is not among the trouble, so the count says that phones are silent', () => {
  const devices = [phone('Quiet', { lastSeen: ago(20) }), phone('Over', { lastSeen: ago(20), ended: true, unsent: 2 })]
  const trouble = say({ devices })
  expect(trouble).toEqual(['Quiet has been silent since 14:40'])
  expect(isSilenceTold({ devices }, trouble)).toBe(false)
  expect(isSilenceTold({ devices: devices.slice(0, 1) }, trouble)).toBe(true)
  expect(isSilenceTold({ devices: [] }, [])).toBe(false)
})

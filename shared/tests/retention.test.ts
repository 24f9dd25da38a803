import { expect, test } from 'vitest'
import { retentionStep } from '../src/rules/event/evening.ts'

const DAY = 86_400_000
const DUE = Date.parse('2028-09-22T17:00:00Z')
const FRESH = { lastBackup: DUE - DAY }

test.each([
  ['31 days before', { warnedAt: null, lastBackup: null }, DUE - 31 * DAY, 'keep'],
  ['30 days before', { warnedAt: null, lastBackup: null }, DUE - 30 * DAY, 'warn'],
  ['long after, when nobody was warned', { warnedAt: null, ...FRESH }, DUE + 400 * DAY, 'warn'],
  ['warned, a moment before', { warnedAt: DUE - 30 * DAY, ...FRESH }, DUE - 1, 'keep'],
  ['warned, then', { warnedAt: DUE - 30 * DAY, ...FRESH }, DUE, 'makeAnonymous'],
  ['warned late, when it is due', { warnedAt: DUE - 10 * DAY, ...FRESH }, DUE, 'keep'],
  [
    'warned late, 30 days later',
    { warnedAt: DUE - 10 * DAY, lastBackup: DUE + 19 * DAY },
    DUE + 20 * DAY,
    'makeAnonymous',
  ],
  ['no backup', { warnedAt: DUE - 30 * DAY, lastBackup: null }, DUE, 'needsBackup'],
  ['a backup of 7 days ago', { warnedAt: DUE - 30 * DAY, lastBackup: DUE - 7 * DAY }, DUE, 'makeAnonymous'],
  ['an older backup', { warnedAt: DUE - 30 * DAY, lastBackup: DUE - 7 * DAY - 1 }, DUE, 'needsBackup'],
  ['a backup of tomorrow', { warnedAt: DUE - 30 * DAY, lastBackup: DUE + DAY }, DUE, 'needsBackup'],
] as const)('%s: %j at %i', (_, known, now, step) => {
  expect(retentionStep({ dueAt: DUE, ...known }, now)).toBe(step)
})

import { expect, onTestFinished, test } from 'vitest'
import { soakStorm } from './soakStorm.ts'

test('the same work again and again leaves memory and handles as they are, at the server and in a scanner', async () => {
  const { findings, table } = await soakStorm({ scans: 56, whenOver: onTestFinished })
  expect(findings).toEqual([])
  expect(table).toContainEqual(['scanner: rows in qr_scan_history', '50'])
  expect(table).toContainEqual(['scanner: rows in outbox', '0'])
}, 120_000)

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { RosterEntry } from '../src/contracts/phones/scan.ts'
import { rosterApply, rosterDigest } from '../src/rules/admission.ts'
import { ulidOf } from '../src/testing/ids.ts'

const entry = (n: number, status: RosterEntry['status'] = 'active'): RosterEntry => ({
  id: ulidOf(n),
  status,
  name: `Guest ${n}`,
  entryTime: null,
})
const rosterOf = (...entries: RosterEntry[]) => new Map(entries.map((e) => [e.id, e]))

test('a full answer replaces the roster', () => {
  const next = rosterApply(rosterOf(entry(1), entry(2)), { full: true, tickets: [entry(3)] })
  expect([...next.keys()]).toEqual([ulidOf(3)])
})

test('a delta changes what it names and leaves the rest', () => {
  const before = rosterOf(entry(1), entry(2))
  const next = rosterApply(before, { full: false, tickets: [entry(2, 'used'), entry(3)] })
  expect([...next.values()]).toEqual([entry(1), entry(2, 'used'), entry(3)])
  expect(before.get(ulidOf(2))).toEqual(entry(2))
})

test('a tombstone stays, so that a deleted ticket is refused and not taken for a late sale', () => {
  const next = rosterApply(rosterOf(entry(1)), { full: false, tickets: [entry(1, 'deleted')] })
  expect(next.get(ulidOf(1))?.status).toBe('deleted')
})

test('the digest is SHA-256 over id:status lines sorted by id', async () => {
  const lines = `${ulidOf(1)}:used\n${ulidOf(2)}:active`
  const byHand = createHash('sha256').update(lines).digest('hex')
  expect(await rosterDigest([entry(2), entry(1, 'used')])).toBe(byHand)
})

test('order and tombstones do not change the digest; a status does', async () => {
  const digest = await rosterDigest([entry(1), entry(2, 'used')])
  expect(await rosterDigest([entry(2, 'used'), entry(3, 'deleted'), entry(1)])).toBe(digest)
  expect(await rosterDigest([entry(1), entry(2)])).not.toBe(digest)
  expect(await rosterDigest([])).toBe(createHash('sha256').update('').digest('hex'))
})

import { expect, test, vi } from 'vitest'
import { bought, codeOf } from '../../../server/src/testing/scenes.ts'
import { decideScan } from '../../src/scanner/scan/decide.ts'
import { finishScan } from '../../src/scanner/scan/finish.ts'
import { readUnsent } from '../../src/scanner/store/outbox.ts'
import { rosterEntries } from '../../src/scanner/store/rosterMemory.ts'
import { readStore } from '../../src/scanner/store/scannerStore.ts'
import { sendOutbox, useReplay } from '../../src/scanner/sync/replayer.ts'
import { syncRoster } from '../../src/scanner/sync/syncRoster.ts'
import { made, takePhone } from '../../src/scanner/testing/phone.ts'

const SCANS = 500
/** Each round begins without a network, and ends with one; what is unsent by then takes two batches. */
const ROUND = 250
const OFFLINE = 230
const ENOUGH = 1_000_000

test('a day of scanning: 500 scans leave the history, the journal, the list and nothing else', {
  timeout: 300_000,
}, async () => {
  const phone = await takePhone({ limits: { user: ENOUGH } }, { totalTickets: SCANS })
  const codes: string[] = []
  while (codes.length < SCANS) codes.push(...(await bought(phone.guest, 100)).map(codeOf))
  await syncRoster()

  const scan = async (text: string) => {
    const scanned = await made({ type: 'code', text })
    return (await finishScan(await decideScan(scanned), scanned)).look
  }
  const everythingSent = async () => {
    await sendOutbox()
    await vi.waitFor(() => expect(useReplay.getState().status).toBe('idle'), { timeout: 20_000 })
    expect((await readUnsent()).count).toBe(0)
    // An admission settled in this very millisecond is not the list's to tell yet.
    await new Promise((resolve) => setTimeout(resolve, 2))
    await syncRoster()
  }

  const looks = new Map<string, number>()
  for (const [index, code] of codes.entries()) {
    const inRound = index % ROUND
    if (inRound === 0) phone.cut(true)
    if (inRound === OFFLINE) {
      expect((await readUnsent()).count).toBe(OFFLINE)
      phone.cut(false)
      await everythingSent()
    }
    const look = await scan(code)
    looks.set(look, (looks.get(look) ?? 0) + 1)
    if (inRound === ROUND - 1) await everythingSent()
  }

  expect([...looks.keys()].toSorted()).toEqual(['allowed', 'pending'])
  expect(looks.get('pending')).toBeGreaterThanOrEqual((SCANS / ROUND) * OFFLINE)
  const counts = await readStore(async (db) =>
    Object.fromEntries(
      await Promise.all([...db.objectStoreNames].map(async (name) => [name, await db.count(name)] as const)),
    ),
  )
  expect(counts).toEqual({
    qr_scan_history: 50,
    outbox: 0,
    journal: SCANS,
    roster: SCANS,
    meta: 2,
    conflicts: 0,
    admitted: 0,
    tally: 1,
    pairing: 0,
    blocks: 0,
    sales: 0,
  })
  expect([...rosterEntries().values()].filter(({ status }) => status === 'used')).toHaveLength(SCANS)
  const rows = (sql: string) => phone.world.sqliteStore().sqlite.prepare(sql).all()
  expect(rows('select outcome, count(*) as n from scans group by outcome')).toEqual([{ outcome: 'admitted', n: SCANS }])
  expect(rows('select count(*) as n from conflicts')).toEqual([{ n: 0 }])
})

import { expect, test, vi } from 'vitest'
import { codeOf, mark } from '../../../server/src/testing/scenes.ts'
import type { Scan } from '../../src/scanner/core/scan.ts'
import { askToSwap, scanIdOfSwap } from '../../src/scanner/scan/askServer.ts'
import { decideScan, outcomeOfSwap } from '../../src/scanner/scan/decide.ts'
import { finishScan } from '../../src/scanner/scan/finish.ts'
import { dismissVerdict, swapIn, useScan } from '../../src/scanner/scan/machine.ts'
import { readStore } from '../../src/scanner/store/scannerStore.ts'
import { byCode, byHand, listed, made, type PairedPhone, takePairedPhone } from '../../src/scanner/testing/phone.ts'

/** A supervisor's phone, before somebody whose ticket was used at another gate with a copy of its code. */
async function copied(): Promise<{ phone: PairedPhone; ticket: Awaited<ReturnType<typeof listed>>[0] }> {
  const phone = await takePairedPhone({ rights: ['scan', 'supervise'] })
  const [ticket] = await listed(phone, 1)
  const other = await phone.world.as('qrchecker')
  expect(await mark(other, { qrCode: codeOf(ticket), deviceId: 'b', deviceName: 'Gate B' })).toMatchObject({
    status: 200,
  })
  return { phone, ticket }
}

async function swap(ticket: Parameters<typeof byHand>[0]) {
  const scanned = await made(byHand(ticket))
  const { scan, station }: { scan: Scan; station: Parameters<typeof askToSwap>[1] } = scanned
  return finishScan(outcomeOfSwap(await askToSwap(scan, station)), scanned)
}

test('the second person is refused with the first entry and the name; the supervisor lets them in', async () => {
  const { phone, ticket } = await copied()
  const scanned = await made(byCode(ticket))
  expect(await finishScan(await decideScan(scanned), scanned)).toMatchObject({
    look: 'refused',
    status: 'used',
    name: 'Garima Guest',
    detail: expect.stringContaining('Gate B'),
  })
  expect(await swap(ticket)).toMatchObject({ look: 'allowed', by: 'server', name: 'Garima Guest', ending: 'admitted' })
  const { sqlite } = phone.world.sqliteStore()
  expect(sqlite.prepare('select disputed, acknowledged_by_name as by from conflicts').all()).toEqual([
    { disputed: 1, by: null },
  ])
})

test('a swap whose answer was lost is asked for again as the same one, and lets its one person in', async () => {
  const { phone, ticket } = await copied()
  const tryIt = async () => {
    dismissVerdict()
    swapIn(ticket._id)
    await vi.waitFor(() => expect(useScan.getState().state.type).toBe('shown'), { timeout: 20_000 })
    return useScan.getState().verdict
  }
  const mend = phone.fault(/swap$/, 'cutAfter')
  expect(await tryIt()).toMatchObject({ look: 'refused', ending: 'failed' })
  // A page that is loaded meanwhile asks for the same one.
  vi.resetModules()
  const { scanIdOfSwap: afterReload } = await import('../../src/scanner/scan/askServer.ts')
  const first = scanIdOfSwap(ticket._id)
  expect(afterReload(ticket._id)).toBe(first)
  // One that finds something else there starts all the same.
  localStorage.setItem('garba.swaps', '[7]')
  vi.resetModules()
  await expect(import('../../src/scanner/scan/askServer.ts')).resolves.toBeDefined()
  mend()
  // Somebody who shows the ticket later is another person, who gets no answer of the first one's swap.
  vi.useFakeTimers({ now: Date.now() + 5 * 60_000, toFake: ['Date'] })
  expect(scanIdOfSwap(ticket._id)).not.toBe(first)
  vi.useRealTimers()
  expect(await tryIt()).toMatchObject({ look: 'allowed', name: 'Garima Guest' })
  const { sqlite } = phone.world.sqliteStore()
  expect(sqlite.prepare('select count(*) as n from scans').get()).toEqual({ n: 2 })
  expect(sqlite.prepare('select code from refusals').all()).toEqual([])
  // The next one is another swap, which only an admin may make.
  expect(await tryIt()).toMatchObject({ look: 'refused', ending: 'failed' })
  expect(sqlite.prepare('select code from refusals').all()).toEqual([{ code: 'SWAP_AGAIN' }])
})

test('without a network nobody is let in on a used ticket, and nothing is kept to be sent', async () => {
  const { phone, ticket } = await copied()
  phone.cut(true)
  expect(await swap(ticket)).toMatchObject({ look: 'refused', ending: 'failed' })
  expect(await readStore((db) => db.count('outbox'))).toBe(0)
})

import { expect, test } from 'vitest'
import { close } from '../../../server/src/testing/closing.ts'
import { must } from '../../../server/src/testing/desk.ts'
import { putOnSale } from '../../../server/src/testing/scenes.ts'
import { decideScan } from '../../src/scanner/scan/decide.ts'
import { readHistory, recordAdmission } from '../../src/scanner/store/record.ts'
import { rosterEntries } from '../../src/scanner/store/rosterMemory.ts'
import { replayOutbox } from '../../src/scanner/sync/replay.ts'
import { syncRoster } from '../../src/scanner/sync/syncRoster.ts'
import { byCode, listed, made, type Phone, pendingOf, stored, takePhone } from '../../src/scanner/testing/phone.ts'

/** The event is over and closed, without a day passing for the phone's session. */
async function closeEvent({ world }: Phone): Promise<void> {
  await world.sql("update events set date = '2025-08-07'")
  const [event] = await world.sql('select id from events')
  await must(close(await world.as('admin'), String(event?.id)))
}

test('a phone that was offline over a closing drops the old list, and its unsent scans still count', async () => {
  const phone = await takePhone()
  const [letIn] = await listed(phone, 2)
  phone.cut(true)
  await recordAdmission(await pendingOf(byCode(letIn)))
  await closeEvent(phone)
  const next = await putOnSale(phone.world, { name: 'Garba Rass 2026' })
  phone.cut(false)
  await syncRoster()
  expect([...rosterEntries()]).toEqual([])
  expect((await stored()).outbox).toBe(1)
  expect(await replayOutbox()).toBe('empty')
  expect((await stored()).outbox).toBe(0)
  expect((await readHistory())[0]).toMatchObject({ ending: 'admitted', marked: true })
  expect(await phone.world.sql('select outcome, event_id from scans')).toEqual([
    { outcome: 'admitted', event_id: expect.not.stringContaining(next._id) },
  ])
})

test('after a closing the old codes are another event’s, with a next event and without, online and offline', async () => {
  const phone = await takePhone()
  const [old] = await listed(phone)
  await closeEvent(phone)
  const refusedBy = async () => {
    const by: string[] = []
    for (const cut of [false, true]) {
      phone.cut(cut)
      const outcome = await decideScan(await made(byCode(old)))
      expect(outcome).toMatchObject({ type: 'refused', code: 'QR_OTHER_EVENT' })
      if (outcome.type === 'refused') by.push(outcome.by)
    }
    phone.cut(false)
    return by
  }
  await syncRoster()
  expect(await refusedBy()).toEqual(['server', 'device'])
  await putOnSale(phone.world, { name: 'Garba Rass 2026' })
  const [fresh] = await listed(phone)
  expect(await refusedBy()).toEqual(['server', 'device'])
  phone.cut(true)
  expect(await decideScan(await made(byCode(fresh)))).toMatchObject({ type: 'pending', ticketId: fresh._id })
})

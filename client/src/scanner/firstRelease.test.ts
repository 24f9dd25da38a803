import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  type DumpedPhone,
  databaseOfFirstRelease,
  phonesOfFirstRelease,
} from '../../../server/src/testing/firstRelease/firstRelease.ts'
import { makeWorld } from '../../../server/src/testing/world.ts'
import { setTokenSource } from '../platform/http/tokens.ts'
import { useSessionStore } from '../platform/identity/session.ts'
import { noteAnswer } from '../platform/net/connectivity.ts'
import { readKeptUser } from '../platform/store/kept.ts'
import { readWallet } from '../platform/store/wallet.ts'
import { readOpenConflicts } from './store/conflicts.ts'
import { readDevice } from './store/device.ts'
import { oldestRows } from './store/outbox.ts'
import { readAdmitted, readHistory, readTally } from './store/record.ts'
import { loadRoster, readRoster, rosterEntries } from './store/rosterMemory.ts'
import { read, VERSION } from './store/scannerStore.ts'
import { replay } from './sync/replay.ts'
import { syncRoster } from './sync/syncRoster.ts'
import { connect } from './testing/phone.ts'

/** The phone's databases as the first release made and filled them. */
async function restore({ databases }: DumpedPhone): Promise<void> {
  for (const { name, version, stores } of databases) {
    const db = await openDB(name, version, {
      upgrade(made) {
        for (const [store, { keyPath, autoIncrement, indexes, keys, rows }] of Object.entries(stores)) {
          const object = made.createObjectStore(store, { autoIncrement, ...(keyPath === null ? {} : { keyPath }) })
          for (const index of indexes) object.createIndex(index.name, index.keyPath, { unique: index.unique })
          for (const [place, row] of rows.entries()) void object.put(row, keys?.[place])
        }
      },
    })
    db.close()
  }
}

const rowsOf = (phone: DumpedPhone, store: string) => phone.databases[0]?.stores[store]?.rows ?? []

/** The evening's server, opened by this version, and the time of the dump on both sides. */
async function theEvening(phone: DumpedPhone) {
  const world = await makeWorld({ database: databaseOfFirstRelease() })
  world.clock.set(phone.savedAt)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(phone.savedAt) })
  onTestFinished(() => void vi.useRealTimers())
  connect(world, phone.localStorage)
  noteAnswer()
  return world
}

test('a phone of the first release keeps every scan and its history, and its waiting scans reach this server', async () => {
  const phone = phonesOfFirstRelease().scanner
  await restore(phone)
  const world = await theEvening(phone)

  expect(await read(async (db) => db.version)).toBe(VERSION)
  expect(await oldestRows(100)).toEqual(rowsOf(phone, 'outbox'))
  expect(await readHistory()).toEqual(rowsOf(phone, 'qr_scan_history').toReversed())
  expect(await readAdmitted()).toEqual(rowsOf(phone, 'admitted'))
  expect(await readOpenConflicts()).toEqual(rowsOf(phone, 'conflicts'))
  expect(await readDevice()).toMatchObject({ name: 'Gate A' })
  expect(await readTally('2025-09-22')).toEqual(rowsOf(phone, 'tally')[0])
  expect((await readKeptUser())?.user).toMatchObject({ email: 'checker@garba.test', role: 'qrchecker' })
  loadRoster(await readRoster())
  expect(rosterEntries().size).toBe(12)

  const checker = await world.as('qrchecker')
  setTokenSource(async () => ({ token: async () => checker.token }))
  const { user } = (await checker.request('GET', '/api/auth/me')).body as { user: never }
  useSessionStore.setState({ session: { type: 'signedIn', user, confirmed: true } })
  await syncRoster()
  expect(await replay()).toBe('empty')
  expect((await oldestRows(100)).map(({ parked }) => parked?.code)).toEqual(['FORBIDDEN'])
  const sent = rowsOf(phone, 'outbox').filter(({ parked }) => parked === null)
  for (const { scanId, ticketId } of sent)
    expect(await world.sql('select outcome, ticket_id from scans where id = ?', scanId)).toEqual([
      { outcome: 'admitted', ticket_id: ticketId },
    ])
  await syncRoster()
  expect(await readHistory()).toHaveLength(9)
})

test("a guest's phone of the first release keeps its tickets, language and answers", async () => {
  const phone = phonesOfFirstRelease().guest
  const [wallet] = rowsOf(phone, 'wallets')
  await restore(phone)
  await theEvening(phone)
  expect(await readWallet(String(wallet?.userId))).toEqual(wallet)
  // Read when a page starts.
  vi.resetModules()
  const { keptLanguage } = await import('../platform/language.ts')
  const { useCurrentEvent } = await import('../platform/store/event.ts')
  const { useConfig } = await import('../platform/config.ts')
  expect(keptLanguage()).toBe('gu')
  expect(useCurrentEvent.getState().current).toMatchObject({ type: 'known', event: { name: 'Garba Rass 2025' } })
  expect(useConfig.getState().config).toMatchObject({ timezone: 'Asia/Kolkata' })
})

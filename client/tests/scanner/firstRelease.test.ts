import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  copyFirstDatabase,
  type DumpedPhone,
  RECORDED_AT,
  readFirstPhone,
} from '../../../server/src/testing/firstRelease/firstRelease.ts'
import { makeWorld, PAYING } from '../../../server/src/testing/world.ts'
import { readWallet } from '../../src/platform/store/wallet.ts'
import { readPairing } from '../../src/scanner/store/pairing.ts'
import { readHistory, readTally } from '../../src/scanner/store/record.ts'
import { loadRoster, readRoster } from '../../src/scanner/store/rosterMemory.ts'
import { readSelling } from '../../src/scanner/store/sales.ts'
import { readStore } from '../../src/scanner/store/scannerStore.ts'
import { signAsDevice } from '../../src/scanner/sync/pairing.ts'
import { sendOutbox } from '../../src/scanner/sync/replayer.ts'
import { connect } from '../../src/scanner/testing/phone.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }

/** The key was exported for the dump, which a browser's own never can be. */
async function withKey(row: Record<string, unknown>): Promise<Record<string, unknown>> {
  if (row.privateKey === undefined) return row
  return {
    ...row,
    privateKey: await crypto.subtle.importKey('jwk', row.privateKey as JsonWebKey, ALGORITHM, false, ['sign']),
  }
}

/** Makes the phone's databases as 1.0.0 made and filled them. */
async function restorePhone({ databases }: DumpedPhone): Promise<void> {
  for (const { name, version, stores } of databases) {
    const db = await openDB(name, version, {
      upgrade(made) {
        for (const [store, { keyPath, autoIncrement, indexes }] of Object.entries(stores)) {
          const object = made.createObjectStore(store, { keyPath, autoIncrement })
          for (const index of indexes) object.createIndex(index.name, index.keyPath, { unique: index.unique })
        }
      },
    })
    for (const [store, { rows }] of Object.entries(stores))
      for (const row of rows) await db.put(store, await withKey(row))
    db.close()
  }
}

const rowsOf = ({ databases }: DumpedPhone, store: string) =>
  databases.flatMap(({ stores }) => stores[store]?.rows ?? [])

test('a phone of 1.0.0 keeps its scans, its sale and a guest’s tickets, and what waits on it reaches this server', async () => {
  const phone = readFirstPhone()
  await restorePhone(phone)
  const world = await makeWorld({ database: copyFirstDatabase(), settings: PAYING })
  world.clock.set(RECORDED_AT)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(RECORDED_AT) })
  onTestFinished(() => void vi.useRealTimers())
  connect(world, phone.localStorage)
  vi.stubGlobal('isSecureContext', true)
  signAsDevice()
  await readPairing()
  loadRoster(await readRoster())

  const waiting = rowsOf(phone, 'outbox')
  const [sale] = rowsOf(phone, 'sales')
  const [wallet] = rowsOf(phone, 'wallets')
  expect(waiting).toHaveLength(3)
  expect(await readStore((db) => db.getAll('outbox'))).toEqual(waiting)
  expect(await readHistory()).toEqual(rowsOf(phone, 'qr_scan_history').toReversed())
  expect(await readTally('2025-09-22')).toEqual(rowsOf(phone, 'tally')[0])
  expect((await readSelling()).sales).toEqual([sale])
  expect(await readWallet(String(wallet?.userId))).toEqual(wallet)

  await sendOutbox()
  await vi.waitFor(async () => expect(await readStore((db) => db.count('outbox'))).toBe(0), 30_000)
  const known = (table: string) =>
    world.sql(
      `select id from ${table} where id in (${waiting.map(() => '?').join()})`,
      ...waiting.map(({ scanId }) => String(scanId)),
    )
  expect([...(await known('scans')), ...(await known('movements'))]).toHaveLength(3)
  await vi.waitFor(async () => expect((await readSelling()).sales).toMatchObject([{ state: 'done' }]), 30_000)
})

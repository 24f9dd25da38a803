import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readQr } from '@garba/shared/rules/qr'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { readSettings, type Settings } from '../../server/src/config.ts'
import { listAudit } from '../../server/src/store/audit.ts'
import { listConflicts } from '../../server/src/store/conflicts.ts'
import { listDevices } from '../../server/src/store/devices.ts'
import { openStore } from '../../server/src/store/engine/open.ts'
import type { ReadTx } from '../../server/src/store/engine/sql.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { findEvent } from '../../server/src/store/events.ts'
import { readHeadcount } from '../../server/src/store/figures.ts'
import { countTickets, listTickets } from '../../server/src/store/lists.ts'
import { latestRefusals, refusalsByCode } from '../../server/src/store/scans.ts'
import { allSigningKeys } from '../../server/src/store/signingKeys.ts'
import { allUsers, countUsers } from '../../server/src/store/users.ts'
import { seedBig } from './seedBig.ts'

const NOW = new Date('2025-09-22T15:00:00Z')
const SIZE = { users: 150, tickets: 400, seats: 500 }

interface Seeded {
  store: Store
  settings: Settings
}

async function seeded(whenOver: (undo: () => Promise<void>) => void, { now = NOW } = {}): Promise<Seeded> {
  const folder = mkdtempSync(join(tmpdir(), 'garba-big-'))
  const settings = readSettings({ DATA_DIR: folder })
  await seedBig({ settings, now, size: SIZE })
  const store = openStore(settings.databaseFile)
  whenOver(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { store, settings }
}

/** No test changes it. */
let usual: Seeded
beforeAll(async () => {
  const undone: (() => Promise<void>)[] = []
  usual = await seeded((undo) => undone.push(undo))
  return async () => {
    for (const undo of undone) await undo()
  }
})

const eventIdIn = async (tx: ReadTx) => (await findEvent(tx))?.id ?? ''
const ticketsIn = async (tx: ReadTx) => countTickets(tx, { eventId: await eventIdIn(tx) })

test('the big seed has exactly the expected users and tickets, and an evening in progress', async () => {
  const { store } = usual
  await store.read(async (tx) => {
    const eventId = await eventIdIn(tx)
    expect(await countUsers(tx)).toBe(SIZE.users)
    expect(await countTickets(tx, { eventId })).toBe(SIZE.tickets)
    const { admitted, sold } = await readHeadcount(tx, eventId)
    expect(await findEvent(tx)).toMatchObject({ date: '2025-09-22', takenSeats: sold, totalTickets: SIZE.seats })
    expect(admitted).toBeGreaterThan(sold / 3)
    expect(admitted).toBeLessThan(sold)
    expect(await countTickets(tx, { eventId, status: 'cancelled' })).toBeGreaterThan(0)
    expect((await listConflicts(tx, { eventId, limit: 1_000 })).map(({ over }) => over)).toEqual(
      expect.arrayContaining(['used', 'missing', 'deleted']),
    )
    expect(
      (await listDevices(tx, { limit: 1_000, now: new Date(), event: null })).filter(({ unsent }) => unsent > 0),
    ).toHaveLength(2)
    // It has been silent for an hour.
    const refused = await latestRefusals(tx, { eventId, limit: 1_000 })
    expect(refused.map(({ deviceName }) => deviceName)).not.toContain('Spare phone')
    expect((await refusalsByCode(tx, eventId)).map(({ code }) => code)).toContain('QR_FORGED')
    expect((await listTickets(tx, { eventId, search: 'પટેલ' })).length).toBeGreaterThan(0)
    expect((await listAudit(tx, { action: 'ticket.refund' })).length).toBeGreaterThan(0)
  })
})

test('every code of the big seed is genuine', async () => {
  const { store } = usual
  const eventId = await store.read(eventIdIn)
  const keys = (await store.read(allSigningKeys)).map(({ kid, publicJwk: jwk }) => ({ kid, eventId, jwk }))
  const tickets = await store.read((tx) => listTickets(tx, { eventId }))
  const facts = tickets.map(({ qrCode }) => readQr({ text: qrCode, keys, eventId }))
  expect(new Set((await Promise.all(facts)).map(({ type }) => type))).toEqual(new Set(['genuine']))
})

/** Everything except ids and signatures, which differ each time. */
const summary = (store: Store) =>
  store.read(async (tx) => {
    const eventId = await eventIdIn(tx)
    return {
      people: (await allUsers(tx)).map(({ name, email, role, createdAt, lastLogin }) => ({
        name,
        email,
        role,
        createdAt,
        lastLogin,
      })),
      tickets: (await listTickets(tx, { eventId })).map((ticket) => {
        const { buyerEmail, pricePaise, status, createdAt, entryTime, entryScanId, cancelledAt, isRefundDone } = ticket
        return { buyerEmail, pricePaise, status, createdAt, entryTime, entryScanId, cancelledAt, isRefundDone }
      }),
      conflicts: (await listConflicts(tx, { eventId, limit: 1_000 })).map(({ first, second, acknowledgedAt }) => ({
        first,
        second,
        acknowledgedAt,
      })),
      devices: (await listDevices(tx, { limit: 1_000, now: new Date(), event: null })).map(
        ({ checkerId, ...device }) => device,
      ),
    }
  })

test('the same time gives the same people, sales and scans', async () => {
  const again = await seeded(onTestFinished)
  expect(await summary(again.store)).toEqual(await summary(usual.store))
})

test.each(['2025-09-22T18:35:00Z', '2025-09-22T18:29:30Z'])(
  'seeded at %s, around midnight, it still has a whole evening',
  async (moment) => {
    const { store } = await seeded(onTestFinished, { now: new Date(moment) })
    expect(await store.read(ticketsIn)).toBe(SIZE.tickets)
    expect((await store.read(async (tx) => readHeadcount(tx, await eventIdIn(tx)))).admitted).toBeGreaterThan(0)
  },
)

test('a database with tickets is left unchanged', async () => {
  const { store, settings } = usual
  await expect(seedBig({ settings, now: NOW, size: SIZE })).rejects.toThrow('already has tickets')
  expect(await store.read(ticketsIn)).toBe(SIZE.tickets)
})

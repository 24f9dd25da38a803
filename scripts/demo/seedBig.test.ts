import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readQr } from '@garba/shared/rules/qr'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../server/src/config.ts'
import { listConflicts } from '../../server/src/store/conflicts.ts'
import { listDevices } from '../../server/src/store/devices.ts'
import { openStore } from '../../server/src/store/engine/open.ts'
import { findEvent } from '../../server/src/store/events.ts'
import { readHeadcount } from '../../server/src/store/figures.ts'
import { countTickets, listTickets } from '../../server/src/store/lists.ts'
import { refusalsByCode } from '../../server/src/store/scans.ts'
import { allSigningKeys } from '../../server/src/store/signingKeys.ts'
import { countUsers } from '../../server/src/store/users.ts'
import { seedBig } from './seedBig.ts'

const SIZE = { users: 150, tickets: 400, seats: 500 }

// In the evening, and around midnight.
test.each(['2025-09-22T15:00:00Z', '2025-09-22T18:35:00Z', '2025-09-22T18:29:30Z'])(
  'the big seed at %s has the expected users and tickets, all with genuine codes, and an evening in progress',
  async (moment) => {
    const folder = mkdtempSync(join(tmpdir(), 'garba-big-'))
    const settings = readSettings({ DATA_DIR: folder })
    const request = { settings, now: new Date(moment), size: SIZE }
    const { users, tickets } = SIZE
    expect(await seedBig(request)).toEqual({ users, tickets })
    await expect(seedBig(request)).rejects.toThrow('already has tickets')
    const store = openStore(settings.databaseFile)
    onTestFinished(async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    })
    await store.read(async (tx) => {
      const eventId = (await findEvent(tx))?.id ?? ''
      const { admitted, sold } = await readHeadcount(tx, eventId)
      expect(await findEvent(tx)).toMatchObject({ takenSeats: sold, totalTickets: SIZE.seats })
      expect(admitted).toBeGreaterThan(sold / 3)
      expect(admitted).toBeLessThan(sold)
      expect(await countUsers(tx)).toBe(users)
      expect(await countTickets(tx, { eventId, status: 'cancelled' })).toBeGreaterThan(0)
      const conflicts = await listConflicts(tx, { eventId, limit: 1_000 })
      expect(conflicts.map(({ over }) => over)).toEqual(expect.arrayContaining(['used', 'missing', 'deleted']))
      const devices = await listDevices(tx, { limit: 1_000, now: new Date(), event: null })
      expect(devices.filter(({ unsent }) => unsent > 0)).toHaveLength(1)
      expect((await refusalsByCode(tx, eventId)).map(({ code }) => code)).toContain('QR_FORGED')
      expect((await listTickets(tx, { eventId, search: 'પટેલ' })).length).toBeGreaterThan(0)
    })
    const eventId = (await store.read(findEvent))?.id ?? ''
    const keys = (await store.read(allSigningKeys)).map(({ kid, publicJwk: jwk }) => ({ kid, eventId, jwk }))
    const listed = await store.read((tx) => listTickets(tx, { eventId }))
    const facts = await Promise.all(listed.map(({ qrCode }) => readQr({ text: qrCode, keys, eventId })))
    expect(new Set(facts.map(({ type }) => type))).toEqual(new Set(['genuine']))
  },
)

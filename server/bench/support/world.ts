import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '@garba/shared/constants'
import type { Role } from '@garba/shared/contracts/names'
import { openStore, type SqliteStore } from '../../src/store/engine/open.ts'
import { newId, type WriteTx } from '../../src/store/engine/sql.ts'
import type { Store } from '../../src/store/engine/store.ts'
import { findEvent } from '../../src/store/events.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { insertEvent } from '../../src/store/typeSeats.ts'
import { allUsers, insertUser, type UserRow } from '../../src/store/users.ts'

/** So many that none has more tickets than a person buys. */
const BUYERS = 1_000

interface Evening {
  eventId: string
  buyers: UserRow[]
  checker: UserRow
}
export interface BenchWorld<S extends Store> extends Evening {
  store: S
  folder: string
}

/** Blocks the process, like a disk whose syncs take this much longer. */
export function waitFor(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

interface BenchWorldOptions {
  /** Added to each commit, in ms. */
  commitMs: number
}

/** A new database with an event that cannot sell out, buyers and a checker. */
export async function makeBenchWorld({ commitMs }: BenchWorldOptions): Promise<BenchWorld<SqliteStore>> {
  const folder = mkdtempSync(join(tmpdir(), 'garba-bench-'))
  const store = openStore(join(folder, 'garba.db'), { beforeCommit: () => waitFor(commitMs) })
  return { ...(await fill(store)), store, folder }
}

/** The same in a PostgreSQL database, or what another server of it has made there. */
export async function joinBenchWorld(databaseUrl: string): Promise<BenchWorld<Store>> {
  const store = await openPostgres(databaseUrl)
  return { ...(await fill(store)), store, folder: mkdtempSync(join(tmpdir(), 'garba-bench-')) }
}

function fill(store: Store): Promise<Evening> {
  const now = new Date()
  const person = (tx: WriteTx, name: string, role: Role): Promise<UserRow> =>
    insertUser(tx, {
      id: newId(now),
      firebaseUid: name,
      email: `${name}@garba.test`,
      emailVerified: true,
      name,
      photoUrl: null,
      role,
      createdAt: now,
      lastLogin: null,
    })
  return store.write(async (tx) => {
    const there = await findEvent(tx)
    if (there) {
      const people = await allUsers(tx)
      const checker = people.find(({ role }) => role === 'qrchecker')
      if (!checker) throw new Error('No checker')
      return { eventId: there.id, buyers: people.filter(({ role }) => role === 'guest'), checker }
    }
    const event = await insertEvent(tx, {
      id: newId(now),
      name: 'Garba Rass 2025',
      venue: 'A ground',
      description: 'A night',
      date: new Date(now.getTime() + 45 * DAY_MS).toISOString().slice(0, 10),
      startTime: '18:30',
      endTime: '22:30',
      ticketPricePaise: 29_900,
      groupPricePaise: 24_900,
      totalTickets: 10_000_000,
      imageHash: null,
      features: [],
      aboutText: null,
      createdAt: now,
      updatedAt: now,
    })
    const buyers: UserRow[] = []
    for (let index = 0; index < BUYERS; index++) buyers.push(await person(tx, `buyer-${index}`, 'guest'))
    return { eventId: event.id, buyers, checker: await person(tx, 'checker', 'qrchecker') }
  })
}

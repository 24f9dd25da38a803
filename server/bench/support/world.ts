import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '@garba/shared/contracts/names'
import { insertEvent } from '../../src/store/events.ts'
import { newId } from '../../src/store/ids.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { insertUser, type UserRow } from '../../src/store/users.ts'

const BUYERS = 100
const DAY_MS = 24 * 3600 * 1000

export interface BenchWorld {
  store: Store
  folder: string
  eventId: string
  buyers: UserRow[]
  checker: UserRow
}

/** A database of its own with one event that cannot sell out, a hundred buyers and a checker. */
export function makeBenchWorld(): BenchWorld {
  const folder = mkdtempSync(join(tmpdir(), 'garba-bench-'))
  const store = openStore(join(folder, 'garba.db'))
  const now = new Date()
  const person = (name: string, role: Role): UserRow =>
    insertUser(store.db, {
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
  const event = insertEvent(store.db, {
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
  const buyers = Array.from({ length: BUYERS }, (_, index) => person(`buyer-${index}`, 'guest'))
  return { store, folder, eventId: event.id, buyers, checker: person('checker', 'qrchecker') }
}

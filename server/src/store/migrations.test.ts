import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import { expect, onTestFinished, test } from 'vitest'
import { OF_EARLIER_VERSIONS, REFUNDS_BEFORE_ASKING, REFUNDS_SINCE_ASKING } from '../testing/earlier.ts'
import { listAudit } from './audit.ts'
import { listConflicts } from './conflicts.ts'
import { openStore } from './engine/open.ts'
import { findEvent } from './events.ts'
import { headcount } from './figures.ts'
import { admittedByDevice, refusalsByCode } from './scans.ts'

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))

/** A database file as the version with the first `count` migrations left it. */
function earlier(count: number, rows = OF_EARLIER_VERSIONS): string {
  const folder = mkdtempSync(join(tmpdir(), 'garba-earlier-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const migrationsFolder = join(folder, 'migrations')
  cpSync(MIGRATIONS, migrationsFolder, { recursive: true })
  const file = join(migrationsFolder, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }))
  const sqlite = new Database(join(folder, 'garba.db'))
  migrate(drizzle({ client: sqlite }), { migrationsFolder })
  for (const source of rows) sqlite.exec(source)
  sqlite.close()
  return join(folder, 'garba.db')
}

test('a database of the last version with one event opens with all its rows, which belong to its event', async () => {
  const store = openStore(earlier(9))
  onTestFinished(store.close)
  await store.read(async (tx) => {
    const event = await findEvent(tx)
    const eventId = 'event'
    expect(event).toMatchObject({ id: eventId, name: 'Garba Rass 2025', takenSeats: 1, closedAt: null })
    expect(await headcount(tx, eventId)).toEqual({ admitted: 1, sold: 1 })
    expect(await admittedByDevice(tx, eventId)).toEqual(new Map([['gate-a', 1]]))
    expect(await refusalsByCode(tx, eventId)).toEqual([{ code: 'QR_FORGED', count: 1 }])
    expect((await listConflicts(tx, { eventId, limit: 10 })).map(({ id }) => id)).toEqual(['conflict'])
    expect((await listAudit(tx, { event: eventId })).map(({ action }) => action)).toEqual([
      'ticket.sold',
      'event.created',
    ])
    expect((await listAudit(tx, {})).map(({ action }) => action)).toContain('user.role')
  })
})

test('a refund that may have been asked for is in doubt from now on, and is asked about until its outcome is known', async () => {
  const file = earlier(21, REFUNDS_BEFORE_ASKING)
  await openStore(file).close()
  const sqlite = new Database(file)
  onTestFinished(() => void sqlite.close())
  const rows = (source: string) => sqlite.prepare(source).all()
  expect(rows('select id, state, retry_of as of from refunds order by id')).toEqual(REFUNDS_SINCE_ASKING)
  expect(rows('select id from jobs where ended_at is null and gave_up = 0 order by id')).toEqual([
    { id: 'refund:given' },
    { id: 'refund:lost' },
    { id: 'refund:new' },
  ])
})

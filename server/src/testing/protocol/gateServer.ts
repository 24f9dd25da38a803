import type { Ticket } from '@garba/shared/contracts/ticket'
import { accountantFindings } from '../../accountant/accountant.ts'
import { ensureEpoch } from '../../flows/recovery/epoch.ts'
import { raiseEpoch } from '../../store/epoch.ts'
import { currentRevision, moveRevision } from '../../store/meta.ts'
import { must } from '../desk.ts'
import { eventForm, person } from '../scenes.ts'
import { makeWorld, type World, type WorldOptions } from '../world.ts'

type Whole = 'pristine' | 'backup'

/** The real app on SQLite, whose whole data can be saved and brought back in a fraction of a millisecond. */
export interface FastServer {
  world: World
  /** Keeps all rows as they are now. */
  keep: (as: Whole) => void
  /** Brings them back. With a restore a new epoch begins, as for a backup. */
  bringBack: (from: Whole, how?: { restore: boolean }) => Promise<void>
  row: (source: string, ...params: unknown[]) => Record<string, unknown> | undefined
  rows: (source: string, ...params: unknown[]) => Record<string, unknown>[]
  accountant: () => Promise<string[]>
}

const SLOW_LIMITS = { user: 1e9, address: 1e9, manual: 1e9 }

export async function fastServer(whenOver: NonNullable<WorldOptions['whenOver']>, settings = {}): Promise<FastServer> {
  const world = await makeWorld({ whenOver, limits: SLOW_LIMITS, settings })
  const { sqlite, reader } = world.sqliteStore()
  const tables = sqlite
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '%drizzle%'",
    )
    .pluck()
    .all() as string[]
  for (const whole of ['pristine', 'backup'] as const) {
    sqlite.exec(`attach ':memory:' as ${whole}`)
    for (const table of tables) sqlite.exec(`create table ${whole}.${table} as select * from main.${table} where 0`)
  }
  const copying = (from: string, to: string) =>
    tables.map((table) => ({
      clear: sqlite.prepare(`delete from ${to}.${table}`),
      fill: sqlite.prepare(`insert into ${to}.${table} select * from ${from}.${table}`),
    }))
  const steps = {
    keep: { pristine: copying('main', 'pristine'), backup: copying('main', 'backup') },
    back: { pristine: copying('pristine', 'main'), backup: copying('backup', 'main') },
  }
  const copy = sqlite.transaction((all: ReturnType<typeof copying>) => {
    for (const { clear, fill } of all) {
      clear.run()
      fill.run()
    }
  })
  const run = (all: ReturnType<typeof copying>) => {
    sqlite.pragma('foreign_keys = OFF')
    copy(all)
    sqlite.pragma('foreign_keys = ON')
  }
  const statements = new Map<string, ReturnType<typeof reader.prepare>>()
  const prepared = (source: string) => {
    const known = statements.get(source) ?? sqlite.prepare(source)
    statements.set(source, known)
    return known
  }
  const rows = (source: string, ...params: unknown[]) => prepared(source).all(...params) as Record<string, unknown>[]
  return {
    world,
    keep: (as) => run(steps.keep[as]),
    bringBack: async (from, { restore } = { restore: false }) => {
      const { store, deps, clock, log: lines } = world
      lines.length = 0
      const before = await store.read(currentRevision)
      run(steps.back[from])
      // The store sees it in the next turn.
      await new Promise((resolve) => setImmediate(resolve))
      if (restore) await store.write((tx) => raiseEpoch(tx, clock.now()))
      // A server caches its list by revision, and one revision never has two lists, so the revision still rises.
      else await store.write((tx) => moveRevision(tx, before + 1))
      const { log } = deps
      const epoch = await ensureEpoch({ store, log })
      // Each request reads its epoch from here; the guard of the store is the same for all.
      const { guard: _, ...fresh } = epoch
      Object.assign(deps.epoch, fresh)
    },
    rows,
    row: (source, ...params) => rows(source, ...params)[0],
    accountant: async () =>
      (await accountantFindings(async (query) => rows(query))).map(({ rule, finding }) => `${rule}: ${finding}`),
  }
}

export interface Gate extends FastServer {
  tickets: Ticket[]
  groups: { qrCode: string; ticketIds: string[] }[]
}

/** Years away, because the clock of a run never goes back. */
const DATE = '2030-08-01'

/** A server with an event and some tickets; groups of them have codes too. */
export async function gateServer(whenOver: NonNullable<WorldOptions['whenOver']>): Promise<Gate> {
  const server = await fastServer(whenOver)
  const admin = await server.world.as('admin')
  await must(admin.request('POST', '/api/event', eventForm({ date: DATE, totalTickets: 200, reentry: 'open' })))
  const guest = await server.world.as('guest', person('Garima'))
  const { tickets } = await must(
    guest.request('POST', '/api/tickets', { quantity: 4 }, { 'Idempotency-Key': crypto.randomUUID() }),
  )
  const { groups } = await must(guest.request('GET', '/api/tickets/group-codes'))
  return { ...server, tickets: tickets as Ticket[], groups: groups as Gate['groups'] }
}

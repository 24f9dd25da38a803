import { expect } from 'vitest'
import { type Send, signedIn } from './caller.ts'
import { emptyPostgres } from './database.ts'
import { ask } from './postgres.ts'
import { runServer, type ServerRun, temporaryFolder } from './process.ts'
import { eventForm } from './scenes.ts'

export const ADMIN = 'admin@garba.test'

/** A server in a process of its own on a PostgreSQL database. */
export const serveOn = (postgres: { url: string }, settings: Record<string, string> = {}): Promise<ServerRun> =>
  runServer({
    DATABASE_URL: postgres.url,
    DATA_DIR: temporaryFolder(),
    ADMIN_EMAILS: ADMIN,
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9',
    ...settings,
  })

/** Puts an event on sale at a server. Resolves with its admin. */
export async function onSaleAt(url: string, { seats }: { seats: number }): Promise<Send> {
  const admin = await signedIn(url, ADMIN)
  const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  expect(await admin(url, '/api/event', eventForm({ date, totalTickets: seats }))).toMatchObject({ status: 201 })
  return admin
}

interface TwoServers {
  seats: number
  settings?: Record<string, string>
  /** The address of an empty database. */
  url?: string
}

/** Two servers on one PostgreSQL database, with an event on sale. */
export async function twoServers({ seats, settings = {}, url }: TwoServers) {
  const postgres = { url: url ?? (await emptyPostgres()) }
  const serve = () => serveOn(postgres, settings)
  const [a, b] = await Promise.all([serve(), serve()])
  const admin = await onSaleAt(a.url, { seats })
  const rows = <T extends object>(source: string) => ask<T>(postgres.url, source)
  return { serve, a, b, admin, rows }
}

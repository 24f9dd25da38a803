import { expect, onTestFinished } from 'vitest'
import { signedIn } from './caller.ts'
import { ask, startPostgres } from './postgres.ts'
import { runServer, temporaryFolder } from './process.ts'
import { eventForm } from './scenes.ts'

export const ADMIN = 'admin@garba.test'

/** Two servers on one PostgreSQL, with an event on sale. */
export async function twoServers({ seats, settings = {} }: { seats: number; settings?: Record<string, string> }) {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const serve = () =>
    runServer({
      DATABASE_URL: postgres.url,
      DATA_DIR: temporaryFolder(),
      ADMIN_EMAILS: ADMIN,
      FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9',
      ...settings,
    })
  const [a, b] = await Promise.all([serve(), serve()])
  const admin = await signedIn(a.url, ADMIN)
  const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  expect(await admin(a.url, '/api/event', eventForm({ date, totalTickets: seats }))).toMatchObject({ status: 201 })
  const rows = <T extends object>(source: string) => ask<T>(postgres.url, source)
  return { postgres, serve, a, b, admin, rows }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_PROJECT_ID } from '@garba/shared/constants'
import { Hono } from 'hono'
import { UnsecuredJWT } from 'jose'
import { seedBig } from '../../scripts/demo/seedBig.ts'
import { type BenchRow, formatFigure } from '../../scripts/lib/benchRow.ts'
import { openApp } from '../src/app.ts'
import { readSettings, type Settings } from '../src/config.ts'
import { openStore, type SqliteStore } from '../src/store/engine/open.ts'

const RUNS = 150
const EXPORTS = 10
const WANTED_MS = 100

const QUESTIONS = [
  ['Ticket management, first page', '/api/admin/tickets/management'],
  ['Ticket management, last page', '/api/admin/tickets/management?page=600'],
  ['Ticket management, active ones', '/api/admin/tickets/management?status=active&page=100'],
  ['Ticket search, a surname', '/api/admin/tickets/management?search=patel'],
  ['Ticket search, nothing found', '/api/admin/tickets/management?search=nobody%20at%20all'],
  ['Ticket search, Gujarati', '/api/admin/tickets/management?search=%E0%AA%AA%E0%AA%9F%E0%AB%87%E0%AA%B2'],
  ['User search', '/api/admin/users?search=zoe'],
  ['Analytics', '/api/admin/analytics/dashboard'],
  ['Gate view', '/api/admin/gate'],
  ['Audit search', '/api/admin/audit?search=patel'],
] as const
const EXPORT = '/api/admin/tickets/export?format=csv'

interface Times {
  p50: number
  p99: number
}
type Ask = () => Response | Promise<Response>

/** Server time of the desk's calls with 5,000 users and 12,000 tickets, through the whole application. */
export default async function desk(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'garba-desk-'))
  const settings = readSettings({ DATA_DIR: folder, FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1', LOG_LEVEL: 'silent' })
  const from = performance.now()
  const held = await seedBig({ settings, now: new Date() })
  const seeded = (performance.now() - from) / 1000
  const store = openStore(settings.databaseFile)
  try {
    const floors = floorsOf(store)
    const floor = await timesOf(floors.page)
    const rows: BenchRow[] = []
    const ask = await asAdmin(store, settings)
    for (const [name, path] of QUESTIONS) rows.push(rowOf(name, await timesOf(() => ask(path)), floor))
    rows.push(exportRow(await timesOf(() => ask(EXPORT), EXPORTS), await timesOf(floors.everything, EXPORTS)))
    const note = `${held.users} users, ${held.tickets} tickets, through the server's own flows`
    return [...rows, { name: 'Big seed', figure: seeded, unit: 's', comparedWith: '', ratio: null, note }]
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const rowOf = (name: string, { p50, p99 }: Times, floor: Times): BenchRow => ({
  name,
  figure: p50,
  unit: 'ms',
  comparedWith: `20 rows by id, bare Hono: ${formatFigure(floor.p50)} ms`,
  ratio: p50 / floor.p50,
  note: `p99 ${formatFigure(p99)} ms of ${WANTED_MS} ms wanted at most; ${RUNS} calls one by one, 12,000 tickets`,
})

const exportRow = ({ p50, p99 }: Times, floor: Times): BenchRow => ({
  name: 'Export of all tickets, CSV',
  figure: p50,
  unit: 'ms',
  comparedWith: `all rows as JSON, bare Hono: ${formatFigure(floor.p50)} ms`,
  ratio: p50 / floor.p50,
  note: `slowest ${formatFigure(p99)} ms; ${EXPORTS} calls, in portions that let the gate through`,
})

async function timesOf(ask: Ask, runs = RUNS): Promise<Times> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const from = performance.now()
    const response = await ask()
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`Answered ${response.status}`)
    times.push(performance.now() - from)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * (runs - 1))] ?? 0
  return { p50: at(0.5), p99: at(runs < 100 ? 1 : 0.99) }
}

/** The cost of twenty rows, and of all rows, without tokens, roles, rules, views or ORM. */
function floorsOf({ sqlite }: SqliteStore): { page: Ask; everything: Ask } {
  const page = sqlite.prepare('select * from tickets order by id desc limit 20')
  const everything = sqlite.prepare("select * from tickets where status <> 'deleted' order by id desc")
  const app = new Hono()
    .get('/page', (c) => c.json({ tickets: page.all() }))
    .get('/everything', (c) => c.json({ tickets: everything.all() }))
  return { page: () => app.request('/page'), everything: () => app.request('/everything') }
}

async function asAdmin(
  store: SqliteStore,
  settings: Settings,
): Promise<(path: string) => Response | Promise<Response>> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const { app } = await openApp({
    store,
    settings,
    publicUrl: () => 'http://localhost',
    log,
    stopping: new AbortController().signal,
    // One admin makes more calls per minute here than people do.
    limits: { user: 1e9 },
  })
  const seconds = Math.floor(Date.now() / 1000)
  const token = new UnsecuredJWT({
    iss: `https://securetoken.google.com/${DEMO_PROJECT_ID}`,
    aud: DEMO_PROJECT_ID,
    sub: 'demo-admin',
    email: 'admin@garba.test',
    email_verified: true,
    iat: seconds,
    auth_time: seconds,
    exp: seconds + 3600,
  }).encode()
  return (path) => app.request(path, { headers: { Authorization: `Bearer ${token}` } })
}

import { expect, test } from 'vitest'
import * as z from 'zod'
import { testOnSqlite } from './testing/database.ts'
import { eventsOf } from './testing/events.ts'
import {
  apiOfFirstRelease,
  callsOfFirstRelease,
  databaseOfFirstRelease,
  type RecordedCall,
} from './testing/firstRelease/firstRelease.ts'
import { type Client, makeWorld, type World } from './testing/world.ts'

const settings = { ADMIN_EMAILS: 'admin@garba.test' }

/** New fields are welcome; what is described must be as described. */
const openToMore = (schema: unknown): z.ZodType =>
  z.fromJSONSchema(JSON.parse(JSON.stringify(schema, (key, value) => (key === 'additionalProperties' ? {} : value))))

const { paths, components } = apiOfFirstRelease()
const failure = openToMore(components.schemas.Failure)
const operations = Object.entries(paths)
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })))
  // Fixed addresses first: /tickets/my-tickets is not a /tickets/{id}.
  .toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
const operationOf = (call: RecordedCall) =>
  operations.find(
    ({ method, path }) =>
      method.toUpperCase() === call.method &&
      new RegExp(`^/api${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(new URL(call.path, 'http://localhost').pathname),
  )?.operation

test('the recorded calls of the first release leave none of its calls out', () => {
  const recorded = new Set(callsOfFirstRelease().map((call) => operationOf(call)?.operationId))
  const made = operations.map(({ operation }) => operation.operationId).filter((name) => name !== 'openapi')
  expect([...recorded].toSorted()).toEqual(made.toSorted())
})

testOnSqlite('the database of the first release opens with everything in it, and the Books balance', async () => {
  const world = await makeWorld({ database: databaseOfFirstRelease(), settings })
  const count = async (source: string) =>
    Object.values((await world.sql(`select count(*) as n from ${source}`))[0] ?? {})[0]
  const statuses = await world.sql('select status, count(*) as n from tickets group by status order by status')
  expect(statuses).toEqual([
    { status: 'active', n: 6 },
    { status: 'cancelled', n: 3 },
    { status: 'used', n: 3 },
  ])
  for (const [table, rows] of Object.entries({ users: 7, orders: 4, scans: 5, conflicts: 1, refusals: 7, devices: 2 }))
    expect({ table, rows: await count(table) }).toEqual({ table, rows })
  expect(await count('audit')).toBeGreaterThanOrEqual(23)
  world.clock.set('2025-09-22T13:12:00.000Z')
  const admin = await world.as('admin')
  const { body } = await admin.request('GET', '/api/admin/books')
  expect(body.books).not.toEqual([])
  expect((body.books as { rule: string; ok: boolean }[]).filter(({ ok }) => !ok)).toEqual([])
  const { body: refunds } = await admin.request('GET', '/api/admin/tickets/management?status=cancelled&limit=20')
  const done = (refunds.tickets as { isRefundDone: boolean | null }[]).map(({ isRefundDone }) => isRefundDone)
  expect(done.toSorted()).toEqual([false, null, true])
})

testOnSqlite('every recorded call of the first release gets an answer that its clients understand', async () => {
  const world = await makeWorld({ database: databaseOfFirstRelease(), settings })
  const known = new Map<string, string>()
  for (const call of callsOfFirstRelease()) {
    const name = `${call.method} ${call.path}`
    const { status, body } = await again(world, call, known)
    expect({ name, status, body }).toMatchObject({ status: call.answer.status })
    learn(known, call.answer.body, body)
    expect({ name, missing: missing(call.answer.body, body) }).toEqual({ name, missing: [] })
    const refused = typeof body === 'object' && body !== null && 'success' in body && body.success === false
    const answer = operationOf(call)?.responses[call.answer.status]?.content?.['application/json']?.schema
    const form = refused ? failure : answer && openToMore(answer)
    if (form) expect({ name, ...form.safeParse(body) }).toMatchObject({ name, success: true })
    if (refused) expect(body).toMatchObject({ code: (call.answer.body as { code: string }).code })
  }
  // Its scanners do not say their version, which the doctor tells.
  expect(await world.sql('select distinct app_version from devices')).toEqual([{ app_version: null }])
})

/** The call made once more at its time, with the ids that this server gave. */
async function again(world: World, call: RecordedCall, known: ReadonlyMap<string, string>) {
  world.clock.set(call.at)
  const callers: Record<string, () => Promise<Client>> = {
    qrchecker: () => world.as('qrchecker'),
    admin: () => world.as('admin'),
    manager: () => world.as('manager'),
    guest: () => world.as('guest'),
  }
  const clientOf = async (name: string | null) => (await callers[name ?? '']?.()) ?? world.nobody
  let sent = JSON.stringify({ path: call.path, body: call.body ?? null })
  for (const [old, now] of known)
    sent = sent.replaceAll(JSON.stringify(old).slice(1, -1), JSON.stringify(now).slice(1, -1))
  const { path, body } = JSON.parse(sent) as { path: string; body: { idToken?: string } | null }
  if (body?.idToken) body.idToken = (await clientOf(body.idToken.replace('TOKEN OF ', ''))).token ?? ''
  const client = await clientOf(call.as)
  const response = await client.fetch(call.method, path, {
    headers: call.headers,
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  })
  const { type } = call.answer
  expect(response.headers.get('content-type')).toBe(type)
  return { status: response.status, body: await bodyOf(response, type) }
}

async function bodyOf(response: Response, type: string): Promise<unknown> {
  if (type.includes('json')) return response.json()
  if (!type.includes('event-stream')) return response.text()
  for await (const event of eventsOf(response)) return event
  return null
}

/** What is new with each run (ids of new tickets, their codes) stands for what was recorded in its place. */
function learn(known: Map<string, string>, old: unknown, now: unknown): void {
  if (
    typeof old === 'string' &&
    typeof now === 'string' &&
    old !== now &&
    /^(GR1:|[0-7][0-9A-HJKMNP-TV-Z]{25}$)/.test(old)
  )
    known.set(old, now)
  if (isObject(old) && isObject(now)) for (const [key, value] of Object.entries(old)) learn(known, value, now[key])
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * Fields of the old answer that the new one does not have, or has with another type. Lists are as long as what
 * happened.
 */
function missing(old: unknown, now: unknown, at = ''): string[] {
  const kind = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)
  if (kind(old) !== kind(now)) return [`${at}: ${kind(old)} is ${kind(now)}`]
  if (!isObject(old) || !isObject(now)) return []
  if (Array.isArray(old) && Array.isArray(now) && now.length < old.length)
    return [`${at}: ${old.length} are ${now.length}`]
  return Object.entries(old).flatMap(([key, value]) => missing(value, now[key], `${at}/${key}`))
}

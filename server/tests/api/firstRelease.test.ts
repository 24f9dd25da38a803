import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import {
  copyFirstDatabase,
  RECORDED_AT,
  type RecordedCall,
  readFirstCalls,
} from '../../src/testing/firstRelease/firstRelease.ts'
import { makeWorld, PAYING, type World } from '../../src/testing/world.ts'

const openEvening = async (): Promise<World> => {
  const world = await makeWorld({ database: copyFirstDatabase(), settings: PAYING })
  world.clock.set(RECORDED_AT)
  return world
}

testOnSqlite('the database of 1.0.0 opens with everything in it, and its Books balance', async () => {
  const world = await openEvening()
  expect(await world.sql('select status, count(*) as n from tickets group by status order by status')).toEqual([
    { status: 'active', n: 10 },
    { status: 'cancelled', n: 2 },
    { status: 'used', n: 2 },
  ])
  const books = (await (await world.as('admin')).request('GET', '/api/admin/books')).body.books as { ok: boolean }[]
  expect(books.length).toBeGreaterThan(0)
  expect(books.filter(({ ok }) => !ok)).toEqual([])
})

testOnSqlite('each call recorded with 1.0.0 is answered with the same status and all of its fields', async () => {
  const world = await openEvening()
  const known = new Map<string, string>()
  for (const call of readFirstCalls()) {
    const name = `${call.method} ${call.path}`
    const { status, body } = await repeatCall(world, call, known)
    expect({ name, status, code: body.code }).toEqual({
      name,
      status: call.answer.status,
      code: call.answer.body.code,
    })
    learnIds(known, call.answer.body, body)
    expect({ name, missing: listMissing(call.answer.body, body) }).toEqual({ name, missing: [] })
  }
})

test('a field that is gone, has another type or has fewer rows is found', () => {
  const before = { id: 'a', rows: [{ paid: 1 }, { paid: null }], note: 'x' }
  expect(listMissing(before, { ...before, more: true })).toEqual([])
  expect(listMissing(before, { id: 1, rows: [{}] })).toEqual([
    '/id: string is number',
    '/rows: 2 are 1',
    '/note: string is undefined',
  ])
})

/** Makes a recorded call with the ids that this server gave in place of the recorded ones. */
async function repeatCall(world: World, { as, method, ...call }: RecordedCall, known: ReadonlyMap<string, string>) {
  let sent = JSON.stringify({ path: call.path, body: call.body })
  for (const [old, now] of known) sent = sent.replaceAll(old, now)
  const { path, body } = JSON.parse(sent) as { path: string; body?: unknown }
  return (as === null ? world.nobody : await world.as(as)).request(method, path, body, call.headers)
}

/** A QR text, an id, or an order's code, which are new with each run. */
const NEW_EACH_TIME = /^(GR1:.+|[0-9A-HJKMNP-TV-Z]{26}|[0-9A-HJKMNP-TV-Z]{8})$/

function learnIds(known: Map<string, string>, old: unknown, now: unknown): void {
  if (typeof old === 'string' && typeof now === 'string' && old !== now && NEW_EACH_TIME.test(old)) known.set(old, now)
  if (isObject(old) && isObject(now)) for (const [key, value] of Object.entries(old)) learnIds(known, value, now[key])
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

function listMissing(old: unknown, now: unknown, at = ''): string[] {
  if (kindOf(old) !== kindOf(now)) return [`${at}: ${kindOf(old)} is ${kindOf(now)}`]
  if (!isObject(old) || !isObject(now)) return []
  if (Array.isArray(old) && Array.isArray(now) && now.length < old.length)
    return [`${at}: ${old.length} are ${now.length}`]
  return Object.entries(old).flatMap(([key, value]) => listMissing(value, now[key], `${at}/${key}`))
}

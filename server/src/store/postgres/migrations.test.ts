import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { OF_EARLIER_VERSIONS, REFUNDS_BEFORE_ASKING, REFUNDS_SINCE_ASKING } from '../../testing/earlier.ts'
import { ask, databaseAt } from '../../testing/postgres.ts'
import { findEvent } from '../events.ts'
import { headcount } from '../figures.ts'
import { MIGRATIONS_TABLE, migrations, statementsOf } from './migrations.ts'
import { openPostgres } from './open.ts'

/** The version before several events were possible. */
const BEFORE = 9

/** The address of a database as the version with the first `count` migrations left it. */
async function earlier(count = BEFORE, rows = OF_EARLIER_VERSIONS): Promise<string> {
  const server = inject('postgres') ?? ''
  const name = `earlier_${randomUUID().replaceAll('-', '')}`
  await ask(server, `create database ${name}`)
  onTestFinished(async () => {
    await ask(server, `drop database ${name} with (force)`)
  })
  const url = databaseAt(server, name)
  const made = migrations().slice(0, count)
  // In one go: each question opens a connection of its own.
  const all = [
    `create table ${MIGRATIONS_TABLE} (tag text primary key, "when" bigint not null)`,
    ...made.flatMap(({ tag }) => statementsOf(tag)),
    ...made.map(({ tag, when }) => `insert into ${MIGRATIONS_TABLE} values ('${tag}', ${when})`),
    ...rows,
  ]
  await ask(url, all.map((statement) => statement.replace(/;\s*$/, '')).join(';\n'))
  return url
}

test('a database of the last version with one event opens, and its rows belong to that event', async () => {
  const url = await earlier()
  const store = await openPostgres(url)
  onTestFinished(store.close)
  expect(await store.read(findEvent)).toMatchObject({ id: 'event', takenSeats: 1, closedAt: null })
  expect(await store.read((tx) => headcount(tx, 'event'))).toEqual({ admitted: 1, sold: 1 })
  const owned = `select 'scan' as of, event_id from scans union all select 'conflict', event_id from conflicts
    union all select 'refusal', event_id from refusals union all select action, event_id from audit order by 1`
  expect(await ask(url, owned)).toEqual([
    { of: 'conflict', event_id: 'event' },
    { of: 'event.created', event_id: 'event' },
    { of: 'refusal', event_id: 'event' },
    { of: 'scan', event_id: 'event' },
    { of: 'ticket.sold', event_id: 'event' },
    { of: 'user.role', event_id: null },
  ])
  await ask(url, `update events set closed_at = 5, closed_revision = 4`)
  expect(await store.read(findEvent)).toBeUndefined()
})

test('a refund that may have been asked for is in doubt from now on', async () => {
  const url = await earlier(21, REFUNDS_BEFORE_ASKING)
  await (await openPostgres(url)).close()
  expect(await ask(url, 'select id, state, retry_of as of from refunds order by id')).toEqual(REFUNDS_SINCE_ASKING)
})

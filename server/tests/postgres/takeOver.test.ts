import { expect, test } from 'vitest'
import { takeOverPostgres } from '../../src/flows/recovery/epoch.ts'
import { readEpoch } from '../../src/store/epoch.ts'
import { nextRevision } from '../../src/store/meta.ts'
import { openPostgres, postgresSchemaAge } from '../../src/store/postgres/open.ts'
import { emptyPostgres } from '../../src/testing/database.ts'
import { ask } from '../../src/testing/postgres.ts'

test('a PostgreSQL database that is no standby begins a new epoch and goes on', async () => {
  const url = await emptyPostgres()
  const now = new Date('2025-09-22T12:00Z')
  const epochs: number[] = []
  for (let i = 0; i < 2; i += 1) {
    expect(await takeOverPostgres(url, now)).toEqual({ promoted: false })
    const store = await openPostgres(url)
    const { number, revision } = await store.read(readEpoch)
    expect(await store.write(nextRevision)).toBe(revision + 1)
    await store.close()
    epochs.push(number)
  }
  expect(epochs).toEqual([now.getTime(), now.getTime() + 1])
})

test('a full disk is told by takeover and doctor in a sentence, and an empty database by the doctor', async () => {
  const url = await emptyPostgres()
  expect(await postgresSchemaAge(url)).toBe('empty')
  await (await openPostgres(url)).close()
  expect(await postgresSchemaAge(url)).toBe('same')
  // What PostgreSQL answers where a table or a temporary one finds no page.
  const full = "raise exception 'could not extend file: No space left on device' using errcode = '53100'"
  await ask(url, `create function full_disk() returns trigger language plpgsql as $$ begin ${full}; end $$`)
  await ask(url, 'create trigger full_disk before insert or update on meta for each row execute function full_disk()')
  await ask(url, `create function no_room() returns event_trigger language plpgsql as $$ begin ${full}; end $$`)
  await ask(url, 'create event trigger no_room on ddl_command_start execute function no_room()')
  const why = /cannot be used: its disk is full\. Make room/
  await expect(postgresSchemaAge(url)).rejects.toThrow(why)
  await expect(takeOverPostgres(url, new Date())).rejects.toThrow(why)
  await (await openPostgres(url)).close()
})

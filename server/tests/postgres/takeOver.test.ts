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

test('the takeover says in a sentence that the disk is full, and the doctor that the database is empty', async () => {
  const url = await emptyPostgres()
  expect(await postgresSchemaAge(url)).toBe('empty')
  await (await openPostgres(url)).close()
  expect(await postgresSchemaAge(url)).toBe('same')
  const full = "raise exception 'could not extend file: No space left on device' using errcode = '53100'"
  await ask(url, `create function full_disk() returns trigger language plpgsql as $$ begin ${full}; end $$`)
  await ask(url, 'create trigger full_disk before insert or update on meta for each row execute function full_disk()')
  await expect(takeOverPostgres(url, new Date())).rejects.toThrow(/cannot be used: its disk is full\. Make room/)
  await (await openPostgres(url)).close()
})

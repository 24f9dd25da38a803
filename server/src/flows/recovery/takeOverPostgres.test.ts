import { expect, onTestFinished, test } from 'vitest'
import { readEpoch } from '../../store/epoch.ts'
import { nextRevision } from '../../store/meta.ts'
import { openPostgres } from '../../store/postgres/open.ts'
import { startPostgres } from '../../testing/postgres.ts'
import { takeOverPostgres } from './epoch.ts'

test('a PostgreSQL database that is no standby begins a new epoch and goes on', async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const now = new Date('2025-09-22T12:00Z')
  const epochs: number[] = []
  for (let i = 0; i < 2; i += 1) {
    expect(await takeOverPostgres(postgres.url, now)).toEqual({ promoted: false })
    const store = await openPostgres(postgres.url)
    const { number, revision } = await store.read(readEpoch)
    expect(await store.write(nextRevision)).toBe(revision + 1)
    await store.close()
    epochs.push(number)
  }
  expect(epochs).toEqual([now.getTime(), now.getTime() + 1])
})

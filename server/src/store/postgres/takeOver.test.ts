import { expect, test } from 'vitest'
import { takeOverPostgres } from '../../flows/recovery/epoch.ts'
import { emptyPostgres } from '../../testing/database.ts'
import { readEpoch } from '../epoch.ts'
import { nextRevision } from '../meta.ts'
import { openPostgres } from './open.ts'

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

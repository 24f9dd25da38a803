import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { restoreBackup } from '../../src/flows/recovery/epoch.ts'
import { backUp } from '../../src/store/engine/backup.ts'
import { openStore } from '../../src/store/engine/open.ts'
import { readEpoch } from '../../src/store/epoch.ts'
import { currentRevision, moveRevision, nextRevision } from '../../src/store/meta.ts'
import { temporaryFolder } from '../../src/testing/process.ts'

/** `changes` happen in as many milliseconds at least as a server needs for them. */
const step = fc.oneof(
  fc.record({ type: fc.constant('work' as const), changes: fc.integer({ min: 1, max: 300_000 }) }),
  fc.record({ type: fc.constant('backUp' as const) }),
  fc.record({ type: fc.constant('restore' as const), pick: fc.nat(), ms: fc.integer({ min: 1, max: 100_000 }) }),
)

test('whatever was restored before, the latest epoch is the highest, and begins beyond every revision a device can have', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const folder = temporaryFolder()
      const database = join(folder, 'garba.db')
      let now = Date.parse('2025-09-22T12:00Z')
      const on = async <T>(work: (store: ReturnType<typeof openStore>) => Promise<T>): Promise<T> => {
        const store = openStore(database)
        try {
          return await work(store)
        } finally {
          await store.close()
        }
      }
      const epochs = [await on((store) => store.read(readEpoch))]
      const backups: string[] = []
      let seen = 0
      const backUpNow = () => {
        const file = join(folder, `backup-${backups.length}.db`)
        backUp({ database, file, now: new Date(now) })
        backups.push(file)
      }
      backUpNow()
      for (const { type, ...rest } of steps) {
        if (type === 'backUp') backUpNow()
        if ('changes' in rest) {
          now += Math.ceil(rest.changes / 100)
          seen = await on(async (store) => {
            await store.write(async (tx) => moveRevision(tx, (await currentRevision(tx)) + rest.changes))
            return Math.max(seen, await store.write(nextRevision))
          })
        }
        if ('pick' in rest) {
          now += rest.ms
          const file = backups[rest.pick % backups.length] ?? ''
          await restoreBackup({ database, file, now: new Date(now) })
          const epoch = await on((store) => store.read(readEpoch))
          expect(epoch.number).toBeGreaterThan(Math.max(...epochs.map(({ number }) => number)))
          expect(epoch.revision).toBeGreaterThan(seen)
          epochs.push(epoch)
        }
      }
      rmSync(folder, { recursive: true, force: true })
    }),
    { numRuns: 8, seed: 930 },
  )
})

test('a second restore of the same backup begins a later epoch, although the clock was ahead at the first', async () => {
  const folder = temporaryFolder()
  const [database, file] = [join(folder, 'garba.db'), join(folder, 'before.db')]
  await openStore(database).close()
  backUp({ database, file, now: new Date('2025-09-22T11:00Z') })
  const epochs: number[] = []
  let seen = 0
  for (const now of ['2025-09-22T14:00Z', '2025-09-22T12:00Z', '2025-09-22T11:00Z']) {
    await restoreBackup({ database, file, now: new Date(now) })
    const store = openStore(database)
    const { number, revision } = await store.read(readEpoch)
    epochs.push(number)
    expect(revision).toBeGreaterThan(seen)
    await store.write(async (tx) => moveRevision(tx, (await currentRevision(tx)) + 5_000))
    seen = await store.read(currentRevision)
    await store.close()
  }
  const first = Date.parse('2025-09-22T14:00Z')
  expect(epochs).toEqual([first, first + 1, first + 2])
})

test('back to the version before an upgrade: it leaves the newer database alone, and sells on with the backup made before it', async () => {
  const folder = temporaryFolder()
  const [database, file] = [join(folder, 'garba.db'), join(folder, 'before.db')]
  await openStore(database).close()
  backUp({ database, file, now: new Date('2025-09-22T12:00Z') })
  // The upgrade.
  const newer = openStore(database)
  newer.sqlite.exec("insert into __drizzle_migrations (hash, created_at) values ('later', 9000000000000)")
  await newer.close()
  expect(() => openStore(database)).toThrow(/start that version, or restore a backup from before it\.$/)
  const { kept } = await restoreBackup({ database, file, now: new Date('2025-09-22T13:00Z') })
  const store = openStore(database)
  expect((await store.read(readEpoch)).number).toBe(Date.parse('2025-09-22T13:00Z'))
  await store.close()
  // What the newer version wrote is not lost.
  expect(() => openStore(kept ?? '')).toThrow(/a later version/)
  rmSync(folder, { recursive: true })
})

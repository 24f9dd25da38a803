import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readMeta, writeMeta } from '../meta.ts'
import { openStore } from './open.ts'
import type { ReadTx } from './sql.ts'
import { StoreUnavailable, WriteLeftOpen } from './store.ts'

interface Watched {
  store: ReturnType<typeof openStore>
  commits: () => number
}
function opened(beforeCommit: () => void = () => undefined): Watched {
  const folder = mkdtempSync(join(tmpdir(), 'garba-group-'))
  let commits = 0
  const store = openStore(join(folder, 'garba.db'), {
    beforeCommit: () => {
      commits += 1
      beforeCommit()
    },
  })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return { store, commits: () => commits }
}

const stored = ({ store }: Watched) =>
  store.sqlite.prepare("select key from meta where key like 'row%' order by key").pluck().all()
const put = ({ store }: Watched, key: string) => store.write((tx) => writeMeta(tx, key, 'x'))
const failing = async () => {
  throw new Error('refused')
}

/** A clock that stands still, so that a group never ends for its age, or moves by so many milliseconds at each look. */
function clock(step: number): void {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += step
    return now
  })
  onTestFinished(() => void vi.restoreAllMocks())
}

test('writes that wait together share one commit', async () => {
  const watched = opened()
  clock(0)
  await Promise.all(Array.from({ length: 40 }, (_, n) => put(watched, `row${n}`)))
  expect(watched.commits()).toBe(1)
  expect(stored(watched)).toHaveLength(40)
})

test('nobody is answered before the commit, neither a write nor a refusal', async () => {
  const answered: string[] = []
  const seen: string[][] = []
  const watched = opened(() => seen.push([...answered]))
  clock(0)
  await Promise.allSettled([
    put(watched, 'row1').then(() => answered.push('row1')),
    watched.store.write(failing).catch(() => answered.push('refusal')),
  ])
  expect(seen).toEqual([[]])
  expect(answered).toEqual(['row1', 'refusal'])
})

test('a write that fails is rolled back alone', async () => {
  const watched = opened()
  const [first, broken, last] = await Promise.allSettled([
    put(watched, 'row1'),
    watched.store.write(async (tx) => {
      await writeMeta(tx, 'row2', 'x')
      throw new Error('refused')
    }),
    put(watched, 'row3'),
  ])
  expect([first.status, last.status]).toEqual(['fulfilled', 'fulfilled'])
  expect(broken).toMatchObject({ status: 'rejected', reason: { message: 'refused' } })
  expect(stored(watched)).toEqual(['row1', 'row3'])
})

test('a later write of the group sees what an earlier one wrote, and a reader sees neither before the commit', async () => {
  const early = Promise.withResolvers<string | null>()
  const watched = opened(() => {
    const value = watched.store.reader.prepare("select value from meta where key = 'row1'").pluck().get()
    early.resolve((value as string | undefined) ?? null)
  })
  clock(0)
  const [, seen] = await Promise.all([put(watched, 'row1'), watched.store.write((tx) => readMeta(tx, 'row1'))])
  expect(seen).toBe('x')
  expect(await early.promise).toBeNull()
  expect(await watched.store.read((tx) => readMeta(tx, 'row1'))).toBe('x')
})

test('where the commit fails nothing of the group has happened, and all of it may be tried again', async () => {
  const watched = opened()
  clock(0)
  const orphan = watched.store.write(async () => {
    // Checked only at the commit, which then fails.
    watched.store.sqlite.pragma('defer_foreign_keys = ON')
    watched.store.sqlite.exec(
      "insert into orders (id, user_id, idempotency_key, quantity, total_paise, answer, created_at) values ('o', 'nobody', 'key-1234', 1, 100, '{}', 0)",
    )
  })
  const hooks: string[] = []
  const other = watched.store.write(async (tx) => {
    tx.afterCommit(() => hooks.push('row1'))
    await writeMeta(tx, 'row1', 'x')
  })
  const answers = await Promise.allSettled([orphan, other])
  expect(answers).toMatchObject([{ reason: expect.any(StoreUnavailable) }, { reason: expect.any(StoreUnavailable) }])
  expect([stored(watched), hooks]).toEqual([[], []])
  await put(watched, 'row1')
  expect(stored(watched)).toEqual(['row1'])
})

test('where SQLite itself rolls back the transaction the whole group fails', async () => {
  const watched = opened()
  clock(0)
  const answers = await Promise.allSettled([
    put(watched, 'row1'),
    watched.store.write(async () => watched.store.sqlite.exec("insert or rollback into meta values ('row1', 'again')")),
    put(watched, 'row2'),
  ])
  expect(answers.slice(0, 2)).toMatchObject([
    { reason: expect.any(StoreUnavailable) },
    { reason: expect.any(StoreUnavailable) },
  ])
  // It came after the rollback, in a group of its own.
  expect(answers[2]?.status).toBe('fulfilled')
  expect(stored(watched)).toEqual(['row2'])
})

test('a write that cannot be undone fails its whole group, and is answered too', async () => {
  const watched = opened()
  clock(0)
  const answers = await Promise.allSettled([
    put(watched, 'row1'),
    watched.store.write(async () => {
      watched.store.sqlite.exec('release one')
      throw new Error('refused')
    }),
  ])
  expect(answers).toMatchObject([{ reason: expect.any(StoreUnavailable) }, { reason: expect.any(StoreUnavailable) }])
  await put(watched, 'row2')
  expect(stored(watched)).toEqual(['row2'])
})

test('a database locked by another program fails the group, which works again after it', async () => {
  const watched = opened()
  watched.store.sqlite.pragma('busy_timeout = 1')
  const other = openStore(watched.store.sqlite.name)
  onTestFinished(other.close)
  other.sqlite.exec('begin immediate')
  const answers = await Promise.allSettled([put(watched, 'row1'), put(watched, 'row2')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  other.sqlite.exec('rollback')
  await put(watched, 'row1')
  expect(stored(watched)).toEqual(['row1'])
})

test('a write that waits for anything but the store fails by name, alone, and can do nothing later', async () => {
  const watched = opened()
  const later = Promise.withResolvers<unknown>()
  const open = watched.store.write(async (tx) => {
    await writeMeta(tx, 'row1', 'x')
    await sleep(5)
    later.resolve(await writeMeta(tx, 'row2', 'x').catch((error: unknown) => error))
  })
  const answers = await Promise.allSettled([open, put(watched, 'row3')])
  expect(answers[0]).toMatchObject({ reason: expect.any(WriteLeftOpen) })
  expect(await later.promise).toBeInstanceOf(WriteLeftOpen)
  expect(stored(watched)).toEqual(['row3'])
})

test('a read that waits for anything but the store fails by name, and blocks no other', async () => {
  const { store } = opened()
  const open = store.read(async () => sleep(5))
  const next = store.read((tx) => readMeta(tx, 'opened'))
  await expect(open).rejects.toThrow(WriteLeftOpen)
  expect(await next).not.toBeNull()
})

test('a read is of one moment, whatever is written meanwhile', async () => {
  const watched = opened()
  const name = "select count(*) as n from meta where key like 'row%'"
  const counts = await watched.store.read(async () => {
    const count = () => watched.store.reader.prepare(name).pluck().get()
    const before = count()
    watched.store.sqlite.exec("insert into meta values ('row1', 'x')")
    return [before, count()]
  })
  expect(counts).toEqual([0, 0])
})

test('a read keeps its moment while its own server commits, and the next one, in the same turn, sees the commit', async () => {
  const watched = opened()
  await put(watched, 'row1')
  const values: (string | null)[] = []
  const reading = Promise.withResolvers<void>()
  const done = watched.store.write(async (tx) => {
    await writeMeta(tx, 'row1', 'y')
    reading.resolve(
      watched.store.read(async (inner) => {
        // Enough steps to outlast the commit, which takes a few promises.
        for (let step = 0; step < 50; step += 1) values.push(await readMeta(inner, 'row1'))
      }),
    )
  })
  await Promise.all([done, reading.promise])
  expect(new Set(values)).toEqual(new Set(['x']))
  expect(await watched.store.read((tx) => readMeta(tx, 'row1'))).toBe('y')
})

test('a read sees in the next turn what another server of the file committed', async () => {
  const watched = opened()
  const other = openStore(watched.store.sqlite.name)
  onTestFinished(other.close)
  await watched.store.read((tx) => readMeta(tx, 'row1'))
  await other.write((tx) => writeMeta(tx, 'row1', 'x'))
  await nextTurn()
  expect(await watched.store.read((tx) => readMeta(tx, 'row1'))).toBe('x')
})

test('while every turn brings work, writes of several turns share one commit', async () => {
  const watched = opened()
  clock(0)
  const writes: Promise<unknown>[] = []
  const writeFor = (turns: number) => {
    if (turns > 1) setImmediate(() => writeFor(turns - 1))
    writes.push(put(watched, `row${turns}`))
  }
  writeFor(5)
  await vi.waitUntil(() => writes.length === 5, 30_000)
  await Promise.all(writes)
  expect(watched.commits()).toBe(1)
})

test('a write does not wait for ever for others while reads go on', async () => {
  const watched = opened()
  clock(1)
  let busy = true
  const readOn = () => {
    if (busy) setImmediate(readOn)
    void watched.store.read((tx) => readMeta(tx, 'row1'))
  }
  readOn()
  await put(watched, 'row1')
  busy = false
  expect(watched.commits()).toBe(1)
})

test('beyond the limit a write is told to try again later', async () => {
  const watched = opened()
  const answers = await Promise.allSettled(Array.from({ length: 2_001 }, (_, n) => put(watched, `row${n}`)))
  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: expect.any(StoreUnavailable) }])
  expect(stored(watched)).toHaveLength(2_000)
})

test('closing finishes what waits and takes no more', async () => {
  const watched = opened()
  const waiting = put(watched, 'row1')
  const closing = watched.store.close()
  await expect(put(watched, 'row2')).rejects.toThrow(StoreUnavailable)
  await Promise.all([waiting, closing])
  const again = openStore(watched.store.sqlite.name)
  onTestFinished(again.close)
  expect(await again.read((tx: ReadTx) => readMeta(tx, 'row1'))).toBe('x')
})

import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { Refusal } from '../../src/refusal.ts'
import { writeAudit } from '../../src/store/audit.ts'
import type { WriteTx } from '../../src/store/engine/sql.ts'
import { type Store, StoreUnavailable } from '../../src/store/engine/store.ts'
import { nextRevision, readMeta, writeMeta } from '../../src/store/meta.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { insertSigningKey } from '../../src/store/signingKeys.ts'
import { findUser, findUserByUid, insertUser } from '../../src/store/users.ts'
import { emptyPostgres, makeDatabase } from '../../src/testing/database.ts'
import { ask } from '../../src/testing/postgres.ts'
import { buy, codeOf, mark, person, putOnSale } from '../../src/testing/scenes.ts'
import { onSaleAt, serveOn } from '../../src/testing/twoServers.ts'
import { startWire } from '../../src/testing/wire.ts'
import { type Client, makeWorld, PAYING } from '../../src/testing/world.ts'

/** Processes start, and a broken connection is given up after seconds. */
const SLOW_MS = 180_000

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

async function database() {
  const made = await makeDatabase()
  onTestFinished(made.remove)
  const rows = async () =>
    (await made.sql("select key from meta where key like 'row%' order by key")).map(({ key }) => key)
  return { ...made, rows }
}

/** Writes a row as a write that shares nothing with others. */
const put = (store: Store, n: number, then: (tx: WriteTx) => Promise<void> = async () => undefined) =>
  store.write(
    async (tx) => {
      // Each waits for an answer, so that the others' statements come between.
      await readMeta(tx, `row${n}`)
      await writeMeta(tx, `row${n}`, 'x')
      await then(tx)
      return n
    },
    { touches: [`row:${n}`] },
  )

const GUEST = {
  email: 'guest@garba.test',
  emailVerified: true,
  name: 'Guest',
  photoUrl: null,
  role: 'guest' as const,
  createdAt: new Date(0),
  lastLogin: null,
}

const failed = () => Promise.reject(new Error('half done'))

test('writes that share nothing take as many round trips together as one; those that name no keys each take their own', async () => {
  const { store } = await database()
  const order: string[] = []
  const step = (n: number, touches: string[]) =>
    store.write(
      async (tx) => {
        order.push(`${n} begins`)
        await readMeta(tx, 'any')
        order.push(`${n} ends`)
      },
      { touches },
    )
  await Promise.all([step(0, ['a']), step(1, ['b'])])
  expect(order).toEqual(['0 begins', '1 begins', '0 ends', '1 ends'])
  order.length = 0
  await Promise.all([step(0, []), step(1, []), step(2, ['a']), step(3, ['b', 'a'])])
  expect(order).toEqual(['0 begins', '0 ends', '1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends'])
})

test('what is read and then written is never read by another in between, if they share a key or name none', async () => {
  const { store } = await database()
  await store.write((tx) => writeMeta(tx, 'count', '0'))
  const raise = (touches: string[]) =>
    store.write(
      async (tx) => {
        const count = Number(await readMeta(tx, 'count'))
        await writeMeta(tx, 'count', String(count + 1))
      },
      { touches },
    )
  await Promise.all(numbers(30).map((n) => raise(n % 3 ? ['count', `other:${n}`] : [])))
  expect(await store.read((tx) => readMeta(tx, 'count'))).toBe('30')
})

test('a write that fails half done beside others is undone alone, and the others are on record', async () => {
  const { store, rows } = await database()
  const runs = numbers(8).map(() => 0)
  const results = await Promise.allSettled(
    numbers(8).map((n) =>
      put(store, n, async () => {
        runs[n] = (runs[n] ?? 0) + 1
        if (n === 3 || n === 5) await failed()
      }),
    ),
  )
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([1, 1, 1, 0, 1, 0, 1, 1].map(Boolean))
  expect(results[3]).toMatchObject({ reason: { message: 'half done' } })
  expect(await rows()).toEqual(['row0', 'row1', 'row2', 'row4', 'row6', 'row7'])
  expect(Math.max(...runs)).toBe(2)
})

test.each([
  ['waited for', (tx: WriteTx) => tx.sql.all('select nothing from nowhere').then(() => undefined)],
  ['swallowed', (tx: WriteTx) => tx.sql.all('select nothing from nowhere').then(noMatter, noMatter)],
  ['left behind', async (tx: WriteTx) => void tx.sql.all('select nothing from nowhere').catch(noMatter)],
  ['not waited for', async (tx: WriteTx) => void (await tx.sql.run('insert into nowhere values (1)'))],
])('a statement that fails, %s, fails its own write and no other', async (_, spoil) => {
  const { store, rows } = await database()
  // Again and again on the same connections, which must keep nothing of an earlier failure.
  for (const round of numbers(15)) {
    const results = await Promise.allSettled(
      numbers(6).map((n) => put(store, round * 10 + n, n === 2 ? spoil : undefined)),
    )
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([1, 1, 0, 1, 1, 1].map(Boolean))
  }
  expect(await rows()).toHaveLength(75)
})

const noMatter = () => undefined

test('a refusal before any change undoes nothing: the others run once, and the failure of a later write alone is not blamed on them', async () => {
  const { store, rows } = await database()
  const runs: number[] = []
  const refused = (n: number) =>
    store.write(
      async (tx) => {
        await tx.sql.all("update meta set value = 'y' where key = 'nobody' returning key")
        throw new Refusal('SOLD_OUT', { remaining: n })
      },
      { touches: [`row:${n}`] },
    )
  const results = await Promise.allSettled([
    ...numbers(4).map((n) => put(store, n, async () => void runs.push(n))),
    refused(7),
    refused(8),
    store.write(async (tx) => {
      await writeMeta(tx, 'row9', 'x')
      await failed()
    }),
  ])
  expect(results.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), ...Array(3).fill('rejected')])
  expect(results[5]).toMatchObject({ reason: { code: 'SOLD_OUT', facts: { remaining: 8 } } })
  expect(runs).toEqual([0, 1, 2, 3])
  expect(await rows()).toEqual(['row0', 'row1', 'row2', 'row3'])
})

test('what several writes ask in one turn gives each its own rows, whatever is written in them', async () => {
  const { store, sql } = await database()
  const texts = ['', ' "quoted" {a,b} ', "it's \\ \n NULL", 'ગરબા 🪔', '{}', 'half \ud83e', 'nul \0']
  const kept = texts.map((text) => text.toWellFormed().replace('\0', '\u{FFFD}'))
  const at = new Date('2025-09-22T18:30:00Z')
  const found = await Promise.all(
    texts.map((text, n) =>
      store.write(
        async (tx) => {
          const none = await findUser(tx, `nobody ${text}`)
          const actor = n % 2 ? null : `actor${n}`
          const who = { actorId: actor, actorName: text, subject: actor, subjectName: text }
          await writeAudit(tx, { at, action: 'ticket.sold', ...who, detail: `${n} ${text}`, eventId: null })
          await insertUser(tx, { ...GUEST, id: `id ${text}`, firebaseUid: text, name: text })
          const [own, other] = await Promise.all([findUser(tx, `id ${text}`), findUser(tx, 'nobody')])
          return { none, own, other }
        },
        { touches: [`row:${n}`] },
      ),
    ),
  )
  expect(found.map(({ none, own, other }) => [none, own?.name, other])).toEqual(
    kept.map((text) => [undefined, text, undefined]),
  )
  const written = await sql('select actor_id, actor_name, detail, at from audit order by id')
  expect(written).toEqual(
    kept.map((text, n) => ({
      actor_id: n % 2 ? null : `actor${n}`,
      actor_name: text,
      detail: `${n} ${text}`,
      at: at.getTime(),
    })),
  )
  const users = await Promise.all(texts.map((text) => store.read((tx) => findUserByUid(tx, text))))
  expect(users.map((user) => user?.name)).toEqual(kept)
})

test('an insert that fails among others is its own failure: the others are on record', async () => {
  const { store, sql } = await database()
  const key = {
    privateJwk: {},
    publicJwk: { kty: 'EC' as const, crv: 'P-256' as const, x: '', y: '' },
    createdAt: new Date(),
    revokedAt: null,
  }
  const insert = (kid: string, n: number) =>
    store.write((tx) => insertSigningKey(tx, { ...key, kid }), { touches: [`row:${n}`] })
  const results = await Promise.allSettled(['a', 'b', 'a', 'c'].map(insert))
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true])
  const kids = await sql("select kid from signing_keys where kid in ('a', 'b', 'c') order by kid")
  expect(kids).toEqual(['a', 'b', 'c'].map((kid) => ({ kid })))
})

test('the last seats are sold once, each answer has its own count, and refusals say what was left', async () => {
  const world = await makeWorld()
  await putOnSale(world, { totalTickets: 10 })
  const buyers = await Promise.all(numbers(24).map((n) => world.as('guest', person(`Buyer${n}`))))
  const answers = await Promise.all(buyers.map((buyer) => buy(buyer, 1)))
  const sold = answers.filter(({ status }) => status === 201)
  expect(sold.map(({ body }) => body.availableTickets).sort()).toEqual(numbers(10))
  const refusals = answers.filter(({ status }) => status !== 201)
  expect(refusals.map(({ body }) => [body.code, body.remaining])).toEqual(refusals.map(() => ['SOLD_OUT', 0]))
  expect(await world.sql('select taken_seats as n from events')).toEqual([{ n: 10 }])
  expect(await world.sql('select count(distinct revision) as n from tickets')).toEqual([{ n: 10 }])
})

test('a key that is sent five times among other sales is one order; limits per person hold', async () => {
  const world = await makeWorld({ settings: { MAX_PER_PERSON: '2' } })
  await putOnSale(world)
  const buyers = await Promise.all(numbers(10).map((n) => world.as('guest', person(`Buyer${n}`))))
  const [first, second] = buyers
  if (!first || !second) throw new Error('nobody')
  const key = randomUUID()
  const answers = await Promise.all([
    ...buyers.map((buyer) => buy(buyer, 1)),
    ...numbers(5).map(() => buy(first, 1, key)),
    ...numbers(5).map(() => buy(second, 1)),
  ])
  const same = answers.slice(10, 15)
  expect(new Set(same.map(({ body }) => JSON.stringify(body.tickets))).size).toBe(1)
  const results = (of: typeof answers) => of.map(({ status, body }) => (status === 201 ? 201 : body.code)).sort()
  expect(results([...answers.slice(0, 1), ...answers.slice(2, 10)])).toEqual(Array(9).fill(201))
  expect(results([...answers.slice(1, 2), ...answers.slice(15)])).toEqual([201, 201, ...Array(4).fill('LIMIT_REACHED')])
  expect(await world.sql('select count(*) as n from orders')).toEqual([{ n: 12 }])
})

test('unpaid UPI orders placed at once hold half of the event at most, and nobody holds two', async () => {
  const world = await makeWorld({ settings: PAYING })
  await putOnSale(world, { totalTickets: 80 })
  const buyers = await Promise.all(numbers(8).map((n) => world.as('guest', person(`Buyer${n}`))))
  const place = (buyer: Client) =>
    buyer.request('POST', '/api/orders', { quantity: 10, provider: 'upi' }, { 'idempotency-key': randomUUID() })
  const answers = await Promise.all([...buyers, ...buyers].map(place))
  const codes = answers.filter(({ status }) => status !== 201).map(({ body }) => body.code)
  expect(codes.sort()).toEqual([...Array(4).fill('ORDER_OPEN'), ...Array(8).fill('TOO_MANY_UNPAID')])
  expect(await world.sql('select taken_seats as n from events')).toEqual([{ n: 40 }])
})

test('of two scans of a ticket among others one admits, and a scanId sent twice has one answer', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const guest = await world.as('guest')
  const checker = await world.as('qrchecker')
  const { body } = await buy(guest, 8)
  const codes = (body.tickets as Parameters<typeof codeOf>[0][]).map(codeOf)
  const twice = randomUUID()
  const answers = await Promise.all([
    ...codes.map((qrCode) => mark(checker, { qrCode, scanId: randomUUID() })),
    mark(checker, { qrCode: codes[0], scanId: twice }),
    mark(checker, { qrCode: codes[0], scanId: twice }),
  ])
  expect(answers.slice(1, 8).map(({ status }) => status)).toEqual(codes.slice(1).map(() => 200))
  expect([answers[0]?.status, answers[8]?.status].sort()).toEqual([200, 409])
  expect(answers[9]?.body).toEqual(answers[8]?.body)
  expect(await world.sql("select count(*) as n from scans where outcome = 'admitted'")).toEqual([{ n: 8 }])
})

test('a reader of one revision has missed none before it, while many are raised side by side at two servers', async () => {
  const { store, openAgain } = await database()
  const other = await openAgain()
  onTestFinished(other.close)
  let writing = true
  const gaps: string[] = []
  const reader = (async () => {
    while (writing) {
      const keys = await store.read((tx) => tx.sql.values<[string]>("select key from meta where key like 'rev%'"))
      const seen = keys.map(([key]) => Number(key.slice(3)))
      if (seen.length !== Math.max(0, ...seen)) gaps.push(seen.join())
    }
  })()
  const raise = async (tx: WriteTx) => {
    const revision = await nextRevision(tx)
    await writeMeta(tx, `rev${revision}`, 'x')
    return revision
  }
  // Every third write runs alone.
  const revisions = await Promise.all(
    numbers(200).map((n) => (n % 2 ? store : other).write(raise, n % 3 ? { touches: [`n:${n}`] } : undefined)),
  )
  writing = false
  await reader
  expect(gaps).toEqual([])
  expect(revisions.toSorted((a, b) => a - b)).toEqual(revisions.map((_, n) => n + 1))
})

test('a read whose statement fails takes no other read of its moment with it', async () => {
  const { store } = await database()
  await store.write((tx) => writeMeta(tx, 'row1', 'x'))
  const results = await Promise.allSettled(
    numbers(6).map((n) =>
      store.read(async (tx) => {
        if (n === 2) await tx.sql.all('select nothing from nowhere')
        await readMeta(tx, 'other')
        return readMeta(tx, 'row1')
      }),
    ),
  )
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : null))).toEqual(
    numbers(6).map((n) => (n === 2 ? null : 'x')),
  )
})

/** A store on a network of its own that can break. */
async function wired() {
  const made = await database()
  const [{ name } = { name: '' }] = await made.sql('select current_database() as name')
  const url = new URL(inject('postgres') ?? '')
  url.pathname = `/${name}`
  const wire = await startWire(url.href)
  const store = await openPostgres(wire.url)
  onTestFinished(async () => {
    await store.close()
    await wire.close()
  })
  return { ...made, wire, store }
}

test('a statement that takes longer than the database allows is worth another try, beside others or alone', async () => {
  const { store, rows } = await database()
  const slow = async (tx: WriteTx) => {
    await tx.sql.all("select set_config('statement_timeout', '50', true), pg_sleep(0)")
    await tx.sql.all('select pg_sleep(5)')
  }
  const alone = store.write(slow)
  await expect(alone).rejects.toThrow(StoreUnavailable)
  const results = await Promise.allSettled([put(store, 1), put(store, 2, slow)])
  for (const result of results) expect(result).toMatchObject({ reason: { name: StoreUnavailable.name } })
  await expect(store.read((tx) => slow(tx as WriteTx))).rejects.toThrow(StoreUnavailable)
  expect(await rows()).toEqual([])
})

test.each(['before', 'after'] as const)(
  'a connection that breaks %s the commit arrives fails all of its group, which is not run again by itself',
  async (when) => {
    const { wire, store, rows } = await wired()
    let runs = 0
    // Only a group of writes announces something in the statement that commits.
    const broken = wire.cutAt("'; commit", when)
    const results = await Promise.allSettled(
      numbers(5).map((n) =>
        put(store, n, async (tx) => {
          runs += 1
          tx.announceChanges('roster')
        }),
      ),
    )
    await broken
    for (const result of results) expect(result).toMatchObject({ reason: { name: StoreUnavailable.name } })
    expect(runs).toBe(5)
    expect(await rows()).toEqual(when === 'before' ? [] : numbers(5).map((n) => `row${n}`))
    expect(await put(store, 9)).toBe(9)
  },
)

test('a connection that breaks in the middle of a group fails it whole; the next write finds a new one', async () => {
  const { wire, store, rows } = await wired()
  const results = await Promise.allSettled(
    numbers(6).map((n) =>
      put(store, n, async (tx) => {
        if (n === 4) wire.cut()
        await readMeta(tx, 'any')
      }),
    ),
  )
  for (const result of results) expect(result).toMatchObject({ reason: { name: StoreUnavailable.name } })
  expect(await rows()).toEqual([])
  expect(await put(store, 9)).toBe(9)
})

test(
  'reads that wait for a silent network are refused sooner than one under way, and served when it is back',
  async () => {
    const { wire, store } = await wired()
    await put(store, 1)
    wire.silence(true)
    const from = performance.now()
    const reads: Promise<unknown>[] = []
    for (const _ of numbers(12)) {
      reads.push(store.read((tx) => readMeta(tx, 'row1')).catch((error: Error) => error.name))
      await nextTurn()
    }
    expect(await reads.at(-1)).toBe(StoreUnavailable.name)
    expect(performance.now() - from).toBeLessThan(19_000)
    wire.silence(false)
    // It had its connection already.
    expect(await reads[0]).toBe('x')
    expect(await put(store, 2)).toBe(2)
  },
  SLOW_MS,
)

test(
  'a network that falls silent or breaks is a 503 with Retry-After for everybody, and nobody is signed out',
  async () => {
    const url = await emptyPostgres()
    const wire = await startWire(url)
    onTestFinished(wire.close)
    const server = await serveOn({ url: wire.url })
    const admin = await onSaleAt(server.url, { seats: 1_000 })
    const buyAt = (key: string) => admin(server.url, '/api/tickets', { quantity: 1 }, { 'idempotency-key': key })
    const keys = numbers(20).map(() => randomUUID())

    // The answer to a group's commit is lost: its sales are known when they are sent again.
    const lost = wire.cutAt("'; commit", 'after')
    const first = await Promise.all(keys.map(buyAt))
    await lost
    for (const { status, headers } of first)
      if (status !== 201) expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(first.map(({ status }) => status)).toContain(503)
    const again = await Promise.all(keys.map(buyAt))
    expect(again.map(({ status }) => status)).toEqual(keys.map(() => 201))
    expect(await ask(url, 'select count(*)::int as n from orders')).toEqual([{ n: keys.length }])

    // Connections break again and again in the middle of whatever is under way.
    const cutting = setInterval(wire.cut, 40)
    const rough = (await Promise.all(numbers(60).map(() => buyAt(randomUUID())))).map(({ status }) => status)
    clearInterval(cutting)
    expect(rough.filter((status) => status !== 201 && status !== 503)).toEqual([])

    wire.silence(true)
    const silent = await Promise.all(numbers(3).map(() => buyAt(randomUUID())))
    for (const { status, headers } of silent) expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    wire.silence(false)
    await expect.poll(async () => (await buyAt(randomUUID())).status, { timeout: 60_000 }).toBe(201)
  },
  SLOW_MS,
)

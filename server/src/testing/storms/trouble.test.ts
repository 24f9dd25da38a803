import { expect, test } from 'vitest'
import { payingWorld, place } from '../money.ts'
import { person } from '../scenes.ts'
import type { Client, World } from '../world.ts'

const DAY_MS = 86_400_000
const GUESTS = 60
const ORDER = { quantity: 1, provider: 'razorpay' }

/** What goes wrong around the server, and what puts it right. The server itself is not started again. */
const TROUBLES: Record<string, { begin: (world: World) => void; end: (world: World) => void; status: number }> = {
  'the disk is full': {
    begin: (world) => {
      const { sqlite } = world.sqliteStore()
      sqlite.pragma(`max_page_count = ${sqlite.pragma('page_count', { simple: true })}`)
    },
    end: (world) => void world.sqliteStore().sqlite.pragma('max_page_count = 1073741823'),
    status: 503,
  },
  'the database is read-only': {
    begin: (world) => void world.sqliteStore().sqlite.pragma('query_only = 1'),
    end: (world) => void world.sqliteStore().sqlite.pragma('query_only = 0'),
    status: 503,
  },
  'the clock is a day ahead': {
    begin: ({ clock }) => clock.forward(DAY_MS),
    end: ({ clock }) => clock.forward(-DAY_MS),
    status: 401,
  },
  'the clock is a day behind': {
    begin: ({ clock }) => clock.forward(-DAY_MS),
    end: ({ clock }) => clock.forward(DAY_MS),
    status: 401,
  },
}

test.each(Object.entries(TROUBLES))(
  'while %s a guest reads the reason, and buys afterwards without a restart',
  async (_, trouble) => {
    const world = await payingWorld()
    const guests = await Promise.all(Array.from({ length: GUESTS }, (_, n) => world.as('guest', person(`Guest${n}`))))
    trouble.begin(world)
    // Until the last free page of the file is full.
    let told = { status: 201, body: {} as Record<string, unknown> }
    while (told.status === 201 && guests.length > 1) told = await place(guests.shift() as Client, ORDER)
    const { status, body } = told
    expect({ status, code: body.code }).toEqual({ status: trouble.status, code: expect.stringMatching(/^[A-Z_]+$/) })
    expect(body.message).toMatch(/^[A-Z][^{}<>]{10,}\.$/)
    expect(body.message).not.toMatch(/SQLITE|ENOTFOUND|fetch|undefined/)
    trouble.end(world)
    expect(await place(guests.pop() as Client, ORDER)).toMatchObject({ status: 201 })
  },
)

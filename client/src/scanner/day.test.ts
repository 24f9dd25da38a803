import 'fake-indexeddb/auto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bought, codeOf, putOnSale } from '../../../server/src/testing/scenes.ts'
import { makeWorld, type World } from '../../../server/src/testing/world.ts'
import { setTokenSource } from '../platform/http/tokens.ts'
import { noteAnswer, noteNoAnswer } from '../platform/net/connectivity.ts'

const SCANS = 5_000
/** Each round begins without a network, and ends with one. */
const ROUND = 500
const OFFLINE = 480
const ENOUGH = 1_000_000

/** What the scanner needs of a page, and a network to the server that can be cut. */
function phone(world: World) {
  const kept = new Map<string, string>([['garba.signedIn', '1']])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  const network = { cut: false }
  const AtHome = class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, 'http://localhost') : input, init)
    }
  }
  vi.stubGlobal('Request', AtHome)
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    if (network.cut) throw new TypeError('No network')
    return world.app.request(new AtHome(input, init))
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return network
}

test('a day of scanning: 5,000 scans leave the history, the list and nothing else', { timeout: 300_000 }, async () => {
  const world = await makeWorld({ limits: { user: ENOUGH } })
  const network = phone(world)
  await putOnSale(world, { totalTickets: SCANS })
  const guest = await world.as('guest')
  const codes: string[] = []
  while (codes.length < SCANS) codes.push(...(await bought(guest, 100)).map(codeOf))

  // Loaded once the page is there: they look at it as they begin.
  const { useSessionStore } = await import('../platform/identity/session.ts')
  const { syncRoster } = await import('./sync/syncRoster.ts')
  const { decide } = await import('./scan/decide.ts')
  const { finish } = await import('./scan/finish.ts')
  const { stationNow } = await import('./store/device.ts')
  const { sendOutbox, useReplay } = await import('./sync/replayer.ts')
  const { readUnsent } = await import('./store/outbox.ts')
  const { read } = await import('./store/scannerStore.ts')
  const { rosterEntries } = await import('./store/rosterMemory.ts')

  const checker = await world.as('qrchecker')
  setTokenSource(async () => ({ token: async () => checker.token }))
  const { user } = (await checker.request('GET', '/api/auth/me')).body as { user: never }
  useSessionStore.setState({ session: { at: 'signedIn', user, confirmed: true } })
  await syncRoster()

  const scan = async (text: string) => {
    const station = await stationNow()
    if (station === null) throw new Error('Nobody is signed in')
    const made = {
      scan: { scanId: crypto.randomUUID(), subject: { type: 'code' as const, text }, at: Date.now() },
      station,
    }
    return (await finish(await decide(made), made)).look
  }
  const everythingSent = async () => {
    await sendOutbox()
    await vi.waitFor(() => expect(useReplay.getState().status).toBe('idle'))
    expect((await readUnsent()).count).toBe(0)
    // An admission settled in this very millisecond is not the list's to tell yet.
    await new Promise((resolve) => setTimeout(resolve, 2))
    await syncRoster()
  }

  const looks = new Map<string, number>()
  for (const [index, code] of codes.entries()) {
    const inRound = index % ROUND
    if (inRound === 0) {
      network.cut = true
      noteNoAnswer()
    }
    if (inRound === OFFLINE) {
      expect((await readUnsent()).count).toBe(OFFLINE)
      network.cut = false
      noteAnswer()
      await everythingSent()
    }
    const look = await scan(code)
    looks.set(look, (looks.get(look) ?? 0) + 1)
    if (inRound === ROUND - 1) await everythingSent()
  }

  expect([...looks.keys()].toSorted()).toEqual(['allowed', 'pending'])
  expect(looks.get('pending')).toBeGreaterThanOrEqual((SCANS / ROUND) * OFFLINE)
  const counts = await read(async (db) =>
    Object.fromEntries(
      await Promise.all([...db.objectStoreNames].map(async (name) => [name, await db.count(name)] as const)),
    ),
  )
  expect(counts).toEqual({
    qr_scan_history: 50,
    outbox: 0,
    roster: SCANS,
    meta: 2,
    conflicts: 0,
    admitted: 0,
    tally: 1,
  })
  expect([...rosterEntries().values()].filter(({ status }) => status === 'used')).toHaveLength(SCANS)
  const rows = (sql: string) => world.store.sqlite.prepare(sql).all()
  expect(rows('select outcome, count(*) as n from scans group by outcome')).toEqual([{ outcome: 'admitted', n: SCANS }])
  expect(rows('select count(*) as n from conflicts')).toEqual([{ n: 0 }])
})

import { randomUUID } from 'node:crypto'
import { EPOCH_HEADER } from '@garba/shared/constants'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { parseEpoch } from '@garba/shared/rules/phones/versions'
import { expect, onTestFinished, test } from 'vitest'
import { takeOverPostgres } from '../../src/flows/recovery/epoch.ts'
import type { Answer } from '../../src/testing/caller.ts'
import { ask, freePort, startPostgres } from '../../src/testing/postgres.ts'
import { codeOf } from '../../src/testing/scenes.ts'
import { onSaleAt, serveOn } from '../../src/testing/twoServers.ts'

/** Four processes start, on a machine that may be busy. */
const SLOW_MS = 180_000

const times = (count: number) => Array.from({ length: count }, () => randomUUID())
const idsOf = ({ body }: Answer) => (body.tickets as Ticket[]).map(({ _id }) => _id)
const epochIn = ({ headers }: Answer) => parseEpoch(headers.get(EPOCH_HEADER)) ?? Number.NaN

test(
  'the standby of a primary that was killed takes over with every answered sale and admission; the old one confirms nothing more',
  async () => {
    const primary = await startPostgres()
    onTestFinished(primary.stop)
    const standby = await primary.startStandby()
    const port = await freePort()
    const old = await serveOn(primary)
    const admin = await onSaleAt(old.url, { seats: 1_000 })
    const buy = (url: string, key: string = randomUUID()) =>
      admin(url, '/api/tickets', { quantity: 1 }, { 'idempotency-key': key })
    const early = (await Promise.all(times(20).map((key) => buy(old.url, key)))).flatMap(
      ({ body }) => body.tickets as Ticket[],
    )
    const scans = early.map((ticket) => ({ qrCode: codeOf(ticket), scanId: randomUUID() }))
    const admit = (url: string, n: number) => admin(url, '/api/tickets/mark-used', scans[n])

    // The primary is killed in the middle of a rush.
    let killed: Promise<void> | undefined
    const sales = new Map<string, string[] | null>()
    const sellUntilRefused = async () => {
      for (let open = true; open; ) {
        const key = randomUUID()
        const answer = await buy(old.url, key)
        open = answer.status === 201
        sales.set(key, open ? idsOf(answer) : null)
        if (sales.size === 60) killed = primary.crash()
      }
    }
    const inside: boolean[] = []
    const letIn = async () => {
      for (const n of early.keys()) inside[n] = (await admit(old.url, n)).status === 200
    }
    await Promise.all([letIn(), ...times(8).map(sellUntilRefused)])
    await killed
    expect(inside).toContain(true)
    const away = await buy(old.url)
    expect(away).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })

    expect(await takeOverPostgres(standby.url, new Date())).toEqual({ promoted: true })
    const found = await ask<{ id: string; status: string }>(standby.url, 'select id, status from tickets')
    const statuses = new Map(found.map(({ id, status }) => [id, status]))
    const answered = [...early.map(({ _id }) => _id), ...[...sales.values()].flatMap((ids) => ids ?? [])]
    expect(answered.filter((id) => !statuses.has(id))).toEqual([])
    expect(early.filter(({ _id }, n) => inside[n] && statuses.get(_id) !== 'used')).toEqual([])

    // What was not answered is sent again to the server that takes over, and so is what was.
    const next = await serveOn(standby, { PORT: String(port) })
    const later = epochIn(await admin(next.url, '/healthz'))
    expect(later).toBeGreaterThan(epochIn(away))
    await Promise.all(
      [...sales].map(async ([key, ids]) => {
        const answer = await buy(next.url, key)
        expect(answer.status).toBe(201)
        if (ids) expect(idsOf(answer)).toEqual(ids)
      }),
    )
    const admitted = await Promise.all(early.map((_, n) => admit(next.url, n)))
    expect(admitted.map(({ status }) => status)).toEqual(early.map(() => 200))
    expect(await ask(standby.url, 'select status, count(*)::int as n from tickets group by status order by 1')).toEqual(
      [
        { status: 'active', n: sales.size },
        { status: 'used', n: early.length },
      ],
    )

    // The old primary comes back. Without its standby it confirms nothing, not even to a server that does not know of the other.
    await primary.start()
    await expect.poll(async () => (await admin(old.url, '/healthz')).status, { timeout: 60_000 }).toBe(200)
    const unconfirmed = buy(old.url)
    const waiting = () => ask(primary.url, "select query from pg_stat_activity where wait_event = 'SyncRep'")
    await expect.poll(waiting, { timeout: 60_000 }).toHaveLength(1)
    expect(await buy(next.url)).toMatchObject({ status: 201 })
    // The old primary counts calls without waiting for its standby.
    expect(await waiting()).toHaveLength(1)
    await primary.crash()
    expect(await unconfirmed).toMatchObject({ status: 503 })
  },
  SLOW_MS,
)

import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startListening } from '../listen.ts'
import { LAST_BACKUP, writeMeta } from '../store/meta.ts'
import { testOnSqlite } from '../testing/database.ts'
import { bought, codeOf, mark, putOnSale } from '../testing/scenes.ts'
import { makeWorld, type World } from '../testing/world.ts'

const TOKEN = 'a-monitor-of-our-own'
const read = (world: World, headers: Record<string, string> = {}) => world.app.request('/metrics', { headers })
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

async function listening({ app }: World, host = '127.0.0.1'): Promise<string> {
  const { server, port } = await startListening(app, { host, port: 0 })
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${port}`
}

testOnSqlite('a monitor reads sales, scans, refusals, latencies and the store', async () => {
  const world = await makeWorld({ settings: { METRICS_TOKEN: TOKEN } })
  await putOnSale(world, { capacity: 900 })
  const tickets = await bought(await world.as('guest'), 3)
  const checker = await world.as('qrchecker')
  const [first, second] = tickets
  if (!first || !second) throw new Error('Three were bought')
  const renewed = await (await world.as('guest')).request('POST', `/api/tickets/${second._id}/new-code`)
  expect(renewed.status).toBe(200)
  await mark(checker, { qrCode: codeOf(first), gate: 'North' })
  await mark(checker, { qrCode: codeOf(first) })
  const counted = { scanId: randomUUID(), movement: 'count', group: 'crew', change: 4 }
  await checker.request('POST', '/api/tickets/mark-used/batch', { scans: [counted] })
  await world.store.write((tx) => writeMeta(tx, LAST_BACKUP, world.clock.now().toISOString()))
  world.clock.forward(90_000)
  const answer = await read(world, bearer(TOKEN))
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await answer.text()
  // A code that a new one replaced is no ticket.
  expect(text).not.toContain('status="deleted"')
  for (const line of [
    'garba_tickets{status="active"} 2',
    'garba_tickets{status="used"} 1',
    'garba_orders{state="paid",channel="web"} 1',
    'garba_scans{outcome="admitted"} 1',
    'garba_refusals{code="ALREADY_USED"} 1',
    'garba_people_inside{bound="low"} 5',
    'garba_people_inside{bound="high"} 5',
    'garba_gate_people_inside{gate="North"} 1',
    'garba_gate_people_inside{gate=""} 4',
    'garba_people_capacity 900',
    'garba_request_seconds_count{call="buyTickets",status="201"} 1',
    'garba_request_seconds_count{call="markUsed",status="409"} 1',
    'garba_backup_age_seconds 90',
    'garba_writes_waiting 0',
  ])
    expect(text).toContain(`${line}\n`)
  expect(text).toMatch(/^garba_commits_total [1-9]/m)
  expect(text).not.toMatch(/^garba_webhook_age_seconds /m)
  for (const name of ['Garima', 'garba.test', first.id]) expect(text).not.toContain(name)
})

testOnSqlite('with a token nobody else reads them, from this machine neither', async () => {
  const world = await makeWorld({ settings: { METRICS_TOKEN: TOKEN } })
  expect((await read(world)).status).toBe(401)
  expect((await read(world, bearer('another-monitor-token'))).status).toBe(401)
  const admin = await world.as('admin')
  expect((await admin.fetch('GET', '/metrics')).status).toBe(401)
  const url = await listening(world)
  expect((await fetch(`${url}/metrics`)).status).toBe(401)
  expect((await fetch(`${url}/metrics`, { headers: bearer(TOKEN) })).status).toBe(200)
})

test('without a token they are open to this machine, and closed to those who come through a proxy on it', async () => {
  const world = await makeWorld()
  const url = await listening(world)
  expect((await fetch(`${url}/metrics`)).status).toBe(200)
  for (const header of [{ 'X-Forwarded-For': '127.0.0.1' }, { Forwarded: 'for=203.0.113.9' }])
    expect((await fetch(`${url}/metrics`, { headers: header })).status).toBe(403)
  expect((await read(world)).status).toBe(403)
  const both = await listening(world, '::')
  expect((await fetch(`${both}/metrics`)).status).toBe(200)
})

testOnSqlite(
  'without a token and behind a proxy they answer nobody, whether or not the proxy adds a header',
  async () => {
    const world = await makeWorld({ settings: { TRUST_PROXY: '1' } })
    const url = await listening(world)
    for (const headers of [{}, { 'X-Forwarded-For': '127.0.0.1' }, { 'X-Forwarded-For': '' }])
      expect((await fetch(`${url}/metrics`, { headers })).status).toBe(403)
  },
)

testOnSqlite('the age of the last backup is absent before the first one, and no figure is NaN', async () => {
  const world = await makeWorld({ settings: { METRICS_TOKEN: TOKEN } })
  const before = await (await read(world, bearer(TOKEN))).text()
  expect(before).not.toMatch(/^garba_backup_age_seconds /m)
  expect(before).not.toMatch(/ nan$/im)
  await world.store.write((tx) => writeMeta(tx, LAST_BACKUP, world.clock.now().toISOString()))
  expect(await (await read(world, bearer(TOKEN))).text()).toContain('garba_backup_age_seconds 0\n')
})

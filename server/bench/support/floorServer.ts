import { rmSync } from 'node:fs'
import { Hono } from 'hono'
import { startListening } from '../../src/listen.ts'
import { newId } from '../../src/store/engine/sql.ts'
import type { TellParent } from './servers.ts'
import { makeBenchWorld, waitFor } from './world.ts'

/**
 * The floor for comparison: the same two SQL statements behind a bare route, with the same tables, indexes and durability,
 * but without identity, rules, signatures, audit rows, idempotency or logging.
 */
const commitMs = Number(process.argv[2] ?? 0)
const { store, folder, eventId, buyers, checker } = await makeBenchWorld({ commitMs })
const { sqlite } = store
const takeSeat = sqlite.prepare(
  'update events set taken_seats = taken_seats + 1 where id = ? and taken_seats + 1 <= total_tickets',
)
const insertTicket = sqlite.prepare(
  `insert into tickets (id, event_id, user_id, buyer_name, buyer_email, price_paise, number, status, qr_code, created_at, updated_at, revision, search_text)
   values (?, ?, ?, ?, ?, 29900, 1, 'active', ?, ?, ?, 1, ?)`,
)
const markUsed = sqlite.prepare("update tickets set status = 'used', entry_time = ? where id = ? and status = 'active'")
const insertScan = sqlite.prepare(
  `insert into scans (id, ticket_id, outcome, admitted_offline, manual, checker_id, checker_name, sender_id, sender_name, at, received_at, answer_status, answer)
   values (?, ?, 'admitted', 0, 0, ?, ?, ?, ?, ?, ?, 200, '{}')`,
)
const QR_CODE = `GR1:${'A'.repeat(118)}`

const sell = sqlite.transaction((id: string, at: number) => {
  const buyer = buyers[at % buyers.length]
  if (!buyer || takeSeat.run(eventId).changes !== 1) throw new Error('sold out')
  const search = `${id} ${buyer.name} ${buyer.email}`.toLowerCase()
  insertTicket.run(id, eventId, buyer.id, buyer.name, buyer.email, QR_CODE, at, at, search)
  waitFor(commitMs)
})
const admit = sqlite.transaction((ticketId: string, scanId: string, at: number) => {
  if (markUsed.run(at, ticketId).changes !== 1) throw new Error('not active')
  insertScan.run(scanId, ticketId, checker.id, checker.name, checker.id, checker.name, at, at)
  waitFor(commitMs)
})

const app = new Hono()
app.post('/sale', async (c) => {
  await c.req.json()
  const id = newId(new Date())
  sell.immediate(id, Date.now())
  return c.json({ success: true, tickets: [{ id }] }, 201)
})
app.post('/mark', async (c) => {
  const { ticketId, scanId } = await c.req.json<{ ticketId: string; scanId: string }>()
  admit.immediate(ticketId, scanId, Date.now())
  return c.json({ success: true })
})

const { port } = await startListening(app, { host: '127.0.0.1', port: 0 })
const message: TellParent = { port, tokens: [], checkerToken: '' }
process.send?.(message)
process.on('disconnect', async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})

import { RIGHTS } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { must } from '../desk.ts'
import { prepared } from '../phone.ts'
import { takePhones } from '../protocol/gatePhone.ts'
import { fastServer } from '../protocol/gateServer.ts'
import { eventForm, person } from '../scenes.ts'

/** One real scanner takes this many scans, in a process of its own whose clock and network it uses. */

const scans = Number(process.argv[2] ?? 5_000)
const PER_ORDER = 100
const undos: (() => Promise<void>)[] = []
const { world, rows } = await fastServer((undo) => void undos.push(undo))
await must((await world.as('admin')).request('POST', '/api/event', eventForm({ totalTickets: scans + PER_ORDER })))
const tickets: Ticket[] = []
for (let n = 0; tickets.length < scans; n += 1) {
  const guest = await world.as('guest', person(`Guest${n}`))
  const order = { quantity: Math.min(PER_ORDER, scans - tickets.length) }
  const sold = await must(guest.request('POST', '/api/tickets', order, { 'Idempotency-Key': crypto.randomUUID() }))
  tickets.push(...(sold.tickets as Ticket[]))
}
const [held] = await takePhones(1, {
  now: () => world.clock.now().getTime(),
  answer: (request) => world.app.request(request) as Promise<Response>,
})
if (!held) throw new Error('There is no phone')
const { pairing } = await prepared(world, { name: 'Gate A', rights: RIGHTS })
held.phone.prepare(world.deps.publicUrl())
await held.enter(() => held.phone.pair(pairing.code))

/** MB that are in use once nothing is left to collect. */
function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

let early = 0
let shown = 0
for (const [index, { qrCode }] of tickets.entries()) {
  // The network is away for a tenth of the evening.
  if (index % 100 === 80) held.network = 'cutBefore'
  if (index % 100 === 90) held.network = 'up'
  await held.enter(async () => held.phone.cut(held.network === 'cutBefore'))
  world.clock.forward(2_000)
  const seen = await held.enter(() => held.phone.scan({ type: 'code', text: qrCode ?? '' }, { dies: false }))
  if (seen?.look === 'allowed' || seen?.look === 'pending') shown += 1
  if (index % 100 === 99) await held.enter(() => held.phone.sync())
  // The log of this world is kept for its tests.
  world.log.length = 0
  if (index + 1 === Math.floor(scans / 5)) early = heap()
}
await held.enter(() => held.phone.sync())
const late = heap()
const { unsent } = await held.enter(() => held.phone.state())
const kept = await held.enter(() => held.phone.sizes())
const onServer = rows("select id from scans where outcome = 'admitted'").length
process.send?.({ shown, onServer, unsent, early, late, kept })
for (const undo of undos.toReversed()) await undo()
process.disconnect?.()
process.exit()

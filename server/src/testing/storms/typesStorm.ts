import { randomUUID } from 'node:crypto'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { wrongInAccounts } from '../accounts.ts'
import { type Send, signedIn } from '../caller.ts'
import { must } from '../desk.ts'
import { dice, type Random } from '../dice.ts'
import { linkOf, minutesPass, place, settleMoney } from '../money.ts'
import { freePort } from '../postgres.ts'
import { eventForm, person, putOnSale } from '../scenes.ts'
import { type Client, makeWorld, PAYING, type World } from '../world.ts'
import { accountantOf, newFolder, reading, type Served, served, type WhenOver } from './served.ts'

interface Storm {
  seed: number
  buyers: number
  whenOver: WhenOver
  progress?: (done: number) => void
}
interface Stormed {
  findings: string[]
  placed: number
  refused: number
  paid: number
  cancelled: number
  kills: number
}

const HOUR_MS = 3_600_000
const AT_ONCE = 8
const one = (price: number, ends: Record<string, unknown> = {}) => ({ price, groupPrice: price - 10, ...ends })
const CODES = [
  { code: 'TWENTY', kind: 'percent', value: 20, tickets: 40, perPerson: 6 },
  { code: 'FIFTY OFF', kind: 'amount', value: 50, tickets: 15 },
  { code: 'CREW', kind: 'access', tickets: 12 },
]

const typesFor = (now: number) => [
  {
    name: { en: 'General' },
    phases: [
      one(200, { sold: 30, until: new Date(now + 3 * HOUR_MS).toISOString() }),
      one(300, { sold: 80 }),
      one(400, { until: new Date(now + 20 * HOUR_MS).toISOString() }),
      one(500),
    ],
  },
  { name: { en: 'VIP' }, seats: 25, maxPerOrder: 4, phases: [one(900, { sold: 10 }), one(1_000)] },
  { name: { en: 'Couple' }, seats: 21, admits: 2, phases: [one(555.55)] },
  { name: { en: 'Crew' }, seats: 15, hidden: true, phases: [one(100)] },
]
/** The number up to which each price may be sold, in paise, groups and codes apart. */
const SOLD_UP_TO = [
  { type: 'General', prices: [20_000, 19_000], sold: 30 },
  { type: 'VIP', prices: [90_000, 89_000], sold: 10 },
]

/**
 * Buyers at once, of all types, with and without codes and the price they saw, some pay late, some never, some cancel,
 * phases end, and a server is killed in between. Afterwards no type, phase or code gave more than it had, every price was
 * one that counted at its moment, and the accountant agrees.
 */
export async function typesStorm({ seed, buyers, whenOver, progress = () => undefined }: Storm): Promise<Stormed> {
  const random = dice(seed)
  const world = await makeWorld({ settings: { ...PAYING, MAX_PER_PERSON: '0' }, whenOver })
  await putOnSale(world, { totalTickets: 150, types: typesFor(world.clock.now().getTime()) })
  const stormed: Stormed = { findings: [], placed: 0, refused: 0, paid: 0, cancelled: 0, kills: 0 }
  let admin = await world.as('admin')
  for (const code of CODES) await must(admin.request('POST', '/api/admin/codes', { note: '', ...code }))
  for (let come = 0; come < buyers; come += AT_ONCE) {
    admin = await world.as('admin')
    const shown = await offersOf(world)
    const replies = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, n) => {
        const guest = await world.as('guest', person(`Buyer ${(come + n) % 40}`))
        const reply = await place(guest, { ...choice(random, shown), provider: 'razorpay' })
        return { guest, reply }
      }),
    )
    for (const { guest, reply } of replies)
      if (reply.status === 201) await follow({ world, guest, random, stormed }, reply.body.order as Order)
      else if (reply.status === 409 || reply.status === 400 || reply.status === 404) stormed.refused += 1
      else if (reply.status !== 429) stormed.findings.push(`An order was answered ${JSON.stringify(reply)}`)
    await settleMoney(world)
    await minutesPass(world, 1 + Math.floor(random() * 6))
    if (random() < 0.4) await cancelOne({ world, admin, random, stormed })
    progress(come + AT_ONCE)
  }
  await minutesPass(world, 40)
  stormed.findings.push(...(await wrongSales((source) => world.sql(source))), ...(await wrongInAccounts(world)))
  await killAndAsk({ seed, whenOver, stormed })
  return stormed
}

const offersOf = async (world: World): Promise<TicketTypeOffer[]> =>
  ((await must(world.nobody.request('GET', '/api/event?code=crew'))).data as { types: TicketTypeOffer[] }).types

/** One or two types, sometimes at the price that was seen, sometimes with a code. */
function choice(random: Random, shown: readonly TicketTypeOffer[]) {
  const first = Math.floor(random() * shown.length)
  const chosen = random() < 0.3 ? [first, (first + 1) % shown.length] : [first]
  const lines = chosen.flatMap((at) => {
    const { id, price, groupPrice, maxPerOrder } = shown[at] as TicketTypeOffer
    const quantity = Math.min(1 + Math.floor(random() * 5), maxPerOrder ?? 5)
    return { type: id, quantity, ...(random() < 0.5 ? { price: quantity >= 4 ? groupPrice : price } : {}) }
  })
  const code = random() < 0.5 ? CODES[Math.floor(random() * CODES.length)]?.code.toLowerCase() : undefined
  return { lines, ...(code === undefined ? {} : { code }) }
}

interface Following {
  world: World
  guest: Client
  random: Random
  stormed: Stormed
}

/** Half of the buyers pay, the others come late, cancel, or never pay. */
async function follow({ world, guest, random, stormed }: Following, { code }: Order): Promise<void> {
  stormed.placed += 1
  const chance = random()
  if (chance < 0.55) world.double.pay(linkOf(world, code))
  else if (chance < 0.7) world.double.payLate(linkOf(world, code), 20 * 60_000)
  else if (chance < 0.85) await guest.request('POST', `/api/orders/${code}/cancel`)
  if (chance < 0.55) stormed.paid += 1
}

/** The desk cancels a ticket, or gives one back. */
async function cancelOne({ world, admin, random, stormed }: Omit<Following, 'guest'> & { admin: Client }) {
  const tickets = await world.sql('select id, status from tickets order by id')
  const ticket = tickets[Math.floor(random() * tickets.length)]
  if (!ticket) return
  const status = ticket.status === 'active' ? 'cancelled' : 'active'
  const reply = await admin.request('PATCH', `/api/tickets/admin/${ticket.id}/status`, { status })
  if (reply.status === 200) stormed.cancelled += 1
}

type Sql = (source: string) => Promise<Record<string, unknown>[]>

/** No price, type or code gave more than it had, and every ticket has a price of its type. */
async function wrongSales(sql: Sql): Promise<string[]> {
  const findings: string[] = []
  const [{ types: text = '[]' } = {}] = await sql('select types from events')
  const types = JSON.parse(String(text)) as { id: string; name: { en: string }; seats: number | null }[]
  const tickets = await sql('select type_id, price_paise, promo_code_id, status from tickets where replaced_at is null')
  for (const { id, name, seats } of types) {
    const own = tickets.filter(({ type_id }) => type_id === id)
    const seated = own.filter(({ status }) => status === 'active' || status === 'used').length
    if (seats !== null && seated > seats) findings.push(`${name.en}: ${seated} tickets for ${seats} seats`)
    const limit = SOLD_UP_TO.find(({ type }) => type === name.en)
    const cheap = own.filter(
      ({ price_paise: paise, promo_code_id: code, status }) =>
        code === null && status !== 'cancelled' && limit?.prices.includes(Number(paise)),
    )
    if (limit && cheap.length > limit.sold) findings.push(`${name.en}: ${cheap.length} at the price of ${limit.sold}`)
  }
  const known = typesFor(0).flatMap(({ phases, admits = 1 }: { phases: { price: number }[]; admits?: number }) =>
    phases.flatMap(({ price }) =>
      [price, price - 10].flatMap((full) =>
        [full, full * 0.8, full - 50].flatMap((unit) => [
          Math.floor((unit * 100) / admits),
          Math.ceil((unit * 100) / admits),
        ]),
      ),
    ),
  )
  for (const { price_paise: paise } of tickets)
    if (!known.some((price) => Math.abs(price - Number(paise)) <= 1)) findings.push(`A ticket cost ${paise} paise`)
  for (const { code, used, tickets: most } of await sql('select code, used, tickets from promo_codes'))
    if (Number(used) > Number(most)) findings.push(`${code} was used ${used} of ${most} times`)
  return findings
}

const ADMIN = 'admin@garba.test'
const ASKED = 40

/** Sales at a server of its own, which is killed twice. Who had no answer asks again with the same key. */
async function killAndAsk({ seed, whenOver, stormed }: Pick<Storm, 'seed' | 'whenOver'> & { stormed: Stormed }) {
  const folder = newFolder(whenOver)
  const settings = { ADMIN_EMAILS: ADMIN, LOG_LEVEL: 'error', PAYMENTS: 'none' }
  const server = await served({ folder, port: await freePort() }, settings, whenOver)
  const admin = await signedIn(server.url, ADMIN)
  const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const form = eventForm({ date, totalTickets: 60, types: typesFor(Date.now()) })
  const made = await admin(server.url, '/api/event', form)
  if (made.status !== 201) throw new Error(`The event was refused: ${JSON.stringify(made.body)}`)
  for (const code of CODES) await admin(server.url, '/api/admin/codes', { note: '', ...code })
  const { types } = (await admin(server.url, '/api/event?code=crew')).body.data as { types: TicketTypeOffer[] }
  const random = dice(seed + 1)
  const buyers = await Promise.all(Array.from({ length: 5 }, (_, n) => signedIn(server.url, `buyer${n}@garba.test`)))
  const sold = new Map<string, readonly Ticket[]>()
  // A server that is still starting is not killed a second time.
  let restarted = Promise.resolve()
  const asking = Array.from({ length: ASKED }, async (_, n) => {
    const tickets = await askUntilAnswered(server, buyers[n % buyers.length] as Send, choice(random, types))
    if (tickets) sold.set(String(n), tickets)
    else stormed.refused += 1
    if (n === ASKED / 4 || n === ASKED / 2) {
      stormed.kills += 1
      restarted = restarted.then(server.kill).then(server.start)
      await restarted
    }
  })
  await Promise.all(asking)
  stormed.placed += sold.size
  stormed.findings.push(...(await accountantOf(server)), ...(await reading(server, wrongSales)))
  const kept = new Set((await reading(server, (sql) => sql('select id from tickets'))).map(({ id }) => id))
  for (const { _id } of [...sold.values()].flat()) if (!kept.has(_id)) stormed.findings.push(`Ticket ${_id} is lost`)
  await server.stop()
}

/** The tickets, or null if they were refused. */
async function askUntilAnswered(server: Served, buyer: Send, body: object): Promise<readonly Ticket[] | null> {
  const headers = { 'idempotency-key': randomUUID() }
  for (;;) {
    const answer = await buyer(server.url, '/api/tickets', body, headers).catch(() => null)
    if (answer?.status === 201) return answer.body.tickets as Ticket[]
    if (answer && answer.status < 500) return null
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

import { randomUUID } from 'node:crypto'
import type { Block, CodeRange, DeviceBlock, DoorSaleResult } from '@garba/shared/contracts/phones/block'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { endLeases } from '../flows/doorSales/deviceBlocks.ts'
import { wrongInAccounts } from './accounts.ts'
import { activate } from './blocks.ts'
import { must } from './desk.ts'
import { dice, type Random } from './dice.ts'
import { openDrawer, sellingPhone } from './door.ts'
import { eveningOf } from './evening.ts'
import type { Phone } from './phone.ts'
import { eventForm, mark } from './scenes.ts'
import { makeWorld, PAYING, type Reply, type World } from './world.ts'

interface Storm {
  seed: number
  steps: number
  whenOver: (undo: () => Promise<void>) => void
  progress?: (done: number) => void
}

interface Kept {
  key: string
  ticketIds: string[]
  soldAt: string
  method: 'cash' | 'card'
  scanIds?: string[]
}

/** A volunteer's phone as it knows itself: what it may still sell, and what it has to report. */
interface Seller {
  phone: Phone
  /** Where it stands. */
  gate: string
  until: number
  revokedAt: number | null
  unsold: Map<string, string[]>
  outbox: Kept[]
}

interface Door {
  world: World
  random: Random
  sellers: Seller[]
  paper: Block[]
  /** Codes in the order of the sales that the server has taken, by ticket. */
  taken: Map<string, string>
  /** The witness's tally: everybody who went in, by scan, with the gate, as far as the answers say. */
  wentIn: Map<string, string>
  findings: Set<string>
}

const MINUTE_MS = 60_000
const SELLERS = 6
const GATES = ['North', 'South'] as const
const NO_GATE = 'No gate'
/** The share of answers that never arrive. */
const LOST = 0.15

const upTo = (random: Random, n: number): number => 1 + Math.floor(random() * n)
const oneOf = <T>(random: Random, all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
const nowOf = ({ world }: Door): number => world.clock.now().getTime()

/**
 * Phones take blocks, sell from them without a network, report late, twice or after their end, and return what is left, while
 * paper is activated and taken back, phones are revoked or lapse, people enter, and answers are lost. Returns what is wrong
 * with the accounts, the headcount or any code afterwards, and now and then in between.
 */
export async function doorStorm({ seed, steps, whenOver, progress = () => undefined }: Storm): Promise<string[]> {
  const world = await makeWorld({ settings: PAYING, whenOver, limits: { user: 1e9, address: 1e9, manual: 1e9 } })
  const admin = await world.as('admin')
  // Too few seats for all, so that late sales meet a full house.
  await must(admin.request('POST', '/api/event', eventForm({ totalTickets: Math.max(40, Math.ceil(steps * 0.6)) })))
  await openDrawer(admin)
  const kept = { sellers: [], paper: [], taken: new Map(), wentIn: new Map(), findings: new Set<string>() }
  const door: Door = { world, random: dice(seed), ...kept }
  for (let step = 1; step <= steps; step += 1) {
    await oneStep(door)
    if (step % 100 === 0) await look(door)
    progress(step)
  }
  for (const seller of door.sellers) await comeBack(door, seller)
  world.clock.forward(12 * 60 * MINUTE_MS)
  await endLeases(world.deps)
  await look(door)
  return [...door.findings]
}

const STEPS: readonly (readonly [share: number, act: (door: Door) => Promise<unknown>])[] = [
  [6, hire],
  [14, withSeller(takeBlock)],
  [30, withSeller(sellOffline)],
  [8, withSeller(sellOnline)],
  [14, withSeller(report)],
  [5, withSeller(giveBack)],
  [2, withSeller(revoke)],
  [4, printPaper],
  [6, activatePaper],
  [3, takePaperBack],
  [6, enter],
  [3, changeAtDesk],
  [2, ({ world }) => endLeases(world.deps)],
]
const DECK = STEPS.flatMap(([share, act]) => Array.from({ length: share }, () => act))

async function oneStep(door: Door): Promise<void> {
  await oneOf(door.random, DECK)?.(door)
  if (door.random() < 0.2) door.world.clock.forward(Math.floor(door.random() * 10 * MINUTE_MS))
}

function withSeller(act: (door: Door, seller: Seller) => Promise<unknown>) {
  return async (door: Door): Promise<void> => {
    const seller = oneOf(door.random, door.sellers)
    if (seller) await act(door, seller)
  }
}

/** A phone that has ended makes room for another once it has reported. */
async function hire(door: Door): Promise<void> {
  for (const seller of door.sellers.filter((one) => isOver(door, one))) await comeBack(door, seller)
  door.sellers = door.sellers.filter((seller) => !isOver(door, seller))
  if (door.sellers.length >= SELLERS) return
  const until = nowOf(door) + upTo(door.random, 600) * MINUTE_MS
  const gate = oneOf(door.random, GATES) ?? GATES[0]
  const phone = await sellingPhone(door.world, { until: new Date(until).toISOString(), gates: [gate] })
  door.sellers.push({ phone, gate, until, revokedAt: null, unsold: new Map(), outbox: [] })
}

const endOf = ({ until, revokedAt }: Seller): number => Math.min(until, revokedAt ?? until)
const isOver = (door: Door, seller: Seller): boolean => endOf(seller) <= nowOf(door)

const asked = async ({ phone }: Seller, method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
  (await phone.client()).request(method, path, body, headers)
const isLost = ({ random }: Door): boolean => random() < LOST

async function takeBlock(door: Door, seller: Seller): Promise<void> {
  await asked(seller, 'POST', '/api/devices/blocks', { size: upTo(door.random, 20) })
  // Whether or not that answer came, the phone asks what it has, minus what it has sold.
  const { status, body } = await asked(seller, 'GET', '/api/devices/blocks')
  if (status !== 200 || isLost(door)) return
  const sold = new Set(seller.outbox.flatMap(({ ticketIds }) => ticketIds))
  const blocks = body.blocks as DeviceBlock[]
  seller.unsold = new Map(
    blocks.map(({ id, codes }) => [id, codes.map(({ ticketId }) => ticketId).filter((code) => !sold.has(code))]),
  )
}

/** It does not know that it was revoked, but it knows its end. Sometimes it makes the same sale twice, with another key. */
async function sellOffline(door: Door, seller: Seller): Promise<void> {
  if (seller.until <= nowOf(door)) return
  const [id] =
    oneOf(
      door.random,
      [...seller.unsold].filter(([, codes]) => codes.length > 0),
    ) ?? []
  const codes = id === undefined ? undefined : seller.unsold.get(id)
  if (id === undefined || codes === undefined) return
  const ticketIds = codes.slice(0, upTo(door.random, 5))
  seller.unsold.set(id, codes.slice(ticketIds.length))
  const sale: Kept = {
    key: randomUUID(),
    ticketIds,
    soldAt: new Date(nowOf(door)).toISOString(),
    method: door.random() < 0.7 ? 'cash' : 'card',
    ...(door.random() < 0.5 ? { scanIds: ticketIds.map(() => randomUUID()) } : {}),
  }
  seller.outbox.push(sale)
  if (door.random() < 0.03) {
    const { scanIds: _, ...rest } = sale
    seller.outbox.push({ ...rest, key: randomUUID() })
  }
}

async function sellOnline(door: Door, seller: Seller): Promise<void> {
  const key = { 'Idempotency-Key': randomUUID() }
  const sale = { quantity: upTo(door.random, 4), method: 'cash', name: 'Meera', admit: door.random() < 0.5 }
  const first = await asked(seller, 'POST', '/api/admin/orders', sale, key)
  for (const scanId of (first.body.scanIds ?? []) as string[]) door.wentIn.set(scanId, seller.gate)
  if (!isLost(door)) return
  const { body } = await asked(seller, 'POST', '/api/admin/orders', sale, key)
  if (first.status === 201 && JSON.stringify(body) !== JSON.stringify(first.body))
    door.findings.add('a sale online that was asked for again had another answer')
}

/** Sends some of the outbox. Rows whose answer was lost are sent again another time. */
async function report(door: Door, seller: Seller): Promise<void> {
  const sales = seller.outbox.slice(0, upTo(door.random, 8))
  if (sales.length === 0) return
  const { status, body } = await asked(seller, 'POST', '/api/devices/sales', { sales })
  if (status !== 200) return void door.findings.add(`sales were answered ${status}: ${JSON.stringify(body)}`)
  for (const [index, result] of (body.results as DoorSaleResult[]).entries())
    await judge(door, seller, sales[index], result)
  if (!isLost(door)) seller.outbox = seller.outbox.slice(sales.length)
}

/**
 * A sale counts if it was made before the phone's end, nobody else has its codes, and the phone had not given them back. One made
 * after the end is only noted.
 */
async function judge(
  door: Door,
  seller: Seller,
  sale: Kept | undefined,
  { success, code, order, outcome }: DoorSaleResult,
): Promise<void> {
  if (!sale) return
  const owner = sale.ticketIds.map((id) => door.taken.get(id)).find((key) => key !== undefined)
  const gaveBack = await hasReturned(door, seller, sale)
  if (success || code === 'CODES_RETURNED') {
    if (owner !== undefined && owner !== sale.key) door.findings.add(`${order}: sold what another sale has`)
    if (gaveBack !== (code === 'CODES_RETURNED')) door.findings.add(`${order}: judged returned codes wrongly`)
    for (const id of sale.ticketIds) door.taken.set(id, sale.key)
    const isAfterEnd = Date.parse(sale.soldAt) >= endOf(seller) && isOver(door, seller)
    if (success && isAfterEnd !== (outcome === 'noted')) door.findings.add(`${order}: judged the phone's end wrongly`)
    if (success && outcome !== 'noted') for (const scanId of sale.scanIds ?? []) door.wentIn.set(scanId, seller.gate)
    return
  }
  if (code === 'CODES_NOT_LEFT' && owner !== undefined && owner !== sale.key) return
  door.findings.add(`a sale at the door was refused with ${code}`)
}

async function hasReturned({ world }: Door, { phone }: Seller, { ticketIds }: Kept): Promise<boolean> {
  const list = ticketIds.map(() => '?').join(', ')
  const rows = await world.sql(
    `select 1 from block_codes where returned_by_id = ? and ticket_id in (${list})`,
    phone.id,
    ...ticketIds,
  )
  return rows.length > 0
}

/** Now and then before it has reported, although it should not: its sales come late then. */
async function giveBack(door: Door, seller: Seller): Promise<void> {
  if (door.random() < 0.8) while (seller.outbox.length > 0) await report(door, seller)
  for (const id of seller.unsold.keys()) {
    await asked(seller, 'POST', `/api/devices/blocks/${id}/return`)
    if (isLost(door)) await asked(seller, 'POST', `/api/devices/blocks/${id}/return`)
    seller.unsold.delete(id)
  }
}

async function revoke(door: Door, seller: Seller): Promise<void> {
  if (isOver(door, seller)) return
  const admin = await door.world.as('admin')
  await must(admin.request('PATCH', `/api/admin/devices/${seller.phone.id}`, { revoked: true }))
  seller.revokedAt = nowOf(door)
}

async function comeBack(door: Door, seller: Seller): Promise<void> {
  while (seller.outbox.length > 0) await report(door, seller)
  if (!isOver(door, seller)) await giveBack(door, seller)
}

async function printPaper(door: Door): Promise<void> {
  const admin = await door.world.as('admin')
  const { status, body } = await admin.request('POST', '/api/admin/blocks', {
    label: 'Ravi, Paldi',
    size: upTo(door.random, 30),
  })
  if (status === 201) door.paper.push(body.block as Block)
}

function rangeOf({ random }: Door, { size }: Block): CodeRange {
  const from = upTo(random, size)
  return { from, to: Math.min(size, from + Math.floor(random() * 6)) }
}

async function activatePaper(door: Door): Promise<void> {
  const block = oneOf(door.random, door.paper)
  if (!block) return
  const admin = await door.world.as('admin')
  const range = rangeOf(door, block)
  const { status } = await activate(admin, block, range)
  if (status !== 200 || !isLost(door)) return
  const again = await activate(admin, block, range)
  if (again.body.code !== 'CODES_NOT_LEFT') door.findings.add('a range of paper was activated twice')
}

async function takePaperBack(door: Door): Promise<void> {
  const block = oneOf(door.random, door.paper)
  if (!block) return
  const admin = await door.world.as('admin')
  await admin.request('POST', `/api/admin/blocks/${block.id}/return`, rangeOf(door, block))
}

/** Somebody comes with any code that was ever signed; it admits if it was sold, and once. */
async function enter(door: Door): Promise<void> {
  const [row] = await door.world.sql(
    `select c.qr_code, c.state, t.status from block_codes c left join tickets t on t.id = c.ticket_id
     order by c.ticket_id limit 1 offset ?`,
    Math.floor(door.random() * Number((await door.world.sql('select count(*) as n from block_codes'))[0]?.n ?? 0)),
  )
  if (!row) return
  const scanId = randomUUID()
  const { body } = await mark(await door.world.as('qrchecker'), { qrCode: row.qr_code, scanId })
  if (body.outcome === 'admitted') door.wentIn.set(scanId, NO_GATE)
  if ((body.outcome === 'admitted') !== (row.state === 'sold' && row.status === 'active'))
    door.findings.add(`a code that is ${row.state}, with a ticket that is ${row.status}: ${JSON.stringify(body)}`)
}

/** The desk marks a ticket as used, or sets one back: that takes back a mark, and nobody who was scanned. */
async function changeAtDesk(door: Door): Promise<void> {
  const id = oneOf(door.random, [...door.taken.keys()])
  const status = door.random() < 0.5 ? 'used' : 'active'
  const admin = await door.world.as('admin')
  const { body } = await admin.request('PATCH', `/api/tickets/admin/${id}/status`, { status })
  if (body.success !== true) return
  const { scannedBy } = body.ticket as Ticket
  if (status === 'active') door.wentIn.delete(`mark of ${id}`)
  else if (scannedBy?.name === admin.user?.name) door.wentIn.set(`mark of ${id}`, NO_GATE)
}

async function look({ world, findings, wentIn }: Door): Promise<void> {
  const { people, gates } = await eveningOf(await world.as('admin'))
  if (people !== wentIn.size) findings.add(`Evening says ${people} people, the witness ${wentIn.size}`)
  const atGates = Map.groupBy(wentIn.values(), (gate) => gate)
  for (const name of new Set([...atGates.keys(), ...gates.map((gate) => gate.name)])) {
    const said = gates.find((gate) => gate.name === name)?.people ?? 0
    const seen = atGates.get(name)?.length ?? 0
    if (said !== seen) findings.add(`Evening says ${said} people at ${name}, the witness ${seen}`)
  }
  for (const finding of await wrongInAccounts(world)) findings.add(finding)
}

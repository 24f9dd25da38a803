import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { DEVICE_CODES_MAX, UNPROVEN_TICKETS_MAX } from '@garba/shared/constants'
import { STATUS_OF } from '@garba/shared/contracts/codes'
import type { ScanFlag, TicketStatus } from '@garba/shared/contracts/names'
import {
  type DoorSale,
  type DoorSaleResult,
  doorSaleResultSchema,
  doorSaleSchema,
} from '@garba/shared/contracts/phones/block'
import { shortenTicketId } from '@garba/shared/messages/common'
import { BLOCK } from '@garba/shared/messages/gate'
import { ORDER } from '@garba/shared/messages/order'
import { quotePrice } from '@garba/shared/rules/pricing'
import { foldText } from '@garba/shared/rules/search'
import { findTypeState, hasSeveralTypes } from '@garba/shared/rules/types/ticketTypes'
import { failureBody, parseInput, Refusal } from '../../refusal.ts'
import { addOrderMatter, buildNotedKey, insertAttention } from '../../store/attention.ts'
import {
  type BlockCodeRow,
  type CodeBlockRow,
  findBlock,
  findCodes,
  markCodesNoted,
  markCodesSold,
  soldAfterReturn,
} from '../../store/codeBlocks.ts'
import { listIds, type ReadTx, type WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, getEventFor, isEventClosed } from '../../store/events.ts'
import { findSellersOrder, type OrderRow, type StoredLine } from '../../store/orders.ts'
import { findScan } from '../../store/scans.ts'
import { insertTickets, type TicketRow, ticketsOfOrder } from '../../store/tickets.ts'
import { takeSeats } from '../../store/typeSeats.ts'
import { countUnlooked } from '../../store/unproven.ts'
import { hadRight, hasAnyRight } from '../authenticate.ts'
import type { Deps, DeviceCaller } from '../deps.ts'
import { admitWithin } from '../gate/admit.ts'
import { rowRefusal } from '../gate/replayScans.ts'
import { drawerAt } from '../money/drawers.ts'
import { insertByHand, priceByHand, recordSale, type SaleByHand } from '../money/orders/recordSale.ts'
import { type DeviceEnd, deviceAgain, endOfDevice, tellEnd } from '../phones/authenticateDevice.ts'
import { enterSold, ticketsFor } from '../tickets/issueTickets.ts'
import { priceOfType, type SalePrice } from '../tickets/saleLines.ts'
import { endDeviceBlocks } from './deviceBlocks.ts'

interface SaleBatch {
  sender: DeviceCaller
  sales: readonly unknown[]
  count: () => Promise<void>
}

/**
 * Records sales that a phone made offline, in order, each in a write of its own, so that a bad row fails alone. Other
 * requests get a turn between rows. The phone is read again for each row, so a lost right counts from the next row on.
 * Returns one result per row, and the code of the phone's end if it has ended.
 */
export async function replaySales(
  deps: Deps,
  { sender, sales, count }: SaleBatch,
): Promise<{ results: DoorSaleResult[]; ended?: DeviceEnd['code'] }> {
  const results: DoorSaleResult[] = []
  let current: DeviceCaller | null = sender
  for (const [index, row] of sales.entries()) {
    if (index > 0) current = await deviceAgain(deps, sender)
    results.push(await replay(deps, { sender: current, row, count: index === 0 ? async () => undefined : count }))
    await setImmediate()
  }
  return { results, ...(current && (await tellEnd(deps, current))) }
}

async function replay(
  deps: Deps,
  { sender, row, count }: Pick<SaleBatch, 'count'> & { sender: DeviceCaller | null; row: unknown },
): Promise<DoorSaleResult> {
  const key = findSaleKey(row)
  try {
    await count()
    if (!sender) throw new Refusal('UNAUTHENTICATED')
    const sale = parseInput(doorSaleSchema, row)
    return { key, success: true, status: 200, ...(await sellAtDoor(deps, { sender, sale })) }
  } catch (error) {
    const words = 'a sale at the door could not be recorded'
    const { code, facts } = rowRefusal(deps, error, { code: 'SALE_NOT_RECORDED', words })
    return doorSaleResultSchema.parse({ key, ...failureBody(code, facts), status: STATUS_OF[code] })
  }
}

interface SaleAssessment {
  flag: ScanFlag | null
  noted: boolean
}

/**
 * Decides how a sale counts, by the time at which it counts as made: a phone had no right to sell codes before they
 * existed. The desk looks at sales that a phone reports after it has ended or lost the right to sell. Sales made after
 * that are only noted.
 */
async function assessSale(
  tx: ReadTx,
  { sender, sale, at, now }: Pick<DoorSaleFacts, 'sender' | 'sale' | 'at'> & { now: Date },
): Promise<SaleAssessment> {
  const right = sale.method === 'complimentary' ? 'complimentary' : 'sell'
  const end = endOfDevice(sender.device, now)
  if ((end && at >= end.at) || !(await hadRight(tx, sender, { right, at, now }))) return { flag: null, noted: true }
  if (end) return { flag: end.code === 'DEVICE_REVOKED' ? 'revoked' : 'lapsed', noted: false }
  return { flag: hasAnyRight(sender, right) ? null : 'noRight', noted: false }
}

const findSaleKey = (row: unknown): string | null =>
  typeof row === 'object' && row !== null && 'key' in row && typeof row.key === 'string' ? row.key.slice(0, 128) : null

interface SoldAtDoor {
  outcome?: 'noted'
  order: string
  tickets: { id: string; status: TicketStatus }[]
}

/**
 * Records a sale that a phone made with codes of its blocks: the buyer has paid, and may be inside. It is one order at
 * the blocks' prices, at the time of the sale. A repeated key gets the first sale.
 *
 * A code that was taken back meanwhile (lease over, phone revoked, event closed) takes a free seat again. If none is
 * left, its ticket is kept as cancelled and the desk must look at it: money, sale and admission stay on record, and
 * nothing is oversold.
 *
 * A phone can copy codes before it loses them. So it may never sell codes it gave back itself, and of those taken back
 * it may sell as many as it may hold unsold. Without cash it sells no more than the desk has looked at or
 * UNPROVEN_TICKETS_MAX. Sales beyond that are kept without tickets for the desk to decide, as are sales that are only
 * to be noted.
 */
async function sellAtDoor(deps: Deps, { sender, sale }: Pick<DoorSaleFacts, 'sender' | 'sale'>): Promise<SoldAtDoor> {
  const sold = await deps.store.write(async (tx) => {
    const first = await findSellersOrder(tx, sender.id, sale.key)
    if (first) return repeated(tx, first, { sender, sale })
    const now = deps.now()
    if (endOfDevice(sender.device, now)) await endDeviceBlocks(deps, tx, sender.id)
    const { block, codes, since } = await codesOfSale(tx, sender, sale)
    const at = timeOfSale(sale, { since, now })
    const { flag, noted } = await assessSale(tx, { sender, sale, at, now })
    const doubt = (await findSaleDoubt(tx, { sender, sale, codes })) ?? (noted ? 'noted' : null)
    if (doubt) return keepForDesk(deps, tx, { sender, sale, block, at, kind: doubt })
    const order = await record(deps, tx, { sender, sale, block, codes, at })
    const event = await getEventFor(tx, block)
    await addSaleMatters(tx, order, { sale, event, flag, now: deps.now() })
    await admitAtOnce(deps, tx, { sender, sale, at, block, flag })
    return buildSaleAnswer(tx, order)
  })
  // Thrown after the write, because the desk's matter must be stored.
  if (sold === 'returned') throw new Refusal('CODES_RETURNED')
  return sold
}

type DoorSaleOutcome = SoldAtDoor | 'returned'

async function repeated(
  tx: ReadTx,
  order: OrderRow,
  { sender, sale: { ticketIds } }: { sender: DeviceCaller; sale: DoorSale },
): Promise<DoorSaleOutcome> {
  const codes = await findCodes(tx, ticketIds)
  const orderCodes = codes.filter(({ orderId, notedOrderId }) => orderId === order.id || notedOrderId === order.id)
  if (orderCodes.length !== ticketIds.length || orderCodes.length !== order.quantity)
    throw new Refusal('IDEMPOTENCY_KEY_REUSED', { bought: order.quantity })
  if (orderCodes.every(({ orderId }) => orderId === order.id)) return buildSaleAnswer(tx, order)
  return buildNotedAnswer(order, wasReturnedBy(sender, orderCodes))
}

const buildSaleAnswer = async (tx: ReadTx, { id, code }: OrderRow): Promise<SoldAtDoor> => ({
  order: code,
  tickets: (await ticketsOfOrder(tx, id)).map((ticket) => ({
    id: ticket.id,
    status: ticket.status === 'deleted' ? 'cancelled' : ticket.status,
  })),
})

const buildNotedAnswer = ({ code }: OrderRow, wasReturned: boolean): DoorSaleOutcome =>
  wasReturned ? 'returned' : { outcome: 'noted', order: code, tickets: [] }

const wasReturnedBy = ({ id }: DeviceCaller, codes: readonly BlockCodeRow[]): boolean =>
  codes.some(({ returnedById }) => returnedById === id)

async function findSaleDoubt(
  tx: ReadTx,
  { sender, sale, codes }: Pick<DoorSaleFacts, 'sender' | 'sale' | 'codes'>,
): Promise<'codesReturned' | 'overLimit' | null> {
  if (wasReturnedBy(sender, codes)) return 'codesReturned'
  const unlooked = sale.method === 'cash' ? 0 : codes.length + (await countUnlooked(tx, sender.id))
  if (unlooked > UNPROVEN_TICKETS_MAX) return 'overLimit'
  const late = codes.filter(({ state }) => state === 'returned').length
  return late > 0 && late + (await soldAfterReturn(tx, sender.id)) > DEVICE_CODES_MAX ? 'overLimit' : null
}

/** Stores a sale without money and tickets, so that a person can see what was claimed and settle it with the buyer. */
async function keepForDesk(
  deps: Deps,
  tx: WriteTx,
  { sender, sale, block, at, kind }: Omit<DoorSaleFacts, 'codes'> & { kind: 'codesReturned' | 'overLimit' | 'noted' },
): Promise<DoorSaleOutcome> {
  const now = deps.now()
  const made = saleByHand(sender, sale)
  const price = priceByHand(priceOfBlock(block, made.quantity), made.method)
  const ended = { state: 'cancelled', settledAt: now } as const
  const order = await insertByHand(tx, { sale: made, eventId: block.eventId, price, at }, ended)
  await markCodesNoted(tx, order.id, sale.ticketIds)
  await insertAttention(tx, {
    kind,
    dedupeKey: kind === 'noted' ? buildNotedKey(sender.id, order.id) : `${kind}:${order.id}`,
    orderId: order.id,
    amountPaise: price.totalPaise,
    detail: BLOCK.notSold(sale.ticketIds.map((id) => shortenTicketId(id)).join(', ')),
    at: now,
  })
  tx.announceChanges('evening')
  return buildNotedAnswer(order, kind === 'codesReturned')
}

/**
 * The codes in the order of the sale, the block of the first code, whose prices the phone charged, and when all
 * existed.
 */
async function codesOfSale(
  tx: ReadTx,
  sender: DeviceCaller,
  { ticketIds }: DoorSale,
): Promise<Pick<DoorSaleFacts, 'block' | 'codes'> & { since: number }> {
  const found = new Map((await findCodes(tx, ticketIds)).map((code) => [code.ticketId, code]))
  const codes = ticketIds.flatMap((id) => found.get(id) ?? [])
  const blocks = new Map<string, CodeBlockRow>()
  for (const { blockId } of codes) {
    const block = blocks.get(blockId) ?? (await findBlock(tx, blockId))
    if (block?.deviceId === sender.id) blocks.set(blockId, block)
  }
  const [first] = codes
  const block = first && blocks.get(first.blockId)
  const own = codes.length === ticketIds.length && codes.every(({ blockId }) => blocks.has(blockId))
  const events = new Set(Array.from(blocks.values(), ({ eventId }) => eventId))
  if (!block || !own || events.size !== 1) throw new Refusal('TICKET_NOT_FOUND')
  const unavailable = codes.filter(({ state, notedOrderId }) => state === 'sold' || notedOrderId !== null)
  if (unavailable.length > 0)
    throw new Refusal('CODES_NOT_LEFT', { numbers: unavailable.map(({ number }) => number).join(', ') })
  const typed = codes.map((code) => ({ ...code, typeId: blocks.get(code.blockId)?.typeId ?? block.typeId }))
  return {
    block,
    codes: typed,
    since: Math.max(...Array.from(blocks.values(), ({ createdAt }) => createdAt.getTime())),
  }
}

/** The phone's corrected time, but not before the codes were made or after the sale arrived. */
const timeOfSale = ({ soldAt, clockOffset = 0 }: DoorSale, { since, now }: { since: number; now: Date }): Date =>
  new Date(Math.min(now.getTime(), Math.max(since, Date.parse(soldAt) + clockOffset)))

const priceOfBlock = (block: CodeBlockRow, quantity: number): SalePrice =>
  priceOfType(quotePrice({ quantity, ...block }), { ...block, quantity })

interface DoorSaleFacts {
  sender: DeviceCaller
  sale: DoorSale
  block: CodeBlockRow
  codes: readonly SoldCode[]
  at: Date
}

/** A code with the type whose seat its block has taken, whichever block the price is from. */
type SoldCode = BlockCodeRow & Pick<CodeBlockRow, 'typeId'>

function buildSaleLines(codes: readonly SoldCode[], unitPaise: number): StoredLine[] {
  const lines: StoredLine[] = []
  for (const { typeId } of codes) {
    const last = lines.at(-1)
    if (last?.typeId === typeId) Object.assign(last, { quantity: last.quantity + 1, seats: last.seats + 1 })
    else lines.push({ typeId, quantity: 1, seats: 1, unitPaise })
  }
  return lines
}

async function record(deps: Deps, tx: WriteTx, { sender, sale, block, codes, at }: DoorSaleFacts): Promise<OrderRow> {
  const { eventId } = block
  const made = saleByHand(sender, sale)
  const { quantity, seller, method } = made
  const signed = codes.map(({ ticketId, qrCode }) => ({ id: ticketId, qrCode }))
  const full = priceOfBlock(block, quantity)
  const price = priceByHand({ ...full, lines: buildSaleLines(codes, full.unitPaise) }, method)
  const { note } = getSaleSeller(sender, sale)
  const drawer =
    method === 'cash' && note === undefined ? await drawerAt(tx, { ...sender, name: seller.name }, at) : undefined
  const order = await recordSale(deps, tx, {
    sale: { ...made, drawerId: drawer?.id ?? null },
    eventId,
    price,
    signed,
    at,
    action: 'block.sold',
    note,
  })
  const unseated = await seatsMissing(tx, block, codes)
  const rows = await ticketsFor(tx, order, { eventId, signed, createdAt: at })
  const tickets = rows.map((row) => (unseated.has(row.id) ? withoutSeat(row, deps.now()) : row))
  await insertTickets(tx, tickets)
  await markCodesSold(tx, order.id, listIds(signed))
  if (unseated.size > 0)
    await addOrderMatter(tx, order, {
      kind: 'noSeat',
      paise: price.unitPaise * unseated.size,
      detail: BLOCK.noSeat(unseated.size, quantity, seller.name),
      at: deps.now(),
    })
  await enterSold(tx, { tickets, by: seller, now: deps.now() })
  return order
}

const saleByHand = (sender: DeviceCaller, sale: DoorSale): SaleByHand => ({
  seller: { id: sender.id, name: getSaleSeller(sender, sale).name },
  drawerId: null,
  channel: 'door',
  idempotencyKey: sale.key,
  quantity: sale.ticketIds.length,
  method: sale.method,
  name: sale.name ?? BLOCK.atDoor,
  phone: sale.phone,
  reference: sale.reference,
  reason: sale.reason ?? (sale.method === 'complimentary' ? BLOCK.atDoor : undefined),
})

/**
 * The seller the phone names. A phone cannot speak for a name that had no shift on it: such a sale counts as the
 * phone's own, without a drawer, and the audit trail keeps the name.
 */
function getSaleSeller(sender: DeviceCaller, { checkerName }: DoorSale): { name: string; note?: string } {
  const { name, shiftName, shiftNames } = sender.device
  if (checkerName === undefined) return { name: sender.name }
  const known = [name, shiftName ?? name, ...shiftNames].some((one) => foldText(one) === foldText(checkerName))
  return known ? { name: checkerName } : { name, note: BLOCK.noShift(checkerName) }
}

/** What the desk looks at. Lists of money show the current event, so nobody would see money of a closed one. */
async function addSaleMatters(
  tx: WriteTx,
  order: OrderRow,
  {
    sale,
    event,
    flag,
    now: at,
  }: Pick<DoorSaleFacts, 'sale'> & Pick<SaleAssessment, 'flag'> & { event: EventRow; now: Date },
): Promise<void> {
  const { quantity, sellerName, lines, createdAt } = order
  const seller = sellerName ?? ''
  if (flag) await addOrderMatter(tx, order, { kind: 'phoneEnded', detail: BLOCK.phoneEnded(quantity, seller), at })
  else if (isEventClosed(event)) {
    const detail = BLOCK.afterClosing(quantity, ORDER.methods[sale.method])
    await addOrderMatter(tx, order, { kind: 'afterClosing', detail, at })
  }
  const facts = { now: createdAt.getTime(), remaining: 1, isOver: false }
  const types = event.types.filter((type) => lines.some(({ typeId }) => typeId === type.id))
  if (!hasSeveralTypes(event) || (lines.length === 1 && types.every((type) => findTypeState(type, facts) === 'onSale')))
    return
  const names = types.map(({ name }) => name.en).join(', ')
  await addOrderMatter(tx, order, {
    kind: 'typeNotOnSale',
    detail: BLOCK.typeNotOnSale(quantity, { types: names, seller }),
    at,
  })
}

async function seatsMissing(tx: WriteTx, block: CodeBlockRow, codes: readonly SoldCode[]): Promise<Set<string>> {
  const missing = new Set<string>()
  for (const { ticketId, typeId, state } of codes)
    if (state === 'returned' && (await takeSeats(tx, { id: block.eventId }, [{ typeId, seats: 1 }])) === null)
      missing.add(ticketId)
  return missing
}

const withoutSeat = (row: TicketRow, now: Date): TicketRow => ({
  ...row,
  status: 'cancelled',
  cancelledAt: now,
  cancellationReason: BLOCK.noSeatReason,
  updatedAt: now,
})

type SaleAdmission = Omit<DoorSaleFacts, 'codes'> & Pick<SaleAssessment, 'flag'>

/**
 * Admits buyers who went in right after buying, if the phone had the right to scan at that time. Scans that arrived
 * before the sale are found by their ids; an undone scan admits no one.
 */
async function admitAtOnce(deps: Deps, tx: WriteTx, { sender, sale, at, block, flag }: SaleAdmission): Promise<void> {
  if (sale.scanIds === undefined || !(await hadRight(tx, sender, { right: 'scan', at, now: deps.now() }))) return
  const event = await getEventFor(tx, block)
  const checker = { id: sender.id, name: getSaleSeller(sender, sale).name }
  for (const [index, ticketId] of sale.ticketIds.entries()) {
    const scanId = sale.scanIds[index] ?? randomUUID()
    if ((await findScan(tx, scanId))?.undoneAt) continue
    const scan = {
      scanId,
      code: { type: 'genuine' as const, ticketId, block: true as const },
      event,
      admittedOffline: true,
      // Phones with earlier versions do not report where they sold.
      gate: sale.gate === undefined ? sender.device.gate : sale.gate,
      device: { id: sender.id, name: sender.device.name },
      checker,
      sender: { id: sender.id, name: sender.name },
      deviceTime: new Date(sale.soldAt),
      claimed: at,
      receivedAt: deps.now(),
      timezone: deps.settings.timezone,
    }
    await admitWithin(tx, scan, flag)
  }
}

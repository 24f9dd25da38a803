import { randomUUID } from 'node:crypto'
import type { DeskMethod } from '@garba/shared/contracts/names'
import type { Order } from '@garba/shared/contracts/order'
import type { Block, CodeRange } from '@garba/shared/contracts/phones/block'
import { last8 } from '@garba/shared/messages/common'
import { timeText } from '@garba/shared/messages/formats'
import { BLOCK, dayText } from '@garba/shared/messages/gate'
import { toRupees } from '@garba/shared/rules/money'
import { saleState } from '@garba/shared/rules/orders/sale'
import { quote } from '@garba/shared/rules/pricing'
import { sheetPdf } from '../../paper/sheet.ts'
import { orRefuse, Refusal, wrongField } from '../../refusal.ts'
import {
  type BlockCodeRow,
  blocksOf,
  type CodeBlockRow,
  codesOf,
  findBlock,
  insertBlock,
  returnCodes,
  sellCodes,
} from '../../store/codeBlocks.ts'
import { idFor, idsOf, newId, type ReadTx, timeOfId, type WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, findEvent } from '../../store/events.ts'
import { claimRequest } from '../../store/knownRequests.ts'
import { findSellersOrder, type OrderRow, ordersById } from '../../store/orders.ts'
import { insertTickets } from '../../store/tickets.ts'
import { aboutBlock, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { endOf, openEventOf } from '../event/readEvent.ts'
import { openDrawer } from '../money/drawers.ts'
import { orderView, rowsOf } from '../money/orders/orderRows.ts'
import { priceByHand, recordSale } from '../money/orders/recordSale.ts'
import { isSameSale, requireMethod } from '../money/orders/sellAtDesk.ts'
import { enterSold, type SignedId, signIds, ticketsFor } from '../tickets/issueTickets.ts'
import { takeSeatsOf } from '../tickets/sellTickets.ts'

interface BlockRows {
  block: CodeBlockRow
  /** The codes, ordered by number. */
  codes: readonly BlockCodeRow[]
  /** The orders that sold them, newest first. */
  orders: readonly OrderRow[]
}

/** Numbers as ranges, in the order given. */
function rangesOf(codes: readonly Pick<BlockCodeRow, 'number'>[]): CodeRange[] {
  const ranges: CodeRange[] = []
  for (const { number } of codes) {
    const last = ranges.at(-1)
    if (last?.to === number - 1) last.to = number
    else ranges.push({ from: number, to: number })
  }
  return ranges
}

const inState = (codes: readonly BlockCodeRow[], state: BlockCodeRow['state']) =>
  codes.filter((code) => code.state === state)

/** A block for the desk, without its codes. */
function blockView({ block, codes, orders }: BlockRows): Block {
  const left = inState(codes, 'allotted')
  return {
    id: block.id,
    kind: block.kind,
    label: block.label,
    size: block.size,
    sold: inState(codes, 'sold').length,
    left: left.length,
    leftRanges: rangesOf(left),
    returned: inState(codes, 'returned').length,
    price: toRupees(block.ticketPricePaise),
    groupPrice: block.groupPricePaise === null ? null : toRupees(block.groupPricePaise),
    createdAt: block.createdAt.toISOString(),
    createdBy: block.createdByName,
    leaseUntil: block.leaseUntil?.toISOString() ?? null,
    orders: orders.map(({ id, code, buyerName, createdAt, totalPaise }) => ({
      code,
      name: buyerName,
      numbers: rangesOf(codes.filter(({ orderId }) => orderId === id)),
      at: createdAt.toISOString(),
      total: toRupees(totalPaise),
    })),
  }
}

async function blockRowsOf(tx: ReadTx, block: CodeBlockRow): Promise<BlockRows> {
  const codes = await codesOf(tx, block.id)
  const ids = new Set(codes.flatMap(({ orderId }) => orderId ?? []))
  return { block, codes, orders: await ordersById(tx, [...ids]) }
}

/** A block on paper. Refuses with BLOCK_NOT_FOUND. */
export async function paperBlock(tx: ReadTx, id: string): Promise<CodeBlockRow> {
  const block = await findBlock(tx, id)
  if (block?.kind !== 'paper') throw new Refusal('BLOCK_NOT_FOUND')
  return block
}

/** The blocks of the current event, newest first. */
export const listBlocks = ({ store }: Pick<Deps, 'store'>): Promise<Block[]> =>
  store.read(async (tx) => {
    const event = await findEvent(tx)
    const blocks = event ? await blocksOf(tx, event.id) : []
    return Array.fromAsync(blocks, async (block) => blockView(await blockRowsOf(tx, block)))
  })

/**
 * The paper tickets of a block to print and cut, without returned ones. Refuses with BLOCK_NOT_FOUND or EVENT_CLOSED.
 */
export async function blockSheet(
  { store }: Pick<Deps, 'store'>,
  id: string,
): Promise<{ name: string; pdf: Uint8Array<ArrayBuffer> }> {
  const { block, event, codes } = await store.read(async (tx) => {
    const block = await paperBlock(tx, id)
    return { block, event: await openEventOf(tx, block), codes: await codesOf(tx, id) }
  })
  const pdf = await sheetPdf({
    title: event.name,
    lines: [`${dayText(event.date)}, ${timeText(event.startTime, 'en')}`, event.venue],
    label: block.label,
    tickets: codes.filter(({ state }) => state !== 'returned'),
  })
  return { name: `paper-tickets-${last8(id)}.pdf`, pdf }
}

interface PaperBlock {
  admin: Pick<Caller, 'id' | 'name'>
  label: string
  size: number
  /** A request repeated with its key gets the first block. */
  idempotencyKey?: string | null
}

/**
 * Signs codes for paper tickets. They take seats at once, so that paper tickets are never oversold, and admit no one
 * until they are activated. Refuses with EVENT_NOT_FOUND, SALES_CLOSED, SOLD_OUT or IDEMPOTENCY_KEY_REUSED.
 */
export async function makeBlock(deps: Deps, { admin, label, size, idempotencyKey: key }: PaperBlock): Promise<Block> {
  const event = await deps.store.read((tx) => eventOfBlocks(deps, tx))
  const signed = await signIds(deps, { eventId: event.id, quantity: size, block: true })
  // The id follows from the key, so that a repeated request finds its own block among others like it.
  const request = `block ${admin.id} ${key ?? randomUUID()}`
  return deps.store.write(async (tx) => {
    const asking = { call: 'makeBlock', userId: admin.id, key, asked: [label, size] }
    if (!(await claimRequest(tx, asking, deps.now()))) {
      const all = await blocksOf(tx, event.id)
      // Ids of blocks made by earlier versions do not follow from the key.
      const isLike = (block: CodeBlockRow) =>
        block.createdById === admin.id && block.label === label && block.size === size && block.kind === 'paper'
      const made = all.find(({ id }) => id === idFor(request, timeOfId(id))) ?? all.find(isLike)
      if (made) return blockView(await blockRowsOf(tx, made))
    }
    const maker = { createdById: admin.id, createdByName: admin.name }
    const block = await allot(deps, tx, {
      event,
      signed,
      request,
      facts: { kind: 'paper', label, deviceId: null, leaseUntil: null, ...maker },
    })
    return blockView(await blockRowsOf(tx, block))
  })
}

/** The event that blocks are made for. Refuses with EVENT_NOT_FOUND or SALES_CLOSED. */
export async function eventOfBlocks({ now, settings }: Deps, tx: ReadTx): Promise<EventRow> {
  const event = orRefuse(await findEvent(tx), 'EVENT_NOT_FOUND')
  const endsAt = endOf(event, settings.timezone).getTime()
  if (saleState({ endsAt, remaining: 1 }, now().getTime()) === 'over') throw new Refusal('SALES_CLOSED')
  return event
}

type Facts = Pick<CodeBlockRow, 'kind' | 'label' | 'deviceId' | 'leaseUntil' | 'createdById' | 'createdByName'>

interface Allotting {
  event: EventRow
  signed: readonly SignedId[]
  facts: Facts
  /** The block's id follows from it. */
  request?: string
}

/**
 * Writes a block with its seats. Refuses with SOLD_OUT, or with UNAVAILABLE when the event changed while the codes were
 * signed.
 */
export async function allot(
  deps: Deps,
  tx: WriteTx,
  { event: expected, signed, facts, request }: Allotting,
): Promise<CodeBlockRow> {
  const event = await eventOfBlocks(deps, tx)
  if (event.id !== expected.id) throw new Refusal('UNAVAILABLE')
  await takeSeatsOf(tx, event, signed.length)
  const createdAt = deps.now()
  const { ticketPricePaise, groupPricePaise } = event
  const block = {
    id: request === undefined ? newId(createdAt) : idFor(request, createdAt),
    eventId: event.id,
    size: signed.length,
    ticketPricePaise,
    groupPricePaise,
    createdAt,
    endedAt: null,
    ...facts,
  }
  await insertBlock(tx, block, signed)
  tx.announce('roster', 'evening')
  const actor = { id: facts.createdById, name: facts.createdByName }
  const detail = BLOCK.made(facts.kind, signed.length)
  await audited(tx, { at: createdAt, action: 'block.made', actor, subject: aboutBlock(block), detail })
  return block
}

interface Range {
  admin: Pick<Caller, 'id' | 'name'>
  id: string
  /** Numbers within the block, both included. */
  from: number
  to: number
}
interface Activating extends Range {
  method: DeskMethod
  name?: string | undefined
  reason?: string | undefined
  reference?: string | undefined
  /** The earlier name of `reference`, for UPI alone. */
  utr?: string | undefined
  /** A request repeated with its key gets the first sale. */
  idempotencyKey?: string | null
}

/**
 * Sells a range of paper tickets as one order: its tickets are made now, on the seats that the block took, at the
 * block's prices. Refuses, and changes nothing, with BLOCK_NOT_FOUND, EVENT_CLOSED, VALIDATION_FAILED for numbers
 * outside the block or a method that the desk does not accept, CODES_NOT_LEFT, NO_OPEN_DRAWER for cash,
 * IDEMPOTENCY_KEY_REUSED, or UTR_USED.
 */
export function activateCodes(deps: Deps, activating: Activating): Promise<{ order: Order; block: Block }> {
  const { admin, id, from, to, method, name, reason, reference, utr, idempotencyKey = null } = activating
  requireMethod(deps, method)
  return deps.store.write(async (tx) => {
    const block = await paperBlock(tx, id)
    const asked = {
      quantity: to - from + 1,
      method,
      name: name ?? block.label,
      reason,
      reference: reference ?? (method === 'upi' ? utr : undefined),
    }
    const first = await firstSale(tx, activating, asked)
    if (first) return answerOf(deps, tx, first, block)
    await openEventOf(tx, block)
    const codes = await codesLeft(tx, block, { from, to })
    const at = deps.now()
    const signed = codes.map(({ ticketId, qrCode }) => ({ id: ticketId, qrCode }))
    const sale = {
      seller: admin,
      drawerId: method === 'cash' ? (await openDrawer(tx, admin)).id : null,
      channel: 'desk' as const,
      idempotencyKey: idempotencyKey ?? newId(at),
      ...asked,
    }
    const price = priceByHand(quote({ quantity: codes.length, ...block }), method)
    const { eventId } = block
    const order = await recordSale(deps, tx, { sale, eventId, price, signed, at, action: 'block.sold' })
    const tickets = await ticketsFor(tx, order, { eventId, signed, createdAt: at, kind: 'paper' })
    await insertTickets(tx, tickets)
    await sellCodes(tx, order.id, idsOf(signed))
    await enterSold(tx, { tickets, by: admin, now: at })
    return answerOf(deps, tx, order, block)
  })
}

const answerOf = async ({ settings }: Deps, tx: ReadTx, order: OrderRow, block: CodeBlockRow) => ({
  order: orderView(await rowsOf(tx, order), settings.payments),
  block: blockView(await blockRowsOf(tx, block)),
})

/** The sale that was made with this key. Refuses with IDEMPOTENCY_KEY_REUSED if something else was asked for with it. */
async function firstSale(
  tx: ReadTx,
  { admin, id, from, to, idempotencyKey: key }: Activating,
  asked: Parameters<typeof isSameSale>[2],
): Promise<OrderRow | undefined> {
  const order = key ? await findSellersOrder(tx, admin.id, key) : undefined
  if (!order) return undefined
  const sold = (await codesOf(tx, id)).filter(({ orderId }) => orderId === order.id)
  const areSame = sold.length === asked.quantity && sold.every(({ number }) => number >= from && number <= to)
  if (!areSame || !(await isSameSale(tx, order, asked)))
    throw new Refusal('IDEMPOTENCY_KEY_REUSED', { bought: order.quantity })
  return order
}

/**
 * Takes back a range of unsold paper tickets; the same range again changes nothing. Refuses as `activateCodes` does.
 */
export const returnPaper = (deps: Deps, { admin, id, from, to }: Range): Promise<Block> =>
  deps.store.write(async (tx) => {
    const block = await paperBlock(tx, id)
    await openEventOf(tx, block)
    const codes = await codesOf(tx, id)
    const range = codes.filter(({ number }) => number >= from && number <= to)
    if (range.length > 0 && range.every(({ returnedById, state }) => state === 'returned' && returnedById === admin.id))
      return blockView(await blockRowsOf(tx, block))
    await codesLeft(tx, block, { from, to })
    const at = deps.now()
    await returnCodes(tx, block, { from, to, at, byId: admin.id })
    tx.announce('roster', 'evening')
    const detail = BLOCK.numbers({ from, to })
    await audited(tx, { at, action: 'block.returned', actor: admin, subject: aboutBlock(block), detail })
    return blockView(await blockRowsOf(tx, block))
  })

/** The codes of a range, all unsold and not returned. */
async function codesLeft(
  tx: ReadTx,
  { id, size }: CodeBlockRow,
  { from, to }: { from: number; to: number },
): Promise<BlockCodeRow[]> {
  if (to > size) throw wrongField('to', BLOCK.range)
  const codes = (await codesOf(tx, id)).filter(({ number }) => number >= from && number <= to)
  const unavailable = rangesOf(codes.filter(({ state }) => state !== 'allotted'))
  if (unavailable.length > 0)
    throw new Refusal('CODES_NOT_LEFT', { numbers: unavailable.map((range) => BLOCK.numbers(range)).join(', ') })
  return codes
}

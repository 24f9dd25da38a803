import { randomUUID } from 'node:crypto'
import type { CallInput } from '@garba/shared/calls/calls'
import type { Order } from '@garba/shared/contracts/order'
import type { Block, CodeRange } from '@garba/shared/contracts/phones/block'
import { shortenTicketId } from '@garba/shared/messages/common'
import { TYPE_FORM } from '@garba/shared/messages/eventForm'
import { timeText } from '@garba/shared/messages/formats'
import { BLOCK, dayText } from '@garba/shared/messages/gate'
import { toRupees } from '@garba/shared/rules/money'
import { quotePrice } from '@garba/shared/rules/pricing'
import { findPhase, hasSeveralTypes, pickShownType, type TicketType } from '@garba/shared/rules/types/ticketTypes'
import { sheetPdf } from '../../paper/sheet.ts'
import { orRefuse, Refusal, wrongField } from '../../refusal.ts'
import {
  type BlockCodeRow,
  type BlockCodeState,
  type CodeBlockRow,
  findBlock,
  insertBlock,
  listBlockCodes,
  listCodesOfBlocks,
  listEventBlocks,
  markCodesSold,
  takeBackCodes,
} from '../../store/codeBlocks.ts'
import { findPairedDevice } from '../../store/devices.ts'
import { idFor, listIds, newId, type ReadTx, timeOfId, type WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, findEvent, findEventById } from '../../store/events.ts'
import { claimRequest } from '../../store/knownRequests.ts'
import { findSellersOrder, type OrderRow, type OrderSummary, summariseOrders } from '../../store/orders.ts'
import { insertTickets } from '../../store/tickets.ts'
import { getFirstType, readTypeSeats } from '../../store/typeSeats.ts'
import { aboutBlock, auditChange } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { requireOpenEvent, requireSelling } from '../event/readEvent.ts'
import { openDrawer } from '../money/drawers.ts'
import { orderView, readOrderRows } from '../money/orders/orderRows.ts'
import { priceByHand, recordSale } from '../money/orders/recordSale.ts'
import { isSameSale, requireMethod } from '../money/orders/sellAtDesk.ts'
import { enterSold, type SignedId, signIds, ticketsFor } from '../tickets/issueTickets.ts'
import { heldType } from '../tickets/readTickets.ts'
import { isOfferedType, priceOfType, type SalePrice } from '../tickets/saleLines.ts'
import { takeSeatsOrRefuse } from '../tickets/sellTickets.ts'

interface BlockRows {
  block: CodeBlockRow
  event: EventRow | undefined
  /** The moment its phone ends; null if that is with the event, and on paper. */
  until: Date | null
  codes: readonly BlockCodeState[]
  orders: ReadonlyMap<string, OrderSummary>
}

function buildCodeRanges(codes: readonly Pick<BlockCodeRow, 'number'>[]): CodeRange[] {
  const ranges: CodeRange[] = []
  for (const { number } of codes) {
    const last = ranges.at(-1)
    if (last?.to === number - 1) last.to = number
    else ranges.push({ from: number, to: number })
  }
  return ranges
}

const inState = (codes: readonly BlockCodeState[], state: BlockCodeRow['state']) =>
  codes.filter((code) => code.state === state)

export const typeOfBlock = ({ typeId }: CodeBlockRow, event: EventRow | undefined): Pick<Block, 'type'> =>
  event && hasSeveralTypes(event) ? { type: { id: typeId, name: heldType(event, typeId).name } } : {}

function blockView({ block, event, until, codes, orders }: BlockRows): Block {
  const left = inState(codes, 'allotted')
  const byOrder = Map.groupBy(codes, (code) => code.orderId)
  const sold = [...byOrder.keys()].flatMap((id) => orders.get(id ?? '') ?? [])
  return {
    id: block.id,
    kind: block.kind,
    label: block.label,
    size: block.size,
    sold: inState(codes, 'sold').length,
    left: left.length,
    leftRanges: buildCodeRanges(left),
    returned: inState(codes, 'returned').length,
    ...typeOfBlock(block, event),
    price: toRupees(block.ticketPricePaise),
    groupPrice: block.groupPricePaise === null ? null : toRupees(block.groupPricePaise),
    createdAt: block.createdAt.toISOString(),
    createdBy: block.createdByName,
    leaseUntil: until?.toISOString() ?? null,
    orders: sold
      .toSorted((a, b) => (a.id < b.id ? 1 : -1))
      .map(({ id, code, buyerName, createdAt, totalPaise }) => ({
        code,
        name: buyerName,
        numbers: buildCodeRanges(byOrder.get(id) ?? []),
        at: createdAt.toISOString(),
        total: toRupees(totalPaise),
      })),
  }
}

/** All blocks together: a read for each took most of the list's time. */
async function readBlockViews(tx: ReadTx, blocks: readonly CodeBlockRow[]): Promise<Block[]> {
  const codes = await listCodesOfBlocks(tx, listIds(blocks))
  const ids = new Set(codes.flatMap(({ orderId }) => orderId ?? []))
  const orders = new Map((await summariseOrders(tx, [...ids])).map((order) => [order.id, order]))
  const byBlock = Map.groupBy(codes, ({ blockId }) => blockId)
  const events = new Map<string, EventRow | undefined>()
  for (const { eventId } of blocks) if (!events.has(eventId)) events.set(eventId, await findEventById(tx, eventId))
  return Array.fromAsync(blocks, async (block) => {
    const phone = block.deviceId === null ? undefined : await findPairedDevice(tx, block.deviceId)
    const [event, own] = [events.get(block.eventId), byBlock.get(block.id) ?? []]
    return blockView({ block, event, until: phone?.until ?? null, codes: own, orders })
  })
}

async function readBlockView(tx: ReadTx, block: CodeBlockRow): Promise<Block> {
  const [view] = await readBlockViews(tx, [block])
  if (!view) throw new RangeError(`Block ${block.id} has no view`)
  return view
}

export async function paperBlock(tx: ReadTx, id: string): Promise<CodeBlockRow> {
  const block = await findBlock(tx, id)
  if (block?.kind !== 'paper') throw new Refusal('BLOCK_NOT_FOUND')
  return block
}

export const listBlocks = ({ store }: Pick<Deps, 'store'>): Promise<Block[]> =>
  store.read(async (tx) => {
    const event = await findEvent(tx)
    return readBlockViews(tx, event ? await listEventBlocks(tx, event.id) : [])
  })

export async function blockSheet(
  { store }: Pick<Deps, 'store'>,
  id: string,
): Promise<{ name: string; pdf: Uint8Array<ArrayBuffer> }> {
  const { block, event, codes } = await store.read(async (tx) => {
    const block = await paperBlock(tx, id)
    return { block, event: await requireOpenEvent(tx, block), codes: await listBlockCodes(tx, id) }
  })
  const type = pickShownType(heldType(event, block.typeId), 'en')
  const pdf = await sheetPdf({
    title: event.name,
    lines: [
      ...(type === null ? [] : [type]),
      `${dayText(event.date)}, ${timeText(event.startTime, 'en')}`,
      event.venue,
    ],
    label: block.label,
    tickets: codes.filter(({ state }) => state !== 'returned'),
  })
  return { name: `paper-tickets-${shortenTicketId(id)}.pdf`, pdf }
}

interface PaperBlock {
  admin: Pick<Caller, 'id' | 'name'>
  label: string
  size: number
  type?: string | undefined
  idempotencyKey?: string | null
}

/**
 * Signs codes for paper tickets. They take seats at once, so paper is never oversold, and admit no one until activated.
 */
export async function makeBlock(deps: Deps, making: PaperBlock): Promise<Block> {
  const { admin, label, size, type, idempotencyKey: key } = making
  const event = await deps.store.read((tx) => eventOfBlocks(deps, tx))
  const signed = await signIds(deps, { eventId: event.id, quantity: size, block: true })
  // The id follows from the key, so that a repeated request finds its own block among others like it.
  const request = `block ${admin.id} ${key ?? randomUUID()}`
  return deps.store.write(async (tx) => {
    const asking = {
      call: 'makeBlock',
      userId: admin.id,
      key,
      asked: [label, size, ...(type === undefined ? [] : [type])],
    }
    if (!(await claimRequest(tx, asking, deps.now()))) {
      const all = await listEventBlocks(tx, event.id)
      const made = all.find(({ id }) => id === idFor(request, timeOfId(id)))
      if (made) return await readBlockView(tx, made)
    }
    const maker = { createdById: admin.id, createdByName: admin.name }
    const block = await allotCodes(deps, tx, {
      event,
      signed,
      request,
      typeId: type,
      facts: { kind: 'paper', label, deviceId: null, ...maker },
    })
    return readBlockView(tx, block)
  })
}

export async function eventOfBlocks({ now, settings }: Deps, tx: ReadTx): Promise<EventRow> {
  const event = orRefuse(await findEvent(tx), 'EVENT_NOT_FOUND')
  requireSelling(event, { now: now(), timezone: settings.timezone })
  return event
}

type Facts = Pick<CodeBlockRow, 'kind' | 'label' | 'deviceId' | 'createdById' | 'createdByName'>

interface AllotmentRequest {
  event: EventRow
  signed: readonly SignedId[]
  facts: Facts
  request?: string
  typeId?: string | undefined
}

/** A code of a block lets one person in, so a block is of a type that does. */
function chooseBlockType(event: EventRow, typeId: string | undefined): TicketType {
  const type = typeId === undefined ? getFirstType(event) : event.types.find(({ id }) => id === typeId)
  if (!type) throw wrongField('type', TYPE_FORM.unknownType)
  if (type.admits > 1) throw wrongField('type', BLOCK.singleType)
  return type
}

/** Refuses with UNAVAILABLE if the event changed while the codes were signed. */
export async function allotCodes(
  deps: Deps,
  tx: WriteTx,
  { event: expected, signed, facts, request, typeId }: AllotmentRequest,
): Promise<CodeBlockRow> {
  const event = await eventOfBlocks(deps, tx)
  if (event.id !== expected.id) throw new Refusal('UNAVAILABLE')
  const type = chooseBlockType(event, typeId)
  const createdAt = deps.now()
  const sellsAll = facts.kind === 'paper' || !hasSeveralTypes(event)
  if (!sellsAll && !isOfferedType(type, { code: null, now: createdAt })) throw new Refusal('TYPE_NOT_ON_SALE')
  const seats = (await readTypeSeats(tx, event))(type.id)
  const phase = findPhase(type, { seats, quantity: signed.length, now: createdAt.getTime() })
  await takeSeatsOrRefuse(tx, event, [{ typeId: type.id, seats: signed.length }])
  const block = {
    id: request === undefined ? newId(createdAt) : idFor(request, createdAt),
    eventId: event.id,
    size: signed.length,
    typeId: type.id,
    ticketPricePaise: phase.pricePaise,
    groupPricePaise: phase.groupPaise,
    createdAt,
    endedAt: null,
    ...facts,
  }
  await insertBlock(tx, block, signed)
  tx.announceChanges('roster', 'evening')
  const actor = { id: facts.createdById, name: facts.createdByName }
  const detail = BLOCK.made(facts.kind, signed.length)
  await auditChange(tx, { at: createdAt, action: 'block.made', actor, subject: aboutBlock(block), detail })
  return block
}

interface Range {
  admin: Pick<Caller, 'id' | 'name'>
  id: string
  from: number
  to: number
}
type ActivationRequest = CallInput<'activateBlock'> & Range & { idempotencyKey?: string | null }

/** Sells a range of paper tickets as one order. Its tickets are made now, on the block's seats and at its prices. */
export function activateCodes(deps: Deps, activating: ActivationRequest): Promise<{ order: Order; block: Block }> {
  const { admin, id, from, to, method, singly = false, name, reason, reference, idempotencyKey = null } = activating
  requireMethod(deps, method)
  return deps.store.write(async (tx) => {
    const block = await paperBlock(tx, id)
    const asked = { quantity: to - from + 1, method, name: name ?? block.label, reason, reference }
    const price = priceByHand(priceOfRange(block, { quantity: asked.quantity, singly }), method)
    const first = await firstSale(tx, activating, { ...asked, price })
    if (first) return buildActivationAnswer(deps, tx, first, block)
    await requireOpenEvent(tx, block)
    const codes = await codesLeft(tx, block, { from, to })
    const at = deps.now()
    const signed = codes.map(({ ticketId, qrCode, number }) => ({
      id: ticketId,
      qrCode,
      paperNumber: number,
      paperBlockId: id,
    }))
    const sale = {
      seller: admin,
      drawerId: method === 'cash' ? (await openDrawer(tx, admin)).id : null,
      channel: 'desk' as const,
      idempotencyKey: idempotencyKey ?? newId(at),
      ...asked,
    }
    const { eventId } = block
    const order = await recordSale(deps, tx, { sale, eventId, price, signed, at, action: 'block.sold' })
    const tickets = await ticketsFor(tx, order, { eventId, signed, createdAt: at, kind: 'paper' })
    await insertTickets(tx, tickets)
    await markCodesSold(tx, order.id, listIds(signed))
    await enterSold(tx, { tickets, by: admin, now: at })
    return buildActivationAnswer(deps, tx, order, block)
  })
}

const priceOfRange = (block: CodeBlockRow, { quantity, singly }: { quantity: number; singly: boolean }): SalePrice =>
  priceOfType(quotePrice({ quantity, ...block, ...(singly && { groupPricePaise: null }) }), { ...block, quantity })

const buildActivationAnswer = async ({ settings }: Deps, tx: ReadTx, order: OrderRow, block: CodeBlockRow) => ({
  order: orderView(await readOrderRows(tx, order), settings.payments),
  block: await readBlockView(tx, block),
})

async function firstSale(
  tx: ReadTx,
  { admin, id, from, to, idempotencyKey: key }: ActivationRequest,
  { price, ...asked }: Parameters<typeof isSameSale>[2] & { price: Pick<SalePrice, 'totalPaise'> },
): Promise<OrderRow | undefined> {
  const order = key ? await findSellersOrder(tx, admin.id, key) : undefined
  if (!order) return undefined
  const sold = (await listBlockCodes(tx, id)).filter(({ orderId }) => orderId === order.id)
  const areSame = sold.length === asked.quantity && sold.every(({ number }) => number >= from && number <= to)
  // The same numbers as a group and one by one are two sales.
  if (!areSame || order.totalPaise !== price.totalPaise || !(await isSameSale(tx, order, asked)))
    throw new Refusal('IDEMPOTENCY_KEY_REUSED', { bought: order.quantity })
  return order
}

export const returnPaper = (deps: Deps, { admin, id, from, to }: Range): Promise<Block> =>
  deps.store.write(async (tx) => {
    const block = await paperBlock(tx, id)
    await requireOpenEvent(tx, block)
    const codes = await listBlockCodes(tx, id)
    const range = codes.filter(({ number }) => number >= from && number <= to)
    if (range.length > 0 && range.every(({ returnedById, state }) => state === 'returned' && returnedById === admin.id))
      return readBlockView(tx, block)
    await codesLeft(tx, block, { from, to })
    const at = deps.now()
    await takeBackCodes(tx, block, { from, to, at, byId: admin.id })
    tx.announceChanges('roster', 'evening')
    const detail = BLOCK.numbers({ from, to })
    await auditChange(tx, { at, action: 'block.returned', actor: admin, subject: aboutBlock(block), detail })
    return readBlockView(tx, block)
  })

async function codesLeft(
  tx: ReadTx,
  { id, size }: CodeBlockRow,
  { from, to }: { from: number; to: number },
): Promise<BlockCodeRow[]> {
  if (to > size) throw wrongField('to', BLOCK.range)
  const codes = (await listBlockCodes(tx, id)).filter(({ number }) => number >= from && number <= to)
  const unavailable = buildCodeRanges(codes.filter(({ state }) => state !== 'allotted'))
  if (unavailable.length > 0)
    throw new Refusal('CODES_NOT_LEFT', { numbers: unavailable.map((range) => BLOCK.numbers(range)).join(', ') })
  return codes
}

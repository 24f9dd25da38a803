import type { Block, CodeRange } from '@garba/shared/contracts/phones/block'
import { last8 } from '@garba/shared/messages/common'
import { timeText } from '@garba/shared/messages/formats'
import { dayText } from '@garba/shared/messages/gate'
import { toRupees } from '@garba/shared/rules/money'
import { sheetPdf } from '../../paper/sheet.ts'
import { Refusal } from '../../refusal.ts'
import { type BlockCodeRow, blocksOf, type CodeBlockRow, codesOf, findBlock } from '../../store/codeBlocks.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import { findEvent } from '../../store/events.ts'
import { type OrderRow, ordersById } from '../../store/orders.ts'
import type { Deps } from '../deps.ts'
import { openEventOf } from '../event/readEvent.ts'

export interface BlockRows {
  block: CodeBlockRow
  /** The codes, ordered by number. */
  codes: readonly BlockCodeRow[]
  /** The orders that sold them, newest first. */
  orders: readonly OrderRow[]
}

/** Numbers as ranges, in the order given. */
export function rangesOf(codes: readonly Pick<BlockCodeRow, 'number'>[]): CodeRange[] {
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
export function blockView({ block, codes, orders }: BlockRows): Block {
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

export async function blockRowsOf(tx: ReadTx, block: CodeBlockRow): Promise<BlockRows> {
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
    const blocks: Block[] = []
    for (const block of event ? await blocksOf(tx, event.id) : []) blocks.push(blockView(await blockRowsOf(tx, block)))
    return blocks
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

import type { Block, CodeRange } from '@garba/shared/contracts/block'
import { toRupees } from '@garba/shared/rules/money'
import type { BlockCodeRow, CodeBlockRow } from '../../store/codeBlocks.ts'
import type { OrderRow } from '../../store/orders.ts'

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

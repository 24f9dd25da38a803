import { Refusal } from '../../refusal.ts'
import { type CodeBlockRow, codesOf, findBlock } from '../../store/codeBlocks.ts'
import { ordersById } from '../../store/orders.ts'
import type { ReadTx } from '../../store/sql.ts'
import type { BlockRows } from './blockViews.ts'

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

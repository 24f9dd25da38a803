import type { DeskMethod } from '@garba/shared/contracts/names'
import type { Order } from '@garba/shared/contracts/order'
import type { Block } from '@garba/shared/contracts/phones/block'
import { BLOCK } from '@garba/shared/messages/gate'
import { quote } from '@garba/shared/rules/pricing'
import { Refusal } from '../../refusal.ts'
import { type BlockCodeRow, type CodeBlockRow, codesOf, returnCodes, sellCodes } from '../../store/codeBlocks.ts'
import { newId, type ReadTx } from '../../store/engine/sql.ts'
import { insertTickets } from '../../store/tickets.ts'
import { aboutBlock, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { openEventOf } from '../event/readEvent.ts'
import { openDrawer } from '../money/drawers.ts'
import { orderView, rowsOf } from '../money/orders/orderRows.ts'
import { priceByHand, recordSale } from '../money/orders/recordSale.ts'
import { requireMethod } from '../money/orders/sellAtDesk.ts'
import { enterSold, ticketsFor } from '../tickets/issueTickets.ts'
import { blockRowsOf, blockView, paperBlock, rangesOf } from './blocks.ts'

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
}

/**
 * Sells a range of paper tickets as one order: its tickets are made now, on the seats the block has held since it was
 * made, at the block's prices. Refuses, and changes nothing, with BLOCK_NOT_FOUND, EVENT_CLOSED, VALIDATION_FAILED for
 * numbers outside the block or a method that the desk does not take, CODES_NOT_LEFT, NO_OPEN_DRAWER for cash, or
 * UTR_USED.
 */
export function activateCodes(
  deps: Deps,
  { admin, id, from, to, method, name, reason, reference, utr }: Activating,
): Promise<{ order: Order; block: Block }> {
  requireMethod(deps, method)
  return deps.store.write(async (tx) => {
    const block = await paperBlock(tx, id)
    await openEventOf(tx, block)
    const codes = await codesLeft(tx, block, { from, to })
    const at = deps.now()
    const quantity = codes.length
    const signed = codes.map(({ ticketId, qrCode }) => ({ id: ticketId, qrCode }))
    const sale = {
      seller: admin,
      drawerId: method === 'cash' ? (await openDrawer(tx, admin)).id : null,
      channel: 'desk' as const,
      idempotencyKey: newId(at),
      quantity,
      method,
      name: name ?? block.label,
      reason,
      reference: reference ?? (method === 'upi' ? utr : undefined),
    }
    const price = priceByHand(quote({ quantity, ...block }), method)
    const { eventId } = block
    const order = await recordSale(deps, tx, { sale, eventId, price, signed, at, action: 'block.sold' })
    const tickets = await ticketsFor(tx, order, { eventId, signed, createdAt: at, kind: 'paper' })
    await insertTickets(tx, tickets)
    await sellCodes(
      tx,
      order.id,
      signed.map((ticket) => ticket.id),
    )
    await enterSold(tx, { tickets, by: admin, now: at })
    return {
      order: orderView(await rowsOf(tx, order), deps.settings.payments),
      block: blockView(await blockRowsOf(tx, block)),
    }
  })
}

/** Takes a range of unsold paper tickets back. Refuses as `activateCodes`. */
export const returnPaper = (deps: Deps, { admin, id, from, to }: Range): Promise<Block> =>
  deps.store.write(async (tx) => {
    const block = await paperBlock(tx, id)
    await openEventOf(tx, block)
    await codesLeft(tx, block, { from, to })
    const at = deps.now()
    await returnCodes(tx, block, { from, to, at, byId: admin.id })
    tx.announce('roster', 'evening')
    const detail = BLOCK.returned(from, to)
    await audited(tx, { at, action: 'block.returned', actor: admin, subject: aboutBlock(block), detail })
    return blockView(await blockRowsOf(tx, block))
  })

/** The codes of a range, all unsold and not returned. */
async function codesLeft(
  tx: ReadTx,
  { id, size }: CodeBlockRow,
  { from, to }: { from: number; to: number },
): Promise<BlockCodeRow[]> {
  if (to > size)
    throw new Refusal('VALIDATION_FAILED', { message: BLOCK.range, errors: [{ field: 'to', message: BLOCK.range }] })
  const codes = (await codesOf(tx, id)).filter(({ number }) => number >= from && number <= to)
  const gone = rangesOf(codes.filter(({ state }) => state !== 'allotted'))
  if (gone.length > 0)
    throw new Refusal('CODES_NOT_LEFT', { numbers: gone.map((range) => BLOCK.numbers(range)).join(', ') })
  return codes
}

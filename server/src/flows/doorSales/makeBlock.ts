import type { Block } from '@garba/shared/contracts/phones/block'
import { BLOCK } from '@garba/shared/messages/gate'
import { saleState } from '@garba/shared/rules/orders/sale'
import { Refusal } from '../../refusal.ts'
import { type CodeBlockRow, insertBlock } from '../../store/codeBlocks.ts'
import { newId, type ReadTx, type WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, findEvent } from '../../store/events.ts'
import { aboutBlock, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { endOf } from '../event/readEvent.ts'
import { type SignedId, signIds } from '../tickets/issueTickets.ts'
import { takeSeatsOf } from '../tickets/onSale.ts'
import { blockRowsOf, blockView } from './blocks.ts'

interface PaperBlock {
  admin: Pick<Caller, 'id' | 'name'>
  label: string
  size: number
}

/**
 * Signs codes for paper tickets. They hold their seats from now on, so paper is never oversold, and admit no one until
 * they are activated. Refuses with EVENT_NOT_FOUND, SALES_CLOSED or SOLD_OUT.
 */
export async function makeBlock(deps: Deps, { admin, label, size }: PaperBlock): Promise<Block> {
  const event = await deps.store.read((tx) => eventOfBlocks(deps, tx))
  const signed = await signIds(deps, { eventId: event.id, quantity: size, block: true })
  return deps.store.write(async (tx) => {
    const maker = { createdById: admin.id, createdByName: admin.name }
    const block = await allot(deps, tx, {
      event,
      signed,
      facts: { kind: 'paper', label, deviceId: null, leaseUntil: null, ...maker },
    })
    return blockView(await blockRowsOf(tx, block))
  })
}

/** The event that blocks are made for. Refuses with EVENT_NOT_FOUND or SALES_CLOSED. */
export async function eventOfBlocks({ now, settings }: Deps, tx: ReadTx): Promise<EventRow> {
  const event = await findEvent(tx)
  if (!event) throw new Refusal('EVENT_NOT_FOUND')
  const endsAt = endOf(event, settings.timezone).getTime()
  if (saleState({ endsAt, remaining: 1 }, now().getTime()) === 'over') throw new Refusal('SALES_CLOSED')
  return event
}

type Facts = Pick<CodeBlockRow, 'kind' | 'label' | 'deviceId' | 'leaseUntil' | 'createdById' | 'createdByName'>

/**
 * Writes a block with its seats. Refuses with SOLD_OUT, or with UNAVAILABLE when the event changed while the codes were
 * signed.
 */
export async function allot(
  deps: Deps,
  tx: WriteTx,
  { event: asked, signed, facts }: { event: EventRow; signed: readonly SignedId[]; facts: Facts },
): Promise<CodeBlockRow> {
  const event = await eventOfBlocks(deps, tx)
  if (event.id !== asked.id) throw new Refusal('UNAVAILABLE')
  await takeSeatsOf(tx, event, signed.length)
  const createdAt = deps.now()
  const { ticketPricePaise, groupPricePaise } = event
  const block = {
    id: newId(createdAt),
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

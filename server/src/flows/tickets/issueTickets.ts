import type { TicketKind } from '@garba/shared/contracts/names'
import { shortenTicketId } from '@garba/shared/messages/common'
import { kindOfOrder } from '@garba/shared/rules/admission'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { firstMissing, markAcknowledged } from '../../store/conflicts.ts'
import { newId, type WriteTx } from '../../store/engine/sql.ts'
import type { OrderRow } from '../../store/orders.ts'
import { findScan, updateScan } from '../../store/scans.ts'
import { entryBy, moveTicket, newTickets, type TicketRow } from '../../store/tickets.ts'
import type { Deps } from '../deps.ts'
import { settlePassages } from './passages.ts'
import { type SalePrice, ticketPrices } from './saleLines.ts'

export interface SignedId {
  id: string
  qrCode: string
}

/** Ids and codes of future tickets. Signing is asynchronous, so it happens before the write that stores them. */
export const signIds = (
  deps: Pick<Deps, 'now'> & { signer: Pick<Deps['signer'], 'sign'> },
  { eventId, quantity, block }: { eventId: string; quantity: number; block?: true },
): Promise<SignedId[]> =>
  Promise.all(
    Array.from({ length: quantity }, async () => {
      const id = newId(deps.now())
      return { id, qrCode: await deps.signer.sign({ ticketId: id, eventId, ...(block ? { block } : {}) }) }
    }),
  )

/**
 * Ids and codes for the tickets of an order that may be paid now; none if it is already paid. They are discarded when
 * the write finds that they are not needed.
 */
export const signUnpaid = async (
  deps: Deps,
  { state, eventId, quantity }: Pick<OrderRow, 'state' | 'eventId' | 'quantity'>,
): Promise<SignedId[]> => (state === 'paid' || eventId === null ? [] : signIds(deps, { eventId, quantity }))

type Buyer = Pick<
  OrderRow,
  'id' | 'userId' | 'buyerName' | 'buyerEmail' | 'lines' | 'promoCodeId' | 'channel' | 'provider'
>

interface MadeTickets {
  eventId: string
  signed: readonly (SignedId & Partial<Pick<TicketRow, 'paperNumber' | 'paperBlockId'>>)[]
  createdAt: Date
  kind?: TicketKind
}

export const ticketsFor = (
  tx: WriteTx,
  { id, userId, buyerName, buyerEmail, lines, promoCodeId, ...order }: Buyer,
  { eventId, signed, createdAt, kind = kindOfOrder(order) }: MadeTickets,
): Promise<TicketRow[]> => {
  const sold = { orderId: id, userId, buyerName, buyerEmail, kind, createdAt }
  const prices = ticketPrices(lines)
  return newTickets(
    tx,
    eventId,
    signed.map((ticket, at) => {
      const price = prices[at]
      if (!price) throw new RangeError(`Order ${id} is for ${prices.length} tickets`)
      const { typeId, pricePaise, withCode } = price
      return { ...ticket, ...sold, typeId, pricePaise, promoCodeId: withCode ? promoCodeId : null }
    }),
  )
}

const IDS_NAMED = 20

export function saleLine(
  signed: readonly Pick<SignedId, 'id'>[],
  { tier, totalPaise }: Pick<SalePrice, 'tier' | 'totalPaise'>,
): string {
  const ids = signed.slice(0, IDS_NAMED).map(({ id }) => shortenTicketId(id))
  const more = signed.length > IDS_NAMED ? ` and ${signed.length - IDS_NAMED} more` : ''
  return `${signed.length} at ${tier} price, ${formatRupees(toRupees(totalPaise))}: ${ids.join(', ')}${more}`
}

/**
 * A person may have been admitted with a code before its sale arrived, and recorded as a conflict on an unknown ticket.
 * Now the ticket is known: that scan becomes its entry, so that no one enters with it again, and the conflict is
 * settled.
 */
export async function enterSold(
  tx: WriteTx,
  { tickets, by, now }: { tickets: readonly TicketRow[]; by: { name: string }; now: Date },
): Promise<void> {
  for (const ticket of tickets) {
    const conflict = await firstMissing(tx, ticket.id)
    const scan = conflict && (await findScan(tx, conflict.id))
    if (!scan || ticket.status !== 'active') continue
    const at = new Date(Math.max(scan.at.getTime(), ticket.createdAt.getTime()))
    await moveTicket(tx, ticket, { status: 'used', ...entryBy({ ...scan, at }) }, now)
    await updateScan(tx, scan.id, { outcome: 'admitted', at })
    await settlePassages(tx, ticket.id, { now, byName: by.name })
    await markAcknowledged(tx, conflict.id, { acknowledgedByName: by.name, acknowledgedAt: now })
  }
}

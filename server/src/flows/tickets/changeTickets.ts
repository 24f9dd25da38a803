import type { TicketStatus } from '@garba/shared/contracts/names'
import type { GroupCode, Ticket } from '@garba/shared/contracts/ticket'
import { AUDIT } from '@garba/shared/messages/audit'
import { CANCELLATION } from '@garba/shared/messages/codes'
import { cancellationOf, refundOf } from '@garba/shared/rules/cancellation'
import { groupsOf } from '@garba/shared/rules/groupQr'
import { mayMove, REFUND_STATE } from '@garba/shared/rules/ticketStatus'
import { orRefuse, Refusal } from '../../refusal.ts'
import { idsOf, type WriteTx } from '../../store/engine/sql.ts'
import { eventOf, findEvent } from '../../store/events.ts'
import { claimRequest } from '../../store/knownRequests.ts'
import { putDeskMark, takeBackDeskMark, updateScan } from '../../store/scans.ts'
import {
  findTicket,
  moveTicket,
  NO_CANCELLATION,
  NO_ENTRY,
  nameOn,
  type TicketRow,
  ticketsOf,
  ticketsWithIds,
  nameTicket as writeName,
} from '../../store/tickets.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { openEventOf } from '../event/readEvent.ts'
import { withdrawFailed } from '../money/refunds/applyRefund.ts'
import { claimRefundElsewhere, settleRefundsElsewhere, showRefunds } from '../money/refunds/refundsElsewhere.ts'
import { paidOrderOf, recordByHand, refundCancelled, requireNoDoubt } from '../money/refunds/requestRefund.ts'
import { ticketView } from './readTickets.ts'

interface Moving {
  admin: Caller
  id: string
  to: TicketStatus
  now: Date
  /** Free seats before the whole change, which a SOLD_OUT refusal shows. */
  seats: number
  /** Also cancels a ticket whose holder went in. */
  includeUsed: boolean
}

/**
 * Moves one ticket inside a transaction; admins may make any move. The other fields follow the status: a used ticket
 * gets an entry by the admin, a cancelled one a time, a reason and a pending refund, and fields of the old status are
 * cleared. Moving to the current status changes nothing. Refuses with TICKET_NOT_FOUND, EVENT_CLOSED, REFUNDED,
 * REFUND_IN_DOUBT, TICKET_USED, or SOLD_OUT when it needs a seat and none is free.
 */
export async function moveByAdmin(tx: WriteTx, { admin, id, to, now, seats, includeUsed }: Moving): Promise<TicketRow> {
  const ticket = await findTicket(tx, id)
  if (!ticket || ticket.status === 'deleted') throw new Refusal('TICKET_NOT_FOUND')
  await openEventOf(tx, ticket)
  if (ticket.status === to) return ticket
  if (to === 'cancelled' && !includeUsed) requireNoneUsed([ticket])
  if (!mayMove({ from: ticket.status, to, by: 'admin' })) throw new Refusal('TICKET_NOT_ACTIVE')
  if (ticket.status === 'cancelled') {
    await requireNotRefunded(tx, ticket)
    await withdrawFailed(tx, id, now)
  }
  const moved = await moveTicket(tx, ticket, { status: to, ...factsOf(to, { admin, now }) }, now)
  if (moved === 'noSeat') throw new Refusal('SOLD_OUT', { remaining: seats })
  if (moved === 'stale') throw new Refusal('UNAVAILABLE')
  await releaseAdmission(tx, ticket)
  if (to === 'used') await putDeskMark(tx, ticket, { admin, at: now })
  const isDeskMark = ticket.status === 'used' && ticket.entryScanId === null
  if (to === 'active' && isDeskMark) await takeBackDeskMark(tx, id, now)
  if (to === 'cancelled') {
    await claimRefundElsewhere(tx, moved, now)
    await showRefunds(tx, id, now)
  }
  const detail = AUDIT.statusByAdmin({ from: ticket.status, to, refund: REFUND_STATE(ticket.isRefundDone) })
  await audited(tx, { at: now, action: 'ticket.status', actor: admin, subject: aboutTicket(ticket), detail })
  return moved
}

/**
 * Money that went or is going back no longer buys a ticket. Refuses with REFUNDED, or REFUND_IN_DOUBT if it may have
 * gone.
 */
async function requireNotRefunded(tx: WriteTx, ticket: TicketRow): Promise<void> {
  const refunds = await requireNoDoubt(tx, [ticket.id])
  // Its money may have gone back in the refund of another ticket.
  const isInAnother =
    refunds.length === 0 && ticket.isRefundDone === true && refundOf(ticket.pricePaise).refundPaise > 0
  if (refunds.some(({ state }) => state !== 'failed') || (isInAnother && (await paidOrderOf(tx, ticket))))
    throw new Refusal('REFUNDED')
}

const factsOf = (to: TicketStatus, { admin, now }: { admin: Caller; now: Date }): Partial<TicketRow> =>
  ({
    active: { ...NO_ENTRY, ...NO_CANCELLATION },
    used: { ...NO_ENTRY, ...NO_CANCELLATION, entryTime: now, scannedByName: admin.name },
    cancelled: { ...NO_ENTRY, cancelledAt: now, cancellationReason: CANCELLATION.byOrganiser, isRefundDone: null },
  })[to]

export async function seatsLeft(tx: WriteTx): Promise<number> {
  const event = await findEvent(tx)
  return event ? event.totalTickets - event.takenSeats : 0
}

/** The holder of a used ticket is inside, so the desk must cancel it explicitly. Refuses with TICKET_USED. */
export function requireNoneUsed(tickets: readonly TicketRow[]): void {
  const used = tickets.filter(({ status }) => status === 'used')
  if (used.length === 0) return
  throw new Refusal('TICKET_USED', {
    tickets: used.map((ticket) => ({
      _id: ticket.id,
      name: nameOn(ticket),
      entryTime: ticket.entryTime?.toISOString() ?? null,
    })),
  })
}

/**
 * Marks that a ticket's entry scan no longer counts for it, so that device counts add up to the used tickets. It is not
 * undone, because the person is still inside.
 */
export async function releaseAdmission(tx: WriteTx, { status, entryScanId }: TicketRow): Promise<void> {
  if (status === 'used' && entryScanId !== null) await updateScan(tx, entryScanId, { outcome: 'released' })
}

interface Setting {
  admin: Caller
  status: TicketStatus
  includeUsed?: boolean | undefined
  /** A request repeated with its key changes nothing more: the gate may have admitted someone since. */
  idempotencyKey?: string | null
}

const isNew = (
  tx: WriteTx,
  { admin, status, idempotencyKey: key }: Setting,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<boolean> => claimRequest(tx, { call: 'setStatus', userId: admin.id, key, asked: [ids, status] }, now)

/**
 * Sets a ticket to any status. Refuses with TICKET_NOT_FOUND, EVENT_CLOSED, TICKET_USED, IDEMPOTENCY_KEY_REUSED, or
 * SOLD_OUT when no seat is left. (Spec: States.)
 */
export async function setTicketStatus(deps: Deps, { id, ...setting }: Setting & { id: string }): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const now = deps.now()
    const { admin, status, includeUsed = false } = setting
    const known = (await isNew(tx, setting, { ids: [id], now })) ? undefined : await findTicket(tx, id)
    const moving = { admin, id, to: status, now, seats: await seatsLeft(tx), includeUsed }
    const row = known ?? (await moveByAdmin(tx, moving))
    return ticketView(row, await eventOf(tx, row))
  })
}

/**
 * Sets many tickets to one status, all or nothing. Returns how many tickets now have it: duplicates count once, and
 * tickets that already had it count too. Refuses with TICKET_NOT_FOUND, EVENT_CLOSED, TICKET_USED with all that are
 * used, IDEMPOTENCY_KEY_REUSED, or SOLD_OUT.
 */
export async function bulkUpdate(
  deps: Deps,
  { ticketIds, ...setting }: Setting & { ticketIds: readonly string[] },
): Promise<number> {
  const { admin, status, includeUsed = false } = setting
  const ids = new Set(ticketIds)
  await deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const now = deps.now()
    if (!(await isNew(tx, setting, { ids: [...ids].toSorted(), now }))) return
    const seats = await seatsLeft(tx)
    if (status === 'cancelled' && !includeUsed) requireNoneUsed(await ticketsWithIds(tx, [...ids]))
    for (const id of ids) await moveByAdmin(tx, { admin, id, to: status, now, seats, includeUsed: true })
  })
  return ids.size
}

/**
 * Deletes a ticket and frees its seat. Only scanners still see it, as a tombstone that they refuse.
 * Refuses with TICKET_NOT_FOUND, EVENT_CLOSED, MONEY_UNSETTLED, or REFUND_IN_DOUBT.
 */
export async function deleteTicket(deps: Deps, { admin, id }: { admin: Caller; id: string }): Promise<void> {
  await deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const ticket = await findTicket(tx, id)
    if (!ticket || ticket.status === 'deleted') throw new Refusal('TICKET_NOT_FOUND')
    await openEventOf(tx, ticket)
    await requireSettled(tx, ticket)
    const now = deps.now()
    const moved = await moveTicket(tx, ticket, { status: 'deleted' }, now)
    if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
    await releaseAdmission(tx, ticket)
    if (ticket.orderId !== null) await settleRefundsElsewhere(tx, ticket.orderId, now)
    const detail = AUDIT.ticketDeleted(ticket.status)
    await audited(tx, { at: now, action: 'ticket.deleted', actor: admin, subject: aboutTicket(ticket), detail })
  })
}

/** A deleted ticket is on no list, so it must not have money that was kept or is owed. Refuses with MONEY_UNSETTLED. */
async function requireSettled(tx: WriteTx, ticket: TicketRow): Promise<void> {
  await requireNoDoubt(tx, [ticket.id])
  if (ticket.pricePaise === 0 || !(await paidOrderOf(tx, ticket))) return
  const { refundPaise } = refundOf(ticket.pricePaise)
  if (ticket.status === 'cancelled' && (ticket.isRefundDone === true || refundPaise === 0)) return
  throw new Refusal('MONEY_UNSETTLED')
}

interface Refunding {
  admin: Caller
  /** true: Done, false: Failed, null: Pending. */
  isRefundDone: boolean | null
  /** The reason in the audit trail. */
  reason?: string | undefined
}

/**
 * Sets the refund state of a cancelled ticket, even for a closed event, because the money is still owed. Refuses with
 * TICKET_NOT_FOUND, REFUND_NOT_CANCELLED, REFUND_IN_DOUBT, or REFUND_ON_ITS_WAY.
 */
export async function recordRefund(deps: Deps, refunding: Refunding & { id: string }): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const row = await refund(deps, tx, refunding.id, { ...refunding, now: deps.now() })
    return ticketView(row, await eventOf(tx, row))
  })
}

/**
 * Sets the refund state of many cancelled tickets, all or nothing. Returns how many tickets now have it; duplicates
 * count once. Refuses as `recordRefund` does.
 */
export async function recordRefunds(
  deps: Deps,
  { ticketIds, ...refunding }: Refunding & { ticketIds: readonly string[] },
): Promise<number> {
  const ids = new Set(ticketIds)
  await deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const now = deps.now()
    for (const id of ids) await refund(deps, tx, id, { ...refunding, now })
  })
  return ids.size
}

async function refund(
  deps: Deps,
  tx: WriteTx,
  id: string,
  { admin, isRefundDone, reason, now }: Refunding & { now: Date },
): Promise<TicketRow> {
  const ticket = orRefuse(await findTicket(tx, id), 'TICKET_NOT_FOUND')
  if (ticket.status !== 'cancelled') throw new Refusal('REFUND_NOT_CANCELLED')
  if (ticket.isRefundDone === isRefundDone) return ticket
  await recordByHand(deps, tx, { ticket, isRefundDone, now, reason, by: admin.name, byId: admin.id })
  const moved = await moveTicket(tx, ticket, { status: 'cancelled', isRefundDone }, now)
  if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
  const detail = AUDIT.refund(REFUND_STATE(ticket.isRefundDone), REFUND_STATE(isRefundDone), reason)
  await audited(tx, { at: now, action: 'ticket.refund', actor: admin, subject: aboutTicket(ticket), detail })
  return moved
}

interface Cancelling {
  user: Caller
  id: string
  /** Trimmed, 1 to 500 characters. */
  reason: string
}

/**
 * Cancels the caller's active ticket at least 10 days before the event and puts its seat back on sale. Refuses with
 * TICKET_NOT_FOUND, FORBIDDEN, EVENT_CLOSED, TICKET_NOT_ACTIVE, or CANCELLATION_CLOSED and the days left.
 * (Spec: Validation.)
 */
export async function cancelTicket(deps: Deps, { user, id, reason }: Cancelling): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const row = orRefuse(await findTicket(tx, id), 'TICKET_NOT_FOUND')
    if (row.userId !== user.id) throw new Refusal('FORBIDDEN')
    if (row.status === 'deleted') throw new Refusal('TICKET_NOT_FOUND')
    const event = await openEventOf(tx, row)
    const now = deps.now()
    const verdict = cancellationOf({ status: row.status, day: event.date, timeZone: deps.settings.timezone, now })
    if (!verdict.allowed) throw new Refusal(verdict.why, { daysLeft: verdict.daysLeft })
    const set = { status: 'cancelled' as const, cancelledAt: now, cancellationReason: reason, isRefundDone: null }
    const moved = await moveTicket(tx, row, set, now)
    if (typeof moved === 'string') throw new Refusal('TICKET_NOT_ACTIVE')
    await refundCancelled(deps, tx, { ticket: moved, reason })
    const detail = AUDIT.cancelled(reason)
    await audited(tx, { at: now, action: 'ticket.cancelled', actor: user, subject: aboutTicket(row), detail })
    return ticketView(moved, event)
  })
}

interface Naming {
  user: Caller
  id: string
  /** 1 to 60 characters; null for the buyer. */
  name: string | null
}

/**
 * Stores the user of one of the caller's active tickets: the gate, its lists and its search then show that name.
 * Refuses with TICKET_NOT_FOUND, FORBIDDEN, EVENT_CLOSED or TICKET_NAME_FIXED.
 */
export async function nameTicket(deps: Deps, { user, id, name }: Naming): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announce('roster')
    const row = orRefuse(await findTicket(tx, id), 'TICKET_NOT_FOUND')
    if (row.userId !== user.id) throw new Refusal('FORBIDDEN')
    const event = await openEventOf(tx, row)
    if (row.status !== 'active') throw new Refusal('TICKET_NAME_FIXED')
    if (row.holderName === name) return ticketView(row, event)
    const now = deps.now()
    const named = await writeName(tx, row, { holderName: name, now })
    if (named === 'stale') throw new Refusal('TICKET_NAME_FIXED')
    const detail = AUDIT.named(nameOn(row), nameOn(named))
    await audited(tx, { at: now, action: 'ticket.named', actor: user, subject: aboutTicket(row), detail })
    return ticketView(named, event)
  })
}

/**
 * Codes for the caller's active tickets of the current event, oldest first, at most 8 tickets per code; none for fewer
 * than two tickets. They are signed on request, so a sale costs nothing more.
 */
export async function groupCodes({ store, signer }: Deps, user: Caller): Promise<GroupCode[]> {
  const { eventId, ids } = await store.read(async (tx) => {
    const event = await findEvent(tx)
    const own = event ? await ticketsOf(tx, user.id) : []
    const active = own.filter(({ status, eventId }) => status === 'active' && eventId === event?.id)
    return { eventId: event?.id ?? '', ids: idsOf(active).toReversed() }
  })
  return Promise.all(
    groupsOf(ids).map(async (ticketIds) => ({ qrCode: await signer.signGroup({ ticketIds, eventId }), ticketIds })),
  )
}

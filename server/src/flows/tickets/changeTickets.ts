import type { CallInput } from '@garba/shared/calls/calls'
import type { TicketStatus } from '@garba/shared/contracts/names'
import type { GroupCode, Ticket } from '@garba/shared/contracts/ticket'
import { AUDIT } from '@garba/shared/messages/audit'
import { CANCELLATION } from '@garba/shared/messages/codes'
import { ORDER } from '@garba/shared/messages/order'
import { checkCancellation, computeRefund, refundFacts, refundOfCancelled } from '@garba/shared/rules/cancellation'
import { splitIntoGroups } from '@garba/shared/rules/groupQr'
import { mayMove, REFUND_STATE } from '@garba/shared/rules/ticketStatus'
import { orRefuse, Refusal } from '../../refusal.ts'
import { listIds, type WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, findEvent, getEventFor } from '../../store/events.ts'
import { claimRequest } from '../../store/knownRequests.ts'
import { putDeskMark, takeBackDeskMark, updateScan } from '../../store/scans.ts'
import { sentTickets } from '../../store/ticketLinks.ts'
import {
  findTicket,
  getNameOnTicket,
  listUserTickets,
  moveTicket,
  NO_CANCELLATION,
  NO_ENTRY,
  type TicketRow,
  ticketsWithIds,
  setHolderName as writeName,
} from '../../store/tickets.ts'
import { aboutTicket, auditChange } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { requireOpenEvent } from '../event/readEvent.ts'
import { withdrawFailed } from '../money/refunds/applyRefund.ts'
import { claimRefundElsewhere, resolveElsewhereMatters, showRefunds } from '../money/refunds/refundsElsewhere.ts'
import { findPaidOrder, recordByHand, refundCancelled, requireNoDoubt } from '../money/refunds/requestRefund.ts'
import { settlePassages } from './passages.ts'
import { ticketView } from './readTickets.ts'

interface TicketStatusChange {
  admin: Caller
  id: string
  to: TicketStatus
  now: Date
  seats: number
  includeUsed: boolean
}

/**
 * Moves one ticket inside a transaction; admins may make any move. The other fields follow the status: a used ticket
 * gets an entry by the admin, a cancelled one a time, a reason and a pending refund, and fields of the old status are
 * cleared. Moving to the current status changes nothing.
 */
export async function moveByAdmin(tx: WriteTx, moving: TicketStatusChange): Promise<TicketRow> {
  const { admin, id, to, now, seats, includeUsed } = moving
  const ticket = await findTicket(tx, id)
  if (!ticket || ticket.status === 'deleted') throw new Refusal('TICKET_NOT_FOUND')
  await requireOpenEvent(tx, ticket)
  if (ticket.status === to) return ticket
  if (to === 'cancelled' && !includeUsed) requireNoneUsed([ticket])
  if (!mayMove({ from: ticket.status, to, by: 'admin' })) throw new Refusal('TICKET_NOT_ACTIVE')
  if (ticket.status === 'cancelled') {
    await requireNotRefunded(tx, ticket)
    await withdrawFailed(tx, id, now)
  }
  const moved = await moveTicket(tx, ticket, { status: to, ...buildStatusFacts(to, { ...moving, ticket }) }, now)
  if (moved === 'noSeat') throw new Refusal('SOLD_OUT', { remaining: seats })
  if (moved === 'noUse') throw new Refusal('CODE_USED_UP')
  if (moved === 'stale') throw new Refusal('UNAVAILABLE')
  await releaseAdmission(tx, ticket)
  if (to === 'used') await putDeskMark(tx, ticket, { admin, at: now })
  const isDeskMark = ticket.status === 'used' && ticket.entryScanId === null
  if (to === 'active' && isDeskMark) await takeBackDeskMark(tx, id, now)
  await settlePassages(tx, id, { now, byName: admin.name, leftAt: ticket.leftAt })
  if (to === 'cancelled') {
    await claimRefundElsewhere(tx, moved, now)
    await showRefunds(tx, id, now)
  }
  const detail = AUDIT.statusByAdmin({ from: ticket.status, to, refund: REFUND_STATE(ticket) })
  await auditChange(tx, { at: now, action: 'ticket.status', actor: admin, subject: aboutTicket(ticket), detail })
  return moved
}

/** Money that went or is going back no longer buys a ticket. */
async function requireNotRefunded(tx: WriteTx, ticket: TicketRow): Promise<void> {
  const refunds = await requireNoDoubt(tx, [ticket.id])
  // Its money may have gone back in the refund of another ticket.
  const isInAnother = refunds.length === 0 && ticket.isRefundDone === true && refundOfCancelled(ticket).refundPaise > 0
  if (refunds.some(({ state }) => state !== 'failed') || (isInAnother && (await findPaidOrder(tx, ticket))))
    throw new Refusal('REFUNDED')
}

const buildStatusFacts = (
  to: TicketStatus,
  { ticket, admin, now }: Pick<TicketStatusChange, 'admin' | 'now'> & { ticket: TicketRow },
): Partial<TicketRow> =>
  ({
    active: { ...NO_ENTRY, ...NO_CANCELLATION },
    used: { ...NO_ENTRY, ...NO_CANCELLATION, entryTime: now, scannedByName: admin.name },
    cancelled: {
      ...NO_ENTRY,
      cancelledAt: now,
      cancellationReason: CANCELLATION.byOrganiser,
      ...refundFacts(computeRefund(ticket.pricePaise).refundPaise),
    },
  })[to]

export async function seatsLeft(tx: WriteTx): Promise<number> {
  const event = await findEvent(tx)
  return event ? event.totalTickets - event.takenSeats : 0
}

/** The holder of a used ticket is inside, so the desk must cancel it explicitly. */
export function requireNoneUsed(tickets: readonly TicketRow[]): void {
  const used = tickets.filter(({ status }) => status === 'used')
  if (used.length === 0) return
  throw new Refusal('TICKET_USED', {
    tickets: used.map((ticket) => ({
      _id: ticket.id,
      name: getNameOnTicket(ticket),
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

type TicketStatusRequest = CallInput<'setTicketStatus'> & {
  admin: Caller
  /** A request repeated with its key changes nothing more: the gate may have admitted someone since. */
  idempotencyKey?: string | null
}

const isNew = (
  tx: WriteTx,
  { admin, status, idempotencyKey: key }: TicketStatusRequest,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<boolean> => claimRequest(tx, { call: 'setStatus', userId: admin.id, key, asked: [ids, status] }, now)

/** Sets a ticket to any status. (Spec: States.) */
export async function setTicketStatus(
  deps: Deps,
  { id, ...setting }: TicketStatusRequest & { id: string },
): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announceChanges('roster', 'evening')
    const now = deps.now()
    const { admin, status, includeUsed = false } = setting
    const known = (await isNew(tx, setting, { ids: [id], now })) ? undefined : await findTicket(tx, id)
    const row =
      known ?? (await moveByAdmin(tx, { admin, id, to: status, now, seats: await seatsLeft(tx), includeUsed }))
    return ticketView(row, await getEventFor(tx, row))
  })
}

/**
 * Sets many tickets to one status, all or nothing. Returns how many tickets now have it: duplicates count once, and
 * tickets that already had it count too.
 */
export async function bulkUpdate(
  deps: Deps,
  { ticketIds, ...setting }: TicketStatusRequest & { ticketIds: readonly string[] },
): Promise<number> {
  const { admin, status, includeUsed = false } = setting
  const ids = new Set(ticketIds)
  await deps.store.write(async (tx) => {
    tx.announceChanges('roster', 'evening')
    const now = deps.now()
    if (!(await isNew(tx, setting, { ids: [...ids].toSorted(), now }))) return
    const seats = await seatsLeft(tx)
    if (status === 'cancelled' && !includeUsed) requireNoneUsed(await ticketsWithIds(tx, [...ids]))
    for (const id of ids) await moveByAdmin(tx, { admin, id, to: status, now, seats, includeUsed: true })
  })
  return ids.size
}

/** Deletes a ticket and frees its seat. Only scanners still see it, as a tombstone that they refuse. */
export async function deleteTicket(deps: Deps, { admin, id }: { admin: Caller; id: string }): Promise<void> {
  await deps.store.write(async (tx) => {
    tx.announceChanges('roster', 'evening')
    const ticket = await findTicket(tx, id)
    if (!ticket || ticket.status === 'deleted') throw new Refusal('TICKET_NOT_FOUND')
    await requireOpenEvent(tx, ticket)
    await requireSettled(tx, ticket)
    const now = deps.now()
    const moved = await moveTicket(tx, ticket, { status: 'deleted' }, now)
    if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
    await releaseAdmission(tx, ticket)
    if (ticket.orderId !== null) await resolveElsewhereMatters(tx, ticket.orderId, now)
    const detail = AUDIT.ticketDeleted(ticket.status)
    await auditChange(tx, { at: now, action: 'ticket.deleted', actor: admin, subject: aboutTicket(ticket), detail })
  })
}

/** A deleted ticket is on no list, so it must not have money that was kept or is owed. */
async function requireSettled(tx: WriteTx, ticket: TicketRow): Promise<void> {
  await requireNoDoubt(tx, [ticket.id])
  if (ticket.pricePaise === 0 || !(await findPaidOrder(tx, ticket))) return
  if (ticket.status === 'cancelled' && (ticket.isRefundDone === true || refundOfCancelled(ticket).refundPaise === 0))
    return
  throw new Refusal('MONEY_UNSETTLED')
}

type RefundReport = Omit<CallInput<'bulkRefund'>, 'ticketIds'> & { admin: Caller }

/** Sets the refund state of a cancelled ticket, even for a closed event, because the money is still owed. */
export async function recordRefund(deps: Deps, refunding: RefundReport & { id: string }): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announceChanges('roster', 'evening')
    const row = await refund(deps, tx, refunding.id, { ...refunding, now: deps.now() })
    return ticketView(row, await getEventFor(tx, row))
  })
}

/**
 * Sets the refund state of many cancelled tickets, all or nothing. Returns how many tickets now have it; duplicates
 * count once.
 */
export async function recordRefunds(
  deps: Deps,
  { ticketIds, ...refunding }: RefundReport & { ticketIds: readonly string[] },
): Promise<number> {
  const ids = new Set(ticketIds)
  await deps.store.write(async (tx) => {
    tx.announceChanges('roster', 'evening')
    const now = deps.now()
    for (const id of ids) await refund(deps, tx, id, { ...refunding, now })
  })
  return ids.size
}

async function refund(
  deps: Deps,
  tx: WriteTx,
  id: string,
  { admin, isRefundDone, reason, now }: RefundReport & { now: Date },
): Promise<TicketRow> {
  const ticket = orRefuse(await findTicket(tx, id), 'TICKET_NOT_FOUND')
  if (ticket.status !== 'cancelled') throw new Refusal('REFUND_NOT_CANCELLED')
  if (ticket.isRefundDone === isRefundDone) return ticket
  if (ticket.nothingToRefund) throw new Refusal('NOTHING_TO_REFUND', { message: ORDER.nothingBack })
  await recordByHand(deps, tx, { ticket, isRefundDone, now, reason, by: admin.name, byId: admin.id })
  const moved = await moveTicket(tx, ticket, { status: 'cancelled', isRefundDone }, now)
  if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
  const detail = AUDIT.refund(REFUND_STATE(ticket), REFUND_STATE({ isRefundDone }), reason)
  await auditChange(tx, { at: now, action: 'ticket.refund', actor: admin, subject: aboutTicket(ticket), detail })
  return moved
}

type TicketCancellation = CallInput<'cancelTicket'> & { user: Caller; id: string }

/**
 * Cancels the caller's active ticket at least 10 days before the event and puts its seat back on sale. (Spec:
 * Validation.)
 */
export async function cancelTicket(deps: Deps, { user, id, reason }: TicketCancellation): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announceChanges('roster', 'evening')
    const row = orRefuse(await findTicket(tx, id), 'TICKET_NOT_FOUND')
    if (row.userId !== user.id) throw new Refusal('FORBIDDEN')
    const event = await requireOpenEvent(tx, row)
    return ticketView(await cancelOwn(deps, tx, { user, row, event, reason }), event)
  })
}

export async function cancelOwn(
  deps: Deps,
  tx: WriteTx,
  {
    user,
    row,
    event,
    reason,
  }: Pick<TicketCancellation, 'user' | 'reason'> & {
    row: TicketRow
    event: Pick<EventRow, 'date' | 'state' | 'freeCancelUntil' | 'undoUntil'>
  },
): Promise<TicketRow> {
  const now = deps.now()
  if (row.status === 'deleted') throw new Refusal('TICKET_NOT_FOUND')
  const verdict = checkCancellation({ status: row.status, event, timeZone: deps.settings.timezone, now })
  if (!verdict.allowed) throw new Refusal(verdict.why, { daysLeft: verdict.daysLeft })
  const set = {
    status: 'cancelled' as const,
    cancelledAt: now,
    cancellationReason: reason,
    ...(verdict.inFull
      ? { ...refundFacts(row.pricePaise), refundInFull: true }
      : refundFacts(computeRefund(row.pricePaise).refundPaise)),
  }
  const moved = await moveTicket(tx, row, set, now)
  if (typeof moved === 'string') throw new Refusal('TICKET_NOT_ACTIVE')
  await refundCancelled(deps, tx, { ticket: moved, reason })
  const detail = AUDIT.cancelled(reason)
  await auditChange(tx, { at: now, action: 'ticket.cancelled', actor: user, subject: aboutTicket(row), detail })
  return moved
}

type TicketNameRequest = CallInput<'nameTicket'> & { user: Caller; id: string }

/** Stores the user of one of the caller's active tickets: the gate, its lists and its search then show that name. */
export async function nameTicket(deps: Deps, { user, id, name }: TicketNameRequest): Promise<Ticket> {
  return deps.store.write(async (tx) => {
    tx.announceChanges('roster')
    const row = orRefuse(await findTicket(tx, id), 'TICKET_NOT_FOUND')
    if (row.userId !== user.id) throw new Refusal('FORBIDDEN')
    const event = await requireOpenEvent(tx, row)
    if (row.status !== 'active') throw new Refusal('TICKET_NAME_FIXED')
    if (row.holderName === name) return ticketView(row, event)
    const now = deps.now()
    const named = await writeName(tx, row, { holderName: name, now })
    if (named === 'stale') throw new Refusal('TICKET_NAME_FIXED')
    const detail = AUDIT.named(getNameOnTicket(row), getNameOnTicket(named))
    await auditChange(tx, { at: now, action: 'ticket.named', actor: user, subject: aboutTicket(row), detail })
    return ticketView(named, event)
  })
}

const isUnnamed = ({ holderName }: TicketRow): boolean => holderName === null

/**
 * Codes for the caller's active tickets of the current event, newest first, at most 8 tickets per code;
 * none for fewer than two tickets. A ticket that was sent to somebody is left out, because they bring it themselves.
 * The codes are signed on request, so a sale costs nothing more.
 */
export async function groupCodes({ store, signer }: Deps, user: Caller): Promise<GroupCode[]> {
  const { eventId, ids } = await store.read(async (tx) => {
    const event = await findEvent(tx)
    const own = event ? await listUserTickets(tx, user.id) : []
    const sent = await sentTickets(tx, { userId: user.id })
    const active = own.filter(
      ({ id, status, eventId }) => status === 'active' && eventId === event?.id && !sent.has(id),
    )
    // The code's first ticket is the buyer's own, not a ticket named for somebody else.
    const ordered = [...active.filter(isUnnamed), ...active.filter((ticket) => !isUnnamed(ticket))]
    return { eventId: event?.id ?? '', ids: listIds(ordered) }
  })
  return Promise.all(
    splitIntoGroups(ids).map(async (ticketIds) => ({
      qrCode: await signer.signGroup({ ticketIds, eventId }),
      ticketIds,
    })),
  )
}

import type { FoundMoney, LostAnswer, LostTicket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { LOST_AUDIT } from '@garba/shared/messages/order'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { quotePrice } from '@garba/shared/rules/pricing'
import { type QrFact, readQr } from '@garba/shared/rules/qr'
import { orRefuse, Refusal } from '../../refusal.ts'
import { openAttention } from '../../store/attention.ts'
import { firstMissing } from '../../store/conflicts.ts'
import { newId, type ReadTx, timeOfId, type WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, findEvent, getEventFor, isEventClosed } from '../../store/events.ts'
import {
  countLost,
  decideLost,
  findLost,
  insertLost,
  type LostDecision,
  type LostRow,
  listLost,
  listTicketOffers,
  listUserOffers,
} from '../../store/lostTickets.ts'
import { laterIds } from '../../store/newCodes.ts'
import { findTicketOrTombstone, insertTickets, ticketsWithIds } from '../../store/tickets.ts'
import { findUser } from '../../store/users.ts'
import { aboutTicket, aboutUser, auditChange } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { readCode, readKeys } from '../gate/scanFacts.ts'
import { withIsoTimes } from '../isoTimes.ts'
import { applyFacts } from '../money/orders/applyFacts.ts'
import { enterSold, ticketsFor } from '../tickets/issueTickets.ts'
import { knowNewCode } from '../tickets/newCode.ts'
import { takeSeatsOrRefuse } from '../tickets/sellTickets.ts'
import { type HowPaid, lostLine, moneyAtProvider, orderOfLost } from './payLost.ts'

const TOGETHER_MS = 2_000
const DECIDED = 50

async function boughtTogether(tx: ReadTx, { userId, eventId, ticketId }: LostRow): Promise<number> {
  const at = timeOfId(ticketId).getTime()
  const near = (row: LostRow) =>
    row.eventId === eventId && Math.abs(timeOfId(row.ticketId).getTime() - at) <= TOGETHER_MS
  return (await listUserOffers(tx, userId)).filter(near).length
}

const priceOfLost = (event: EventRow, together: number): number =>
  quotePrice({ quantity: together, ...event }).unitPaise

/** The account exists, because deleting it deletes its offers. */
async function lostView(tx: ReadTx, row: LostRow): Promise<LostTicket> {
  const user = await findUser(tx, row.userId)
  const together = await boughtTogether(tx, row)
  const missing = await firstMissing(tx, row.ticketId)
  const offers = await listTicketOffers(tx, [row.ticketId])
  return {
    id: row.id,
    ticketId: row.ticketId,
    holder: { name: user?.name ?? '', email: user?.email ?? '' },
    offeredAt: row.offeredAt.toISOString(),
    state: row.state,
    decidedBy: row.decidedByName,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    note: row.note,
    others: offers.length - 1,
    together,
    price: toRupees(priceOfLost(await getEventFor(tx, row), together)),
    letIn: missing ? { at: missing.second.at, by: missing.second.checkerName } : null,
  }
}

export const listLostTickets = ({ store, settings }: Pick<Deps, 'store' | 'settings'>) =>
  store.read(async (tx) => {
    const event = await findEvent(tx)
    const paid = settings.payments.on
    if (!event) return { lost: [], waiting: 0, paid, remaining: 0, money: [] }
    const rows = await listLost(tx, { eventId: event.id, decided: DECIDED })
    const lost = await Array.fromAsync(rows, (row) => lostView(tx, row))
    return {
      lost,
      waiting: await countLost(tx, event.id),
      paid,
      remaining: event.totalTickets - event.takenSeats,
      money: lost.length === 0 ? [] : await foundMoney(tx),
    }
  })

const foundMoney = async (tx: ReadTx): Promise<FoundMoney[]> =>
  (await openAttention(tx))
    .filter(({ kind }) => kind === 'unknown')
    .map(({ id, amountPaise, createdAt: at, detail }) =>
      withIsoTimes({ id, amount: toRupees(amountPaise), at, detail }),
    )

interface OfferedCode {
  qrCode: string
  fact: QrFact
}

/**
 * Notes tickets that a guest's device kept and this server lost, for the desk to confirm. Only a ticket's own code
 * counts, signed for the current event by a key that is not revoked: its holder may have bought it, but only the desk
 * can know. Cancelled and deleted tickets count as known. A repeated request gets the current state. Returns one answer
 * per code.
 */
export async function offerLost(
  deps: Deps,
  { user, codes }: { user: Caller; codes: readonly string[] },
): Promise<LostAnswer[]> {
  const { event, keys } = await readKeys(deps, {})
  const eventId = event?.id ?? ''
  const offered = await Array.fromAsync(codes, async (code): Promise<OfferedCode> => {
    const qrCode = code.trim()
    const fact = await readQr({ text: qrCode, keys, eventId })
    if (fact.type === 'genuine') await knowNewCode(deps, fact.ticketId)
    return { qrCode, fact }
  })
  const { answers, fresh } = await deps.store.read((tx) => judge(tx, user, offered))
  if (fresh.size === 0) return answers
  return deps.store.write(async (tx) => {
    // Another request may have been faster.
    const now = await judge(tx, user, offered)
    for (const [ticketId, qrCode] of now.fresh)
      await insertLost(tx, {
        id: newId(deps.now()),
        ticketId,
        eventId,
        qrCode,
        userId: user.id,
        offeredAt: deps.now(),
        state: 'waiting',
      })
    return now.answers
  })
}

async function judge(
  tx: ReadTx,
  user: Caller,
  offered: readonly OfferedCode[],
): Promise<{ answers: LostAnswer[]; fresh: Map<string, string> }> {
  const own = new Map((await listUserOffers(tx, user.id)).map((row) => [row.ticketId, row]))
  const fresh = new Map<string, string>()
  const ids = offered.flatMap(({ fact }) => (fact.type === 'genuine' ? fact.ticketId : []))
  const answers = await Array.fromAsync(offered, async ({ qrCode, fact }): Promise<LostAnswer> => {
    const answer = await answerTo(tx, fact, { own, ids })
    if (answer === null && fact.type === 'genuine') fresh.set(fact.ticketId, qrCode)
    return answer ?? { state: 'waiting' }
  })
  return { answers, fresh }
}

async function answerTo(
  tx: ReadTx,
  fact: QrFact,
  { own, ids }: { own: ReadonlyMap<string, LostRow>; ids: readonly string[] },
): Promise<LostAnswer | null> {
  if (fact.type === 'otherEvent') return { state: 'refused', why: 'otherEvent' }
  if (fact.type !== 'genuine' || fact.block) return { state: 'refused', why: 'invalid' }
  const row = own.get(fact.ticketId)
  if (row?.state === 'refused')
    return { state: 'refused', why: 'desk', ...(row.note === null ? {} : { note: row.note }) }
  if (await findTicketOrTombstone(tx, fact.ticketId)) return { state: 'known' }
  if (await isReplaced(tx, fact.ticketId, ids)) return { state: 'refused', why: 'invalid' }
  return row ? { state: 'waiting' } : null
}

/** A later code of the same ticket is known, or offered too: two codes of one ticket must not become two tickets. */
async function isReplaced(tx: ReadTx, id: string, offered: readonly string[] = []): Promise<boolean> {
  const later = laterIds(id)
  if (later.some((one) => offered.includes(one)) || (await listTicketOffers(tx, later)).length > 0) return true
  return (await ticketsWithIds(tx, later)).length > 0
}

interface LostTicketRequest {
  admin: Caller
  id: string
}

const lostById = async (tx: ReadTx, id: string): Promise<LostRow> => orRefuse(await findLost(tx, id), 'LOST_NOT_FOUND')

/**
 * Restores a lost ticket with the same id and code, at the event's price, on a free seat. An admission made with it
 * meanwhile becomes its entry. Without payments its order is an ordinary web order; otherwise see `orderOfLost`. Other
 * accounts that offer the same ticket are refused. Repeated, it changes nothing. The limit per person does not apply:
 * the ticket was sold within it.
 */
export async function confirmLost(
  deps: Deps,
  { admin, id, ...paid }: LostTicketRequest & HowPaid,
): Promise<LostTicket> {
  const { qrCode, state } = await deps.store.read((tx) => lostById(tx, id))
  const { code } = await readCode(deps, { qrCode })
  // The first request may have used up the money.
  const found = state === 'confirmed' ? null : await moneyAtProvider(deps, paid.money)
  const view = await deps.store.write(async (tx) => {
    const row = await lostById(tx, id)
    if (row.state === 'confirmed') return lostView(tx, row)
    const event = await getEventFor(tx, row)
    if (isEventClosed(event)) throw new Refusal('EVENT_CLOSED')
    if (code.type !== 'genuine') throw new Refusal('LOST_INVALID')
    if (await findTicketOrTombstone(tx, row.ticketId)) throw new Refusal('LOST_KNOWN')
    if (await isReplaced(tx, row.ticketId)) throw new Refusal('CODE_REPLACED')
    return lostView(tx, await confirm(deps, tx, { row, event, admin, paid, found }))
  })
  // Refunds of its payment can be applied only now that the payment is stored.
  if (found) await applyFacts(deps, found.refunds)
  return view
}

interface LostTicketConfirmation {
  row: LostRow
  event: EventRow
  admin: Caller
  paid: HowPaid
  found: Awaited<ReturnType<typeof moneyAtProvider>>
}

async function confirm(
  deps: Deps,
  tx: WriteTx,
  { row, event, admin, paid, found }: LostTicketConfirmation,
): Promise<LostRow> {
  const { ticketId, qrCode, userId } = row
  const now = deps.now()
  const account = orRefuse(await findUser(tx, userId), 'LOST_NOT_FOUND')
  await takeSeatsOrRefuse(tx, event, [lostLine(event, 0)])
  const createdAt = new Date(Math.min(timeOfId(ticketId).getTime(), now.getTime()))
  const unitPaise = priceOfLost(event, await boughtTogether(tx, row))
  const { order, paise } = await orderOfLost(deps, tx, {
    ticketId,
    account,
    event,
    unitPaise,
    createdAt,
    admin,
    paid,
    found,
  })
  const tickets = await ticketsFor(
    tx,
    { ...order, lines: [lostLine(event, paise)] },
    { eventId: event.id, signed: [{ id: ticketId, qrCode }], createdAt, kind: 'online' },
  )
  await insertTickets(tx, tickets)
  await enterSold(tx, { tickets, by: admin, now })
  tx.announceChanges('roster', 'evening')
  const decided = { decidedAt: now, decidedByName: admin.name }
  for (const other of await listTicketOffers(tx, [ticketId]))
    if (other.id !== row.id) await decideLost(tx, other.id, { ...decided, state: 'refused', note: null })
  const subject = aboutTicket({ id: ticketId, buyerName: account.name, eventId: event.id })
  const confirmed = LOST_AUDIT.confirmed(order.code, formatRupees(toRupees(paise)), order.provider)
  const detail = [confirmed, paid.reason].filter(Boolean).join('; ')
  await auditChange(tx, { at: now, action: 'lost.confirmed', actor: admin, subject, detail })
  return decide(tx, row, { ...decided, state: 'confirmed', note: paid.reason ?? null })
}

const decide = async (tx: WriteTx, { id }: LostRow, set: LostDecision): Promise<LostRow> =>
  orRefuse(await decideLost(tx, id, set), 'LOST_NOT_FOUND')

/**
 * Refuses a lost ticket; its owner reads the note. A later note replaces an earlier one, and a refused ticket can still
 * be confirmed.
 */
export const refuseLost = (
  deps: Deps,
  { admin, id, note }: LostTicketRequest & { note: string },
): Promise<LostTicket> =>
  deps.store.write(async (tx) => {
    const row = await lostById(tx, id)
    if (row.state === 'confirmed') throw new Refusal('LOST_KNOWN')
    if (row.state === 'refused' && row.note === note) return lostView(tx, row)
    const now = deps.now()
    const account = await findUser(tx, row.userId)
    const subject = { ...(account ? aboutUser(account) : { id: row.userId, name: '' }), eventId: row.eventId }
    const detail = LOST_AUDIT.refused(shortenTicketId(row.ticketId), note)
    await auditChange(tx, { at: now, action: 'lost.refused', actor: admin, subject, detail })
    return lostView(tx, await decide(tx, row, { state: 'refused', decidedAt: now, decidedByName: admin.name, note }))
  })

import type { Days } from '@garba/shared/contracts/common'
import type { CashSession, CashSessionsAnswer } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import { spanOf } from '@garba/shared/rules/calendar'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { fold } from '@garba/shared/rules/search'
import { orRefuse, Refusal } from '../../refusal.ts'
import {
  type CashSessionRow,
  closeSession,
  everySession,
  findSession,
  insertSession,
  listSessions,
  openSessionOf,
} from '../../store/cashSessions.ts'
import { findPairedDevice } from '../../store/devices.ts'
import { newId, type ReadTx, type WriteTx } from '../../store/engine/sql.ts'
import { findEvent } from '../../store/events.ts'
import {
  cashOutside,
  cashPaidBack,
  cashPaidBackOutside,
  cashRefundsOf,
  cashTaken,
  setRefundDrawer,
} from '../../store/figures.ts'
import { findUser } from '../../store/users.ts'
import { audited } from '../audited.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { endOfDevice } from '../phones/authenticateDevice.ts'

/** The owner of the drawer: the person, or on a paired phone the checker on shift. */
const cashierOf = ({ id, name, device }: Pick<AnyCaller, 'id' | 'name' | 'device'>): string =>
  device ? `${id}:${fold(name)}` : id

/** The caller's open drawer, which takes the cash of a sale now. Refuses with NO_OPEN_DRAWER. */
export const openDrawer = async (
  tx: ReadTx,
  caller: Pick<AnyCaller, 'id' | 'name' | 'device'>,
): Promise<CashSessionRow> => orRefuse(await openSessionOf(tx, cashierOf(caller)), 'NO_OPEN_DRAWER')

/**
 * The open drawer that took the cash of an earlier sale; undefined when there was none, or it has been counted since.
 */
export async function drawerAt(
  tx: ReadTx,
  caller: Pick<AnyCaller, 'id' | 'name' | 'device'>,
  at: Date,
): Promise<CashSessionRow | undefined> {
  const drawer = await openSessionOf(tx, cashierOf(caller))
  return drawer && drawer.openedAt <= at ? drawer : undefined
}

/** Refuses with DRAWER_COUNTED when the cash of a ticket's refund left a drawer that has been counted since. */
export async function requireUncounted(tx: ReadTx, ticketId: string): Promise<void> {
  for (const { drawerId } of await cashRefundsOf(tx, ticketId))
    if (drawerId !== null && (await openOne(tx, drawerId)) === null) throw new Refusal('DRAWER_COUNTED')
}

/**
 * Deducts cash marked as paid back from a drawer: the marking person's open one, or else the one that took the cash if
 * it is still open, or else none. Cash whose mark is removed is added again.
 */
export async function moveCashPaidBack(
  tx: WriteTx,
  { ticketId, byId }: { ticketId: string; byId: string },
): Promise<void> {
  for (const { id, state, drawerId, takenBy } of await cashRefundsOf(tx, ticketId)) {
    if (state !== 'manual' && drawerId !== null) await setRefundDrawer(tx, id, null)
    if (state !== 'manual' || drawerId !== null) continue
    const drawer = (await openSessionOf(tx, byId))?.id ?? (await openOne(tx, takenBy))
    if (drawer !== null) await setRefundDrawer(tx, id, drawer)
  }
}

async function openOne(tx: ReadTx, id: string | null): Promise<string | null> {
  const drawer = id === null ? undefined : await findSession(tx, id)
  return drawer?.closedAt === null ? drawer.id : null
}

async function expectedPaiseOf(tx: ReadTx, { id, floatPaise }: CashSessionRow): Promise<number> {
  return floatPaise + (await cashTaken(tx, id)).paise - (await cashPaidBack(tx, id)).paise
}

async function viewOf(tx: ReadTx, row: CashSessionRow): Promise<CashSession> {
  const { count, paise } = await cashTaken(tx, row.id)
  const paidBack = await cashPaidBack(tx, row.id)
  const expectedPaise = row.expectedPaise ?? (await expectedPaiseOf(tx, row))
  return {
    id: row.id,
    person: row.personName,
    openedAt: row.openedAt.toISOString(),
    float: toRupees(row.floatPaise),
    sales: count,
    taken: toRupees(paise),
    paidBack: toRupees(paidBack.paise),
    expected: toRupees(expectedPaise),
    closedAt: row.closedAt?.toISOString() ?? null,
    counted: row.countedPaise === null ? null : toRupees(row.countedPaise),
    difference: row.countedPaise === null ? null : toRupees(row.countedPaise - expectedPaise),
    note: row.note,
  }
}

/**
 * The last cash sessions of these days, newest first, with the caller's open one separately, and the current event's
 * cash that is in no drawer.
 */
export const cashSessions = (
  { store, now, settings }: Deps,
  { user, ...days }: Days & { user: AnyCaller },
): Promise<Omit<CashSessionsAnswer, 'success'>> =>
  store.read(async (tx) => {
    const open = await openSessionOf(tx, cashierOf(user))
    const sessions: CashSessionsAnswer['sessions'] = []
    // A phone sees only its own drawers.
    for (const row of await listSessions(tx, spanOf(days, settings.timezone)))
      if (!user.device || row.personId.startsWith(`${user.id}:`))
        sessions.push({ ...(await viewOf(tx, row)), mayClose: await mayClose(tx, { user, row, now: now() }) })
    return { own: open ? await viewOf(tx, open) : null, sessions, ...(await outsideOf(tx, user)) }
  })

/** Everybody's cash sessions of these days, for an export. */
export const everyCashSession = ({ store, settings }: Deps, days: Days): Promise<CashSession[]> =>
  store.read(async (tx) =>
    Array.fromAsync(await everySession(tx, spanOf(days, settings.timezone)), (row) => viewOf(tx, row)),
  )

async function outsideOf(
  tx: ReadTx,
  user: AnyCaller,
): Promise<Pick<CashSessionsAnswer, 'arrivedLater' | 'paidBackOutside'>> {
  const event = await findEvent(tx)
  if (!event) return { arrivedLater: [], paidBackOutside: 0 }
  const arrivedLater: CashSessionsAnswer['arrivedLater'] = []
  for (const { sellerId, sellerName, count, paise } of await cashOutside(tx, event.id)) {
    if (user.device && sellerId !== user.id) continue
    const phone = sellerId === null ? undefined : await findPairedDevice(tx, sellerId)
    arrivedLater.push({ phone: phone?.name ?? null, seller: sellerName ?? '', sales: count, amount: toRupees(paise) })
  }
  const paidBackOutside = user.device ? 0 : toRupees((await cashPaidBackOutside(tx, event.id)).paise)
  return { arrivedLater, paidBackOutside }
}

/**
 * The account or phone that a drawer belongs to, and the name on the shift of a phone. The name may contain a colon.
 */
function ownerOf({ personId }: CashSessionRow): { id: string; shift: string | undefined } {
  const [, id = '', shift] = /^([^:]*)(?::(.*))?$/s.exec(personId) ?? []
  return { id, shift }
}

/**
 * Whether a caller may count an open drawer. People count their own; an admin also counts one whose owner cannot,
 * because the phone has ended or changed its shift, or the account is deleted or no longer an admin's.
 */
async function mayClose(
  tx: ReadTx,
  { user, row, now }: { user: AnyCaller; row: CashSessionRow; now: Date },
): Promise<boolean> {
  if (row.closedAt !== null) return false
  if (row.personId === cashierOf(user)) return true
  if (user.device) return false
  const { id: ownerId, shift } = ownerOf(row)
  if (shift === undefined) return (await findUser(tx, ownerId))?.role !== 'admin'
  const phone = await findPairedDevice(tx, ownerId)
  return !phone || endOfDevice(phone, now) !== null || fold(phone.shiftName ?? phone.name) !== shift
}

/** Opens the caller's cash session with a float in rupees; returns it unchanged if one is already open. */
export const openCashSession = (
  deps: Deps,
  { user, float }: { user: AnyCaller; float: number },
): Promise<CashSession> =>
  deps.store.write(async (tx) => {
    const known = await openSessionOf(tx, cashierOf(user))
    if (known) return viewOf(tx, known)
    const now = deps.now()
    const row: CashSessionRow = {
      id: newId(now),
      personId: cashierOf(user),
      personName: user.name,
      openedAt: now,
      floatPaise: toPaise(float),
      closedAt: null,
      expectedPaise: null,
      countedPaise: null,
      note: null,
    }
    await insertSession(tx, row)
    const subject = { id: user.id, name: user.name }
    const detail = ORDER.float(formatRupees(float))
    await audited(tx, { at: now, action: 'cash.opened', actor: user, subject, detail })
    return viewOf(tx, row)
  })

interface Counting {
  user: AnyCaller
  id: string
  /** The amount in rupees. */
  counted: number
  note?: string | undefined
}

/**
 * Closes a cash session with the counted amount, and records the difference. Returns a session that was already counted
 * unchanged. Refuses with NOT_FOUND, or with FORBIDDEN for one that its owner can close.
 */
export const closeCashSession = (deps: Deps, { user, id, counted, note }: Counting): Promise<CashSession> =>
  deps.store.write(async (tx) => {
    const open = orRefuse(await findSession(tx, id), 'NOT_FOUND')
    const now = deps.now()
    const isCounted = open.closedAt !== null && !user.device
    const isOwn = open.personId === cashierOf(user)
    if (!isOwn && !isCounted && !(await mayClose(tx, { user, row: open, now })))
      throw new Refusal('FORBIDDEN', { message: ORDER.drawerOfOther(open.personName) })
    const expectedPaise = await expectedPaiseOf(tx, open)
    const countedPaise = toPaise(counted)
    const closed = await closeSession(tx, id, { closedAt: now, expectedPaise, countedPaise, note: note ?? null })
    // The session was closed before, so the earlier count stands.
    if (!closed) return viewOf(tx, open)
    const rupees = (paise: number) => formatRupees(toRupees(paise))
    const detail = ORDER.counted(rupees(countedPaise), rupees(expectedPaise), note)
    const subject = { id: ownerOf(open).id, name: open.personName }
    await audited(tx, { at: now, action: 'cash.closed', actor: user, subject, detail })
    return viewOf(tx, closed)
  })

import type { CallInput } from '@garba/shared/calls/calls'
import type { Days } from '@garba/shared/contracts/common'
import type { CashSession, CashSessionsAnswer } from '@garba/shared/contracts/money/cash'
import { shortenTicketId } from '@garba/shared/messages/common'
import { ORDER } from '@garba/shared/messages/order'
import { toInstantRange } from '@garba/shared/rules/event/calendar'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { foldText } from '@garba/shared/rules/search'
import { orRefuse, Refusal } from '../../refusal.ts'
import { insertAttention } from '../../store/attention.ts'
import {
  type CashSessionRow,
  closeSession,
  everySession,
  findOpenSession,
  findSession,
  insertSession,
  listSessions,
} from '../../store/cashSessions.ts'
import { findPairedDevice } from '../../store/devices.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { findEvent } from '../../store/events.ts'
import {
  cashOutside,
  cashPaidBack,
  cashPaidBackOutside,
  cashTaken,
  forgetUnmarked,
  listCashRefunds,
  setRefundDrawer,
} from '../../store/figures.ts'
import { findUser } from '../../store/users.ts'
import { auditChange } from '../audited.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { endOfDevice, readPhone } from '../phones/authenticateDevice.ts'

const getCashierId = ({ id, name, device }: Pick<AnyCaller, 'id' | 'name' | 'device'>): string =>
  device ? `${id}:${foldText(name)}` : id

export const openDrawer = async (
  tx: ReadTx,
  caller: Pick<AnyCaller, 'id' | 'name' | 'device'>,
): Promise<CashSessionRow> => orRefuse(await findOpenSession(tx, getCashierId(caller)), 'NO_OPEN_DRAWER')

export async function drawerAt(
  tx: ReadTx,
  caller: Pick<AnyCaller, 'id' | 'name' | 'device'>,
  at: Date,
): Promise<CashSessionRow | undefined> {
  const drawer = await findOpenSession(tx, getCashierId(caller))
  return drawer && drawer.openedAt <= at ? drawer : undefined
}

/** Refuses with DRAWER_COUNTED when the cash of a ticket's refund left a drawer that has been counted since. */
export async function requireUncounted(tx: ReadTx, ticketId: string): Promise<void> {
  for (const { drawerId } of await listCashRefunds(tx, ticketId))
    if (drawerId !== null && (await openOne(tx, drawerId)) === null) throw new Refusal('DRAWER_COUNTED')
}

/**
 * Deducts cash marked as paid back from the marking person's open drawer, else from the drawer that took the cash if it
 * is still open, else from none. Cash whose mark is removed is added again, and with the mark set again it leaves the
 * same drawer, unless that has been counted. A drawer that cannot have held the cash is a matter.
 */
export async function moveCashPaidBack(
  tx: WriteTx,
  { ticketId, byId, now }: { ticketId: string; byId: string; now: Date },
): Promise<void> {
  for (const { id, state, drawerId, takenBy } of await listCashRefunds(tx, ticketId)) {
    if (state !== 'manual') continue
    const drawer = drawerId ?? (await findOpenSession(tx, byId))?.id ?? (await openOne(tx, takenBy))
    if (drawer === null) continue
    await setRefundDrawer(tx, id, drawer)
    await addBelowZeroMatter(tx, drawer, now)
  }
}

async function addBelowZeroMatter(tx: WriteTx, drawerId: string, now: Date): Promise<void> {
  const drawer = await findSession(tx, drawerId)
  const expected = drawer ? await computeExpectedPaise(tx, drawer) : 0
  if (expected >= 0) return
  const matter = { amountPaise: -expected, detail: ORDER.drawerBelowZero(shortenTicketId(drawerId)), at: now }
  await insertAttention(tx, { kind: 'drawerBelowZero', dedupeKey: `drawerBelowZero:${drawerId}`, ...matter })
}

async function openOne(tx: ReadTx, id: string | null): Promise<string | null> {
  const drawer = id === null ? undefined : await findSession(tx, id)
  return drawer?.closedAt === null ? drawer.id : null
}

async function computeExpectedPaise(tx: ReadTx, { id, floatPaise }: CashSessionRow): Promise<number> {
  return floatPaise + (await cashTaken(tx, id)).paise - (await cashPaidBack(tx, id)).paise
}

async function buildCashSession(tx: ReadTx, row: CashSessionRow): Promise<CashSession> {
  const { count, paise } = await cashTaken(tx, row.id)
  const paidBack = await cashPaidBack(tx, row.id)
  const expectedPaise = row.expectedPaise ?? (await computeExpectedPaise(tx, row))
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
 * The last cash sessions of these days, newest first, with the caller's open session separately, and the cash that is
 * in no drawer: of the current event, and of closed events until somebody has looked.
 */
export const cashSessions = (
  deps: Deps,
  { user, ...days }: Days & { user: AnyCaller },
): Promise<Omit<CashSessionsAnswer, 'success'>> =>
  deps.store.read(async (tx) => {
    const open = await findOpenSession(tx, getCashierId(user))
    const sessions: CashSessionsAnswer['sessions'] = []
    // A phone sees only its own drawers.
    for (const row of await listSessions(tx, toInstantRange(days, deps.settings.timezone)))
      if (!user.device || row.personId.startsWith(`${user.id}:`))
        sessions.push({ ...(await buildCashSession(tx, row)), mayClose: await mayClose(deps, tx, { user, row }) })
    return { own: open ? await buildCashSession(tx, open) : null, sessions, ...(await readCashOutside(tx, user)) }
  })

export const everyCashSession = ({ store, settings }: Deps, days: Days): Promise<CashSession[]> =>
  store.read(async (tx) =>
    Array.fromAsync(await everySession(tx, toInstantRange(days, settings.timezone)), (row) =>
      buildCashSession(tx, row),
    ),
  )

async function readCashOutside(
  tx: ReadTx,
  user: AnyCaller,
): Promise<Pick<CashSessionsAnswer, 'arrivedLater' | 'paidBackOutside'>> {
  const event = await findEvent(tx)
  const arrivedLater: CashSessionsAnswer['arrivedLater'] = []
  for (const { sellerId, sellerName, count, paise } of await cashOutside(tx, event?.id ?? null)) {
    if (user.device && sellerId !== user.id) continue
    const phone = sellerId === null ? undefined : await findPairedDevice(tx, sellerId)
    arrivedLater.push({ phone: phone?.name ?? null, seller: sellerName ?? '', sales: count, amount: toRupees(paise) })
  }
  const paidBackOutside = user.device || !event ? 0 : toRupees((await cashPaidBackOutside(tx, event.id)).paise)
  return { arrivedLater, paidBackOutside }
}

/** The account or phone of a drawer, and the name on a phone's shift. The name may contain a colon. */
function parseDrawerOwner({ personId }: CashSessionRow): { id: string; shift: string | undefined } {
  const [, id = '', shift] = /^([^:]*)(?::(.*))?$/s.exec(personId) ?? []
  return { id, shift }
}

/**
 * People count their own drawers; an admin also counts a drawer whose owner cannot, because the phone has ended or
 * changed its shift, or the account is deleted or no longer an admin's.
 */
async function mayClose(
  deps: Deps,
  tx: ReadTx,
  { user, row }: { user: AnyCaller; row: CashSessionRow },
): Promise<boolean> {
  if (row.closedAt !== null) return false
  if (row.personId === getCashierId(user)) return true
  if (user.device) return false
  const { id: ownerId, shift } = parseDrawerOwner(row)
  if (shift === undefined) return (await findUser(tx, ownerId))?.role !== 'admin'
  const phone = await readPhone(deps, tx, ownerId)
  return !phone || endOfDevice(phone, deps.now()) !== null || foldText(phone.shiftName ?? phone.name) !== shift
}

/** Opens the caller's cash session with a float in rupees. A session that is already open is returned unchanged. */
export const openCashSession = (
  deps: Deps,
  { user, float }: { user: AnyCaller; float: number },
): Promise<CashSession> =>
  deps.store.write(async (tx) => {
    const known = await findOpenSession(tx, getCashierId(user))
    if (known) return buildCashSession(tx, known)
    const now = deps.now()
    const person = { personId: getCashierId(user), personName: user.name }
    const row = await insertSession(tx, { ...person, openedAt: now, floatPaise: toPaise(float) })
    const subject = { id: user.id, name: user.name }
    const detail = ORDER.float(formatRupees(float))
    await auditChange(tx, { at: now, action: 'cash.opened', actor: user, subject, detail })
    return buildCashSession(tx, row)
  })

type DrawerCount = CallInput<'closeCashSession'> & { user: AnyCaller; id: string }

/**
 * Closes a cash session with the counted amount, and records the difference. A session that was already counted is
 * returned unchanged.
 */
export const closeCashSession = (deps: Deps, { user, id, counted, note }: DrawerCount): Promise<CashSession> =>
  deps.store.write(async (tx) => {
    const open = orRefuse(await findSession(tx, id), 'NOT_FOUND')
    const now = deps.now()
    const isCounted = open.closedAt !== null && !user.device
    const isOwn = open.personId === getCashierId(user)
    if (!isOwn && !isCounted && !(await mayClose(deps, tx, { user, row: open })))
      throw new Refusal('FORBIDDEN', { message: ORDER.drawerOfOther(open.personName) })
    const expectedPaise = await computeExpectedPaise(tx, open)
    const countedPaise = toPaise(counted)
    const closed = await closeSession(tx, id, { closedAt: now, expectedPaise, countedPaise, note: note ?? null })
    if (!closed) return buildCashSession(tx, open)
    await forgetUnmarked(tx, id)
    const rupees = (paise: number) => formatRupees(toRupees(paise))
    const detail = ORDER.counted(rupees(countedPaise), rupees(expectedPaise), note)
    const subject = { id: parseDrawerOwner(open).id, name: open.personName }
    await auditChange(tx, { at: now, action: 'cash.closed', actor: user, subject, detail })
    return buildCashSession(tx, closed)
  })

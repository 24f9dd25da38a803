import type { CashSession } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { fold } from '@garba/shared/rules/search'
import { Refusal } from '../../refusal.ts'
import {
  type CashSessionRow,
  closeSession,
  findSession,
  insertSession,
  listSessions,
  openSessionOf,
} from '../../store/cashSessions.ts'
import { newId } from '../../store/ids.ts'
import { cashTaken } from '../../store/payments.ts'
import type { ReadTx } from '../../store/sql.ts'
import { audited } from '../audited.ts'
import type { AnyCaller, Deps } from '../deps.ts'

/** The owner of the drawer: the person, or on a paired phone the checker on shift. */
export const cashierOf = ({ id, name, device }: Pick<AnyCaller, 'id' | 'name' | 'device'>): string =>
  device ? `${id}:${fold(name)}` : id

async function viewOf(tx: ReadTx, row: CashSessionRow): Promise<CashSession> {
  const { orders, paise } = await cashTaken(tx, row.id)
  const expectedPaise = row.expectedPaise ?? row.floatPaise + paise
  return {
    id: row.id,
    person: row.personName,
    openedAt: row.openedAt.toISOString(),
    float: toRupees(row.floatPaise),
    sales: orders,
    taken: toRupees(paise),
    expected: toRupees(expectedPaise),
    closedAt: row.closedAt?.toISOString() ?? null,
    counted: row.countedPaise === null ? null : toRupees(row.countedPaise),
    difference: row.countedPaise === null ? null : toRupees(row.countedPaise - expectedPaise),
    note: row.note,
  }
}

/** The last cash sessions, newest first, with the caller's open one apart. */
export const cashSessions = (
  { store }: Deps,
  user: AnyCaller,
): Promise<{ own: CashSession | null; sessions: CashSession[] }> =>
  store.read(async (tx) => {
    const open = await openSessionOf(tx, cashierOf(user))
    const sessions: CashSession[] = []
    // A phone sees only its own drawers.
    for (const row of await listSessions(tx))
      if (!user.device || row.personId.startsWith(`${user.id}:`)) sessions.push(await viewOf(tx, row))
    return { own: open ? await viewOf(tx, open) : null, sessions }
  })

/** Opens the caller's cash session with a float in rupees; an open one is answered unchanged. */
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
    await audited(tx, {
      at: now,
      action: 'cash.opened',
      actor: user,
      subject,
      detail: ORDER.float(formatRupees(float)),
    })
    return viewOf(tx, row)
  })

interface Counting {
  user: AnyCaller
  id: string
  /** Rupees. */
  counted: number
  note?: string | undefined
}

/** Closes a cash session with what was counted, and records the difference. Refuses with NOT_FOUND, or for another's FORBIDDEN. */
export const closeCashSession = (deps: Deps, { user, id, counted, note }: Counting): Promise<CashSession> =>
  deps.store.write(async (tx) => {
    const open = await findSession(tx, id)
    if (!open) throw new Refusal('NOT_FOUND')
    if (open.personId !== cashierOf(user)) throw new Refusal('FORBIDDEN')
    const now = deps.now()
    const expectedPaise = open.floatPaise + (await cashTaken(tx, id)).paise
    const countedPaise = toPaise(counted)
    const closed = await closeSession(tx, id, { closedAt: now, expectedPaise, countedPaise, note: note ?? null })
    // Closed before: what was counted then stands.
    if (!closed) return viewOf(tx, open)
    const rupees = (paise: number) => formatRupees(toRupees(paise))
    const detail = ORDER.counted(rupees(countedPaise), rupees(expectedPaise), note)
    const subject = { id: user.id, name: user.name }
    await audited(tx, { at: now, action: 'cash.closed', actor: user, subject, detail })
    return viewOf(tx, closed)
  })

import type { Days } from '@garba/shared/contracts/common'
import type { StatementMatch } from '@garba/shared/contracts/names'
import type { StatementLine, StatementMapping } from '@garba/shared/contracts/statement'
import { messageFor } from '@garba/shared/messages/codes'
import { STATEMENT } from '@garba/shared/messages/money'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { Refusal } from '../../refusal.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import { findUpiOrders, type UpiOrder } from '../../store/lists.ts'
import {
  claimLine,
  everyStatementLine,
  findStatementLines,
  insertStatementLine,
  LINES_SHOWN,
  listStatementLines,
  type StatementLineRow,
  setAside,
} from '../../store/statementLines.ts'
import { audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { recordCredit } from '../money/orders/deskOrders.ts'
import { sameOrder } from '../money/orders/orderRows.ts'
import { signUnpaid } from '../tickets/issueTickets.ts'
import { readCredits } from './statementFile.ts'

/** Lines per write, so that sales need not wait for a long statement. */
const AT_ONCE = 200

interface Import {
  admin: Caller
  csv: string
  mapping: StatementMapping
}

/** Stores the credits of a statement, each once. Confirms nothing. Refuses with VALIDATION_FAILED. */
export async function importStatement(deps: Deps, { admin, csv, mapping }: Import) {
  const { credits, ...skipped } = readCredits(csv, mapping)
  const notAside = { asideNote: null, asideByName: null, asideAt: null }
  const kept = { importedAt: deps.now(), importedByName: admin.name, orderId: null, ...notAside }
  let added = 0
  for (let from = 0; from < credits.length; from += AT_ONCE)
    added += await deps.store.write(async (tx) => {
      let fresh = 0
      for (const { id, day, paise, utrs, description } of credits.slice(from, from + AT_ONCE)) {
        const line = { id, day, amountPaise: paise, utrs: utrs.join(' '), description, ...kept }
        if (await insertStatementLine(tx, line)) fresh += 1
      }
      return fresh
    })
  return { added, known: credits.length - added, ...skipped, lines: await deps.store.read((tx) => creditLines(tx)) }
}

/** The last imported credits, newest day first, with the orders they match, and earlier ones that wait for the desk. */
export const statementLines = ({ store }: Deps, days: Days): Promise<StatementLine[]> =>
  store.read((tx) => creditLines(tx, days))

/** Every imported credit of these days, for an export. */
export const everyCredit = ({ store }: Deps, days: Days): Promise<StatementLine[]> =>
  store.read(async (tx) => (await matched(tx, await everyStatementLine(tx, days))).map(viewOf))

/** The credits of these days that the desk has not decided on. */
async function openCredits(tx: ReadTx, days: Days = {}): Promise<Matched[]> {
  const rows = (await everyStatementLine(tx, days)).filter(({ orderId }) => orderId === null)
  return (await matched(tx, rows)).filter(({ match }) => match !== 'done' && match !== 'aside')
}

export const countOpenCredits = async (tx: ReadTx): Promise<number> => (await openCredits(tx)).length

async function creditLines(tx: ReadTx, days: Days = {}): Promise<StatementLine[]> {
  const last = await matched(tx, await listStatementLines(tx, days))
  const shown = new Set(last.map(({ row }) => row.id))
  // An earlier credit that names an order still waits for the desk.
  const earlier = last.length < LINES_SHOWN ? [] : await openCredits(tx, days)
  return [...last, ...earlier.filter(({ row, order }) => order && !shown.has(row.id))].map(viewOf)
}

/**
 * Confirms the orders these credits paid, one after another; each match is checked again. Credits that no longer match
 * are returned in `left` with the reason; one that was already confirmed counts nowhere.
 */
export async function confirmStatement(deps: Deps, { admin, ids }: { admin: Caller; ids: readonly string[] }) {
  const left: { id: string; message: string }[] = []
  let confirmed = 0
  const lines = await deps.store.read((tx) => findStatementLines(tx, ids))
  for (const { id } of lines)
    try {
      if (await confirmLine(deps, { admin, id })) confirmed += 1
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      left.push({ id, message: error.facts.message ?? messageFor(error.code, error.facts) })
    }
  return { confirmed, left, lines: await deps.store.read(creditLines) }
}

interface Aside {
  admin: Caller
  id: string
  /** The desk's note on what the money is; null brings the line back. */
  aside: string | null
}

/**
 * Sets a credit that pays no order aside, or brings it back; a second time changes nothing. Refuses with LINE_NOT_FOUND
 * or LINE_PAYS_ORDER.
 */
export const setLineAside = ({ store, now }: Deps, { admin, id, aside }: Aside): Promise<StatementLine[]> =>
  store.write(async (tx) => {
    const [found] = await matched(tx, await findStatementLines(tx, [id]))
    if (!found) throw new Refusal('LINE_NOT_FOUND')
    if (found.match === 'ready' || found.match === 'done') throw new Refusal('LINE_PAYS_ORDER')
    if (found.row.asideNote === aside) return creditLines(tx)
    const at = now()
    await setAside(tx, id, aside === null ? null : { note: aside, byName: admin.name, at })
    await audited(tx, {
      at,
      action: aside === null ? 'statement.broughtBack' : 'statement.setAside',
      actor: admin,
      // The bank's text and the note are left out, because both may name people.
      subject: { id, name: STATEMENT.credit(formatRupees(toRupees(found.row.amountPaise)), found.row.day) },
      detail: STATEMENT.aside.audit,
    })
    return creditLines(tx)
  })

/**
 * Records the credit in its order and the order in the line, in one write. Resolves to false if it was already
 * confirmed.
 */
async function confirmLine(deps: Deps, { admin, id }: { admin: Caller; id: string }): Promise<boolean> {
  const toConfirm = async (tx: ReadTx) => {
    const [found] = await matched(tx, await findStatementLines(tx, [id]))
    if (found?.match === 'done') return null
    if (!found?.order || (found.match !== 'ready' && found.match !== 'proposed')) throw notReady()
    return { ...found, order: await sameOrder(tx, found.order) }
  }
  const before = await deps.store.read(toConfirm)
  if (before === null) return false
  const signed = await signUnpaid(deps, before.order)
  return deps.store.write(async (tx) => {
    const found = await toConfirm(tx)
    if (found === null) return false
    const { row, order, utr } = found
    await claimLine(tx, id, order.id)
    const credit = { order, paise: row.amountPaise, utr: utr ?? undefined, note: STATEMENT.note, admin, signed }
    await recordCredit(deps, tx, credit)
    return true
  })
}

const notReady = () => new Refusal('ORDER_NOT_HELD', { message: STATEMENT.notReady })

interface Matched {
  row: StatementLineRow
  match: StatementMatch
  order: UpiOrder | null
  /** Another order that the line also names. */
  other: UpiOrder | null
  utr: string | null
}

const utrsOf = ({ utrs }: StatementLineRow): string[] => utrs.split(' ').filter(Boolean)

/** Words that may be the code of an order. */
const codesIn = ({ description }: StatementLineRow): string[] =>
  description.toUpperCase().match(/(?<![0-9A-Z])[0-9A-Z]{8}(?![0-9A-Z])/g) ?? []

async function matched(tx: ReadTx, rows: readonly StatementLineRow[]): Promise<Matched[]> {
  const orders = await findUpiOrders(tx, {
    ids: rows.flatMap(({ orderId }) => orderId ?? []),
    utrs: rows.flatMap(utrsOf),
    codes: rows.flatMap(codesIn),
  })
  return rows.map((row) => matchOf(row, orders))
}

/**
 * An order that the line has paid comes first, then those whose buyers claim its UTR, then those whose code it has. Two
 * candidates contradict each other: a buyer can claim someone else's number, or write another order's code into a
 * transfer.
 */
function matchOf(row: StatementLineRow, orders: readonly UpiOrder[]): Matched {
  const utrs = utrsOf(row)
  const has = (own: readonly string[]) => own.some((utr) => utrs.includes(utr))
  const paid = orders.find(({ id }) => id === row.orderId) ?? orders.find(({ paidUtrs }) => has(paidUtrs))
  const claims = orders.filter(({ claimedUtrs }) => has(claimedUtrs))
  const named = new Set([...claims, ...orders.filter(({ code }) => codesIn(row).includes(code))])
  const [first, second] = [...named].toSorted((a, b) => Number(b.state === 'held') - Number(a.state === 'held'))
  const order = paid ?? first ?? null
  const other = paid ? null : (second ?? null)
  const match = matchWith(row, { order, isPaid: paid !== undefined && paid.receivedPaise > 0, claims, other })
  // A credit set aside comes back when it proves to be the payment of an order.
  const isAside = row.asideNote !== null && match !== 'ready' && match !== 'done'
  const own = [...(order?.paidUtrs ?? []), ...(order?.claimedUtrs ?? [])].find((utr) => utrs.includes(utr))
  return { row, order, other, match: isAside ? 'aside' : match, utr: own ?? utrs[0] ?? null }
}

interface Named extends Pick<Matched, 'order' | 'other'> {
  isPaid: boolean
  claims: readonly UpiOrder[]
}

function matchWith(row: StatementLineRow, { order, other, isPaid, claims }: Named): StatementMatch {
  if (!order) return 'unmatched'
  if (isPaid) return 'done'
  if (other) return 'disputed'
  const missing = order.totalPaise - order.receivedPaise
  if (order.state === 'paid' || missing <= 0) return 'paid'
  if (row.amountPaise !== missing) return 'differs'
  return claims.includes(order) ? 'ready' : 'proposed'
}

const viewOf = ({ row, match, order, other, utr }: Matched): StatementLine => ({
  id: row.id,
  day: row.day,
  amount: toRupees(row.amountPaise),
  utr,
  text: row.description,
  importedAt: row.importedAt.toISOString(),
  match,
  order: order && {
    code: order.code,
    buyer: order.buyerName,
    total: toRupees(order.totalPaise),
    state: order.state,
    utr: order.claimedUtrs.at(-1) ?? order.paidUtrs.at(-1) ?? null,
  },
  other: other && {
    code: other.code,
    buyer: other.buyerName,
    total: toRupees(other.totalPaise),
    state: other.state,
  },
  aside:
    match !== 'aside' || row.asideAt === null
      ? null
      : { note: row.asideNote ?? '', by: row.asideByName ?? '', at: row.asideAt.toISOString() },
})

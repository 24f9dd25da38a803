import type { CallInput } from '@garba/shared/calls/calls'
import type { Days } from '@garba/shared/contracts/common'
import type { StatementLine } from '@garba/shared/contracts/money/statement'
import type { StatementMatch } from '@garba/shared/contracts/names'
import { messageFor } from '@garba/shared/messages/codes'
import { STATEMENT } from '@garba/shared/messages/money'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { findCutCodes, isWithoutRemark } from '@garba/shared/rules/orders/bankForms'
import { Refusal } from '../../refusal.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import { findUpiOrders, findWaitingUpiOrders, type UpiOrder } from '../../store/lists.ts'
import {
  claimLine,
  everyStatementLine,
  findPaidLines,
  findSharedUtrs,
  findStatementLines,
  LINES_SHOWN,
  listStatementLines,
  type StatementLineRow,
  setAside,
} from '../../store/statementLines.ts'
import { auditChange } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { recordCredit } from '../money/orders/deskOrders.ts'
import { getOrderById } from '../money/orders/orderRows.ts'
import { signUnpaid } from '../tickets/issueTickets.ts'

export const statementLines = ({ store }: Deps, days: Days): Promise<StatementLine[]> =>
  store.read((tx) => creditLines(tx, days))

export const everyCredit = ({ store }: Deps, days: Days): Promise<StatementLine[]> =>
  store.read(async (tx) => (await matched(tx, await everyStatementLine(tx, days))).map(buildStatementLine))

async function openCredits(
  tx: ReadTx,
  { days = {}, shown = new Set() }: { days?: Days; shown?: ReadonlySet<string> } = {},
): Promise<MatchedLine[]> {
  const rows = (await everyStatementLine(tx, days)).filter(({ id, orderId }) => orderId === null && !shown.has(id))
  return (await matched(tx, rows)).filter(({ match }) => match !== 'done' && match !== 'aside')
}

export const countOpenCredits = async (tx: ReadTx): Promise<number> => (await openCredits(tx)).length

export async function creditLines(tx: ReadTx, days: Days = {}): Promise<StatementLine[]> {
  const last = await matched(tx, await listStatementLines(tx, days))
  const shown = new Set(last.map(({ row }) => row.id))
  // An earlier credit that names an order still waits for the desk.
  const earlier = last.length < LINES_SHOWN ? [] : await openCredits(tx, { days, shown })
  return [...last, ...earlier.filter(({ order }) => order)].map(buildStatementLine)
}

/**
 * Confirms the orders these credits paid, one after another; each match is checked again. Credits that no longer match
 * are returned in `left` with the reason; a credit that was already confirmed counts nowhere.
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

type SetAsideRequest = CallInput<'setLineAside'> & { admin: Caller; id: string }

/** Sets a credit that pays no order aside, or brings it back. A second time changes nothing. */
export const setLineAside = ({ store, now }: Deps, { admin, id, aside }: SetAsideRequest): Promise<StatementLine[]> =>
  store.write(async (tx) => {
    const [found] = await matched(tx, await findStatementLines(tx, [id]))
    if (!found) throw new Refusal('LINE_NOT_FOUND')
    if (found.match === 'ready' || found.match === 'done') throw new Refusal('LINE_PAYS_ORDER')
    if (found.row.asideNote === aside) return creditLines(tx)
    const at = now()
    await setAside(tx, id, aside === null ? null : { note: aside, byName: admin.name, at })
    await auditChange(tx, {
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
    if (!found?.order || !CONFIRMABLE.includes(found.match)) throw notReady()
    return { ...found, order: await getOrderById(tx, found.order) }
  }
  const before = await deps.store.read(toConfirm)
  if (before === null) return false
  const signed = await signUnpaid(deps, before.order)
  return deps.store.write(async (tx) => {
    const found = await toConfirm(tx)
    if (found === null) return false
    const { row, order } = found
    await claimLine(tx, id, order.id)
    const credit = { order, paise: row.amountPaise, utr: row.utr, note: STATEMENT.note, admin, signed }
    await recordCredit(deps, tx, credit)
    return true
  })
}

const CONFIRMABLE: readonly StatementMatch[] = ['ready', 'proposed', 'begins', 'amount']

const notReady = () => new Refusal('ORDER_NOT_HELD', { message: STATEMENT.notReady })

interface MatchedLine {
  row: StatementLineRow
  match: StatementMatch
  order: UpiOrder | null
  other: UpiOrder | null
}

const codesIn = ({ description }: StatementLineRow): string[] =>
  description.toUpperCase().match(/(?<![0-9A-Z])[0-9A-Z]{8}(?![0-9A-Z])/g) ?? []

async function matched(tx: ReadTx, rows: readonly StatementLineRow[]): Promise<MatchedLine[]> {
  const payers = await findPayers(tx, rows)
  const shared = await findSharedUtrs(
    tx,
    rows.flatMap(({ utr }) => utr ?? []),
  )
  const orders = await findUpiOrders(tx, {
    ids: [...rows.flatMap(({ orderId }) => orderId ?? []), ...[...payers.values()].flat()],
    utrs: rows.flatMap(({ utr }) => utr ?? []),
    codes: rows.flatMap(codesIn),
  })
  const mayBegin = rows.some(({ orderId, description }) => orderId === null && mayNameWaiting(description))
  const waiting = mayBegin ? await findWaitingUpiOrders(tx) : []
  const indexed = indexOrders(orders, waiting)
  return rows.map((row) =>
    matchStatementLine(row, {
      ...indexed,
      utr: shared.has(row.utr ?? '') ? null : row.utr,
      payers: payers.get(row.id) ?? [],
    }),
  )
}

const listBankNumbers = ({ utr, numbers }: Pick<StatementLineRow, 'utr' | 'numbers'>): string[] =>
  [utr ?? [], numbers.split(' ').filter(Boolean)].flat()

/**
 * The orders paid by other lines that may be the same credit as a row: they have its day and amount, and a number of it
 * as their UTR, or one in common where a UTR is missing.
 */
async function findPayers(tx: ReadTx, rows: readonly StatementLineRow[]): Promise<Map<string, string[]>> {
  const paid = await findPaidLines(
    tx,
    rows.map(({ day }) => day),
  )
  const lines = new Map([...rows, ...paid].map((line) => [line.id, line]))
  const byNumber = Map.groupBy(
    [...lines.values()].flatMap((line) =>
      listBankNumbers(line).map((number) => ({ line, key: buildLineKey(line, number) })),
    ),
    ({ key }) => key,
  )
  const found = new Map<string, string[]>()
  for (const row of rows) {
    if (row.orderId !== null) continue
    const payers = listBankNumbers(row).flatMap((number) => {
      const having = byNumber.get(buildLineKey(row, number)) ?? []
      return having.flatMap(({ line }) => {
        const isUtr = number === row.utr || number === line.utr
        // If more lines have it than one credit has forms, it belongs to the bank or the payer.
        const isForm = having.length === 2 && (row.utr === null || line.utr === null)
        return line.id !== row.id && (isUtr || isForm) && 'paidOrderId' in line ? line.paidOrderId : []
      })
    })
    if (payers.length > 0) found.set(row.id, payers)
  }
  return found
}

const buildLineKey = ({ day, amountPaise }: Pick<StatementLineRow, 'day' | 'amountPaise'>, number: string): string =>
  [day, amountPaise, number].join('|')

const mayNameWaiting = (description: string): boolean =>
  findCutCodes(description).length > 0 || isWithoutRemark(description)

type OrdersBy<Key> = ReadonlyMap<Key, readonly UpiOrder[]>

/** Looked up per line: comparing each of 500 lines with each of 8,000 orders took most of a second. */
interface IndexedOrders {
  byId: ReadonlyMap<string, UpiOrder>
  byCode: OrdersBy<string>
  paidBy: OrdersBy<string>
  claimedBy: OrdersBy<string>
  waitingFor: OrdersBy<number>
}

function indexOrders(orders: readonly UpiOrder[], waiting: readonly UpiOrder[]): IndexedOrders {
  const byUtr = (utrsOf: (order: UpiOrder) => readonly string[]) => {
    const pairs = orders.flatMap((order) => [...new Set(utrsOf(order))].map((utr) => ({ utr, order })))
    const grouped = Map.groupBy(pairs, ({ utr }) => utr)
    return new Map(Array.from(grouped, ([utr, found]) => [utr, found.map(({ order }) => order)]))
  }
  return {
    byId: new Map(orders.map((order) => [order.id, order])),
    byCode: Map.groupBy(orders, ({ code }) => code),
    paidBy: byUtr(({ paidUtrs }) => paidUtrs),
    claimedBy: byUtr(({ claimedUtrs }) => claimedUtrs),
    waitingFor: Map.groupBy(waiting, ({ totalPaise, receivedPaise }) => totalPaise - receivedPaise),
  }
}

const sortOrders = (orders: readonly UpiOrder[]): UpiOrder[] =>
  orders.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))

interface Candidates extends IndexedOrders {
  /** The row's UTR, unless other lines have it too. */
  utr: string | null
  payers: readonly string[]
}

/**
 * An order that the line has paid comes first, then those whose buyers claim its UTR, then those whose code it has. Two
 * candidates contradict each other: a buyer can claim someone else's number, or write another order's code into a
 * transfer. So does an order that another form of the same credit has paid.
 */
function matchStatementLine(row: StatementLineRow, { utr, payers, waitingFor, ...orders }: Candidates): MatchedLine {
  const paid = orders.byId.get(row.orderId ?? '') ?? orders.paidBy.get(utr ?? '')?.[0]
  const claims = orders.claimedBy.get(utr ?? '') ?? []
  const [payer] = sortOrders(payers.flatMap((id) => orders.byId.get(id) ?? []))
  const named = new Set([...claims, ...sortOrders(codesIn(row).flatMap((code) => orders.byCode.get(code) ?? []))])
  const sorted = [...named].toSorted((a, b) => Number(b.state === 'held') - Number(a.state === 'held'))
  const [first, second] = payer ? [...sorted.filter((one) => one !== payer).slice(0, 1), payer] : sorted
  const guess = paid || first ? null : guessOrder(row, waitingFor.get(row.amountPaise) ?? [])
  const order = paid ?? first ?? guess?.order ?? null
  const other = paid ? null : (second ?? guess?.other ?? null)
  const isPaid = paid !== undefined && paid.receivedPaise > 0
  const match = payer && !paid ? 'disputed' : (guess?.match ?? matchWith(row, { order, isPaid, claims, other }))
  const isAside = row.asideNote !== null && match !== 'ready' && match !== 'done'
  return { row, order, other, match: isAside ? 'aside' : match }
}

/**
 * The waiting order that a line may pay where no whole code and no UTR names an order: by the code's beginning, with
 * the exact amount; or by the amount alone where the bank keeps no remark and only one order waits for it, without
 * another UTR.
 */
function guessOrder(
  { orderId, description }: StatementLineRow,
  exact: readonly UpiOrder[],
): (Pick<MatchedLine, 'match' | 'other'> & { order: UpiOrder }) | null {
  if (orderId !== null) return null
  const words = findCutCodes(description)
  const [order, other = null] = exact.filter(({ code }) => words.some((word) => code.startsWith(word)))
  if (order) return { order, other, match: other ? 'disputed' : 'begins' }
  const [only, another] = exact
  if (!only || another || only.claimedUtrs.length > 0 || !isWithoutRemark(description)) return null
  return { order: only, other: null, match: 'amount' }
}

interface NamedOrders extends Pick<MatchedLine, 'order' | 'other'> {
  isPaid: boolean
  claims: readonly UpiOrder[]
}

function matchWith(row: StatementLineRow, { order, other, isPaid, claims }: NamedOrders): StatementMatch {
  if (!order) return 'unmatched'
  if (isPaid) return 'done'
  if (other) return 'disputed'
  const missing = order.totalPaise - order.receivedPaise
  if (!order.isUnproven && (order.state === 'paid' || missing <= 0)) return 'paid'
  if (row.amountPaise !== missing) return 'differs'
  return claims.includes(order) ? 'ready' : 'proposed'
}

const buildStatementLine = ({ row, match, order, other }: MatchedLine): StatementLine => ({
  id: row.id,
  day: row.day,
  amount: toRupees(row.amountPaise),
  utr: row.utr,
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

import type { StatementMatch } from '@garba/shared/contracts/names'
import type { StatementColumns, StatementLine, StatementMapping } from '@garba/shared/contracts/statement'
import { messageFor } from '@garba/shared/messages/codes'
import { STATEMENT } from '@garba/shared/messages/statement'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { Refusal } from '../../refusal.ts'
import type { ReadTx } from '../../store/sql.ts'
import {
  claimLine,
  everyStatementLine,
  findStatementLines,
  insertStatementLine,
  lineOfOrder,
  listStatementLines,
  type StatementLineRow,
  setAside,
} from '../../store/statementLines.ts'
import { findUpiOrders, type UpiOrder } from '../../store/upiOrders.ts'
import { audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { confirmPayment } from './confirmPayment.ts'
import { readColumns, readCredits } from './statementFile.ts'

/** What a bank's file holds; nothing is kept. Refuses with VALIDATION_FAILED. */
export const readStatement = (csv: string): Omit<StatementColumns, 'success'> => readColumns(csv)

/** Lines in one write, so that sales need not wait for a long statement. */
const AT_ONCE = 200

interface Import {
  admin: Caller
  csv: string
  mapping: StatementMapping
}

/** Keeps the credits of a statement, each once. Confirms nothing. Refuses with VALIDATION_FAILED. */
export async function importStatement(deps: Deps, { admin, csv, mapping }: Import) {
  const { credits, ...skipped } = readCredits(csv, mapping)
  const asideNot = { asideNote: null, asideByName: null, asideAt: null }
  const kept = { importedAt: deps.now(), importedByName: admin.name, orderId: null, ...asideNot }
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
  return { added, known: credits.length - added, ...skipped, lines: await deps.store.read(creditLines) }
}

/** The last imported credits, newest day first, with the orders they match. */
export const statementLines = ({ store }: Deps): Promise<StatementLine[]> => store.read(creditLines)

/** Every imported credit, for an export. */
export const everyCredit = ({ store }: Deps): Promise<StatementLine[]> =>
  store.read(async (tx) => (await matched(tx, await everyStatementLine(tx))).map(viewOf))

export const creditLines = async (tx: ReadTx): Promise<StatementLine[]> =>
  (await matched(tx, await listStatementLines(tx))).map(viewOf)

/**
 * Confirms the orders that these credits paid, one after another; each match is looked at anew. What no longer matches is
 * left, with the reason.
 */
export async function confirmStatement(deps: Deps, { admin, ids }: { admin: Caller; ids: readonly string[] }) {
  const left: { id: string; message: string }[] = []
  const asked = await deps.store.read((tx) => findStatementLines(tx, ids))
  for (const { id } of asked)
    try {
      await confirmLine(deps, { admin, id })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      left.push({ id, message: error.facts.message ?? messageFor(error.code, error.facts) })
    }
  return { confirmed: asked.length - left.length, left, lines: await deps.store.read(creditLines) }
}

interface Aside {
  admin: Caller
  id: string
  /** What the money is; null brings the line back. */
  aside: string | null
}

/** Takes a credit that pays no order out of the way, or brings it back. Refuses with LINE_NOT_FOUND or LINE_PAYS_ORDER. */
export const setLineAside = ({ store, now }: Deps, { admin, id, aside }: Aside): Promise<StatementLine[]> =>
  store.write(async (tx) => {
    const [found] = await matched(tx, await findStatementLines(tx, [id]))
    if (!found) throw new Refusal('LINE_NOT_FOUND')
    if (found.match === 'ready' || found.match === 'done') throw new Refusal('LINE_PAYS_ORDER')
    const at = now()
    await setAside(tx, id, aside === null ? null : { note: aside, byName: admin.name, at })
    await audited(tx, {
      at,
      action: aside === null ? 'statement.broughtBack' : 'statement.setAside',
      actor: admin,
      // Neither the bank's words nor the note: both may name people.
      subject: { id, name: STATEMENT.credit(formatRupees(toRupees(found.row.amountPaise)), found.row.day) },
      detail: STATEMENT.aside.audit,
    })
    return creditLines(tx)
  })

/** The line is written to its order first: a crash before the confirmation leaves it to be confirmed again. */
async function confirmLine(deps: Deps, { admin, id }: { admin: Caller; id: string }): Promise<void> {
  const { order, utr } = await deps.store.write(async (tx) => {
    const [found] = await matched(tx, await findStatementLines(tx, [id]))
    if (!found?.order || (found.match !== 'ready' && found.match !== 'proposed')) throw notReady()
    const other = await lineOfOrder(tx, found.order.id)
    if (other && other.id !== id) throw notReady()
    await claimLine(tx, id, found.order.id)
    return { order: found.order, utr: utrFor(found.row, found.order) }
  })
  try {
    await confirmPayment(deps, { admin, code: order.code, note: STATEMENT.note, ...(utr === null ? {} : { utr }) })
  } catch (error) {
    await deps.store.write(async (tx) => {
      const [found] = await matched(tx, await findStatementLines(tx, [id]))
      // Another may have confirmed it at the same time.
      if (found?.match !== 'done') await claimLine(tx, id, null)
    })
    throw error
  }
}

const notReady = () => new Refusal('ORDER_NOT_HELD', { message: STATEMENT.notReady })

interface Matched {
  row: StatementLineRow
  match: StatementMatch
  order: UpiOrder | null
}

const utrsOf = ({ utrs }: StatementLineRow): string[] => utrs.split(' ').filter(Boolean)

/** The UTR that the guest gave if the line has it, else the only number there is. */
function utrFor(row: StatementLineRow, order: UpiOrder | null): string | null {
  const utrs = utrsOf(row)
  if (order?.utr && utrs.includes(order.utr)) return order.utr
  return utrs[0] ?? null
}

/** Words that may be the code of an order. */
const codesIn = ({ description }: StatementLineRow): string[] =>
  description.toUpperCase().match(/(?<![0-9A-Z])[0-9A-Z]{8}(?![0-9A-Z])/g) ?? []

/** The UTR decides before the code, and an order that the line has paid before both. */
async function matched(tx: ReadTx, rows: readonly StatementLineRow[]): Promise<Matched[]> {
  const orders = await findUpiOrders(tx, {
    ids: rows.flatMap(({ orderId }) => orderId ?? []),
    utrs: rows.flatMap(utrsOf),
    codes: rows.flatMap(codesIn),
  })
  return rows.map((row) => {
    const utrs = utrsOf(row)
    const order =
      orders.find(({ id }) => id === row.orderId) ??
      orders.find(({ utr }) => utr !== null && utrs.includes(utr)) ??
      orders.find(({ code }) => codesIn(row).includes(code)) ??
      null
    return { row, order, match: matchOf(row, order) }
  })
}

/** What was set aside comes back when it proves to be the payment of an order. */
function matchOf(row: StatementLineRow, order: UpiOrder | null): StatementMatch {
  const match = matchWith(row, order)
  return row.asideNote !== null && match !== 'ready' && match !== 'done' ? 'aside' : match
}

function matchWith(row: StatementLineRow, order: UpiOrder | null): StatementMatch {
  if (!order) return 'unmatched'
  const byUtr = order.utr !== null && utrsOf(row).includes(order.utr)
  if (order.captured) return byUtr || row.orderId === order.id ? 'done' : 'paid'
  if (row.amountPaise !== order.amountPaise) return 'differs'
  return byUtr ? 'ready' : 'proposed'
}

const viewOf = ({ row, match, order }: Matched): StatementLine => ({
  id: row.id,
  day: row.day,
  amount: toRupees(row.amountPaise),
  utr: utrFor(row, order),
  text: row.description,
  importedAt: row.importedAt.toISOString(),
  match,
  order: order && {
    code: order.code,
    buyer: order.buyerName,
    total: toRupees(order.amountPaise),
    state: order.state,
    utr: order.utr,
  },
  aside:
    match !== 'aside' || row.asideAt === null
      ? null
      : { note: row.asideNote ?? '', by: row.asideByName ?? '', at: row.asideAt.toISOString() },
})

import type { CallInput } from '@garba/shared/calls/calls'
import { GUEST_LIST_MAX } from '@garba/shared/constants'
import { deskSaleBodySchema } from '@garba/shared/contracts/order'
import type { ListedGuest } from '@garba/shared/contracts/people/guestList'
import { VALIDATION } from '@garba/shared/messages/codes'
import { GUEST_LIST } from '@garba/shared/messages/order'
import { readQuantity } from '@garba/shared/rules/orders/sale'
import { quotePrice } from '@garba/shared/rules/pricing'
import { Refusal } from '../../../refusal.ts'
import type { ReadTx } from '../../../store/engine/sql.ts'
import { findSellersOrder } from '../../../store/orders.ts'
import { insertTickets } from '../../../store/tickets.ts'
import { getFirstType } from '../../../store/typeSeats.ts'
import type { Caller, Deps } from '../../deps.ts'
import { readTableRows, wrongFile } from '../../reconciliation/statementTable.ts'
import { signIds, ticketsFor } from '../../tickets/issueTickets.ts'
import { priceOfType } from '../../tickets/saleLines.ts'
import { eventOnSale, takeSeatsOrRefuse } from '../../tickets/sellTickets.ts'
import { priceByHand, recordSale, type SaleByHand } from './recordSale.ts'
import { isSameSale } from './sellAtDesk.ts'

type Field = 'name' | 'quantity' | 'email' | 'phone'

/** The first that fits a heading: "Guest name" is a name, "Phone number" a phone, "Number of guests" a quantity. */
const HEADINGS: readonly [Field, RegExp][] = [
  ['email', /mail|ઇમેઇલ|ईमेल/i],
  ['phone', /phone|mobile|whats ?app|contact|ફોન|મોબાઇલ|फ़ोन|मोबाइल/i],
  ['name', /name|\bguest\b|નામ|नाम/i],
  ['quantity', /ticket|pass|qty|quantity|count|people|persons?\b|pax|seats?\b|guests\b|^number$|ટિકિટ|टिकट/i],
]
const DELIMITERS = [',', ';', '\t', '|']
const HEADER_WITHIN = 10

/** Each field's column in a heading row; the first of several counts. Null without a column for names. */
function findColumns(cells: readonly string[]): Map<Field, number> | null {
  const columns = new Map<Field, number>()
  for (const [at, cell] of cells.entries()) {
    const field = HEADINGS.find(([, fits]) => fits.test(cell))?.[0]
    if (field !== undefined && !columns.has(field)) columns.set(field, at)
  }
  return columns.has('name') ? columns : null
}

function findHeader(csv: string, delimiter: string) {
  const rows = readTableRows(csv, { delimiter }) ?? []
  const at = rows.slice(0, HEADER_WITHIN).findIndex(({ cells }) => findColumns(cells) !== null)
  const columns = at === -1 ? null : findColumns(rows[at]?.cells ?? [])
  return columns ? { columns, rows: rows.slice(at + 1) } : null
}

interface GuestList {
  guests: ListedGuest[]
  tickets: number
  problems: number
}

/** Reads the guests of a list, and says of each line why it cannot be imported. Nothing is stored. */
export function readGuestList({ settings }: Pick<Deps, 'settings'>, csv: string): GuestList {
  const found = DELIMITERS.map((delimiter) => findHeader(csv, delimiter)).find((header) => header !== null)
  if (!found) throw wrongFile(GUEST_LIST.noHeader)
  const { columns, rows } = found
  const guests = rows
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(({ cells, line }) => {
      const cell = (field: Field) => cells[columns.get(field) ?? -1] ?? ''
      return readGuest({ line, cell, most: settings.limits.perOrder })
    })
  if (guests.length === 0) throw wrongFile(GUEST_LIST.noRows)
  if (guests.length > GUEST_LIST_MAX) throw wrongFile(GUEST_LIST.tooMany(GUEST_LIST_MAX))
  return {
    guests,
    tickets: guests.reduce((sum, { quantity }) => sum + quantity, 0),
    problems: guests.filter(({ problem }) => problem !== null).length,
  }
}

function readGuest({ line, cell, most }: { line: number; cell: (field: Field) => string; most: number }): ListedGuest {
  const typed = cell('quantity')
  const quantity = typed === '' ? 1 : (readQuantity(typed) ?? 0)
  const contact = { email: cell('email') || undefined, phone: cell('phone') || undefined }
  const guest = {
    quantity: Math.max(1, quantity),
    method: 'complimentary',
    name: cell('name'),
    ...contact,
    reason: '-',
  }
  const { data, error } = deskSaleBodySchema.safeParse(guest)
  const tooMany = quantity > most ? VALIDATION.quantityAbove(most) : null
  return {
    line,
    name: data?.name ?? guest.name,
    quantity,
    email: data?.email ?? contact.email ?? null,
    phone: data?.phone ?? contact.phone ?? null,
    problem: error?.issues[0]?.message ?? (quantity < 1 ? GUEST_LIST.quantity : tooMany),
  }
}

const ONE = { quantity: 1 }

type GuestListImport = CallInput<'importGuestList'> & { admin: Caller; idempotencyKey: string }

/**
 * Gives every guest of a list complimentary tickets, an order for each, in one write: all or none. A repeated key gets
 * the first answer and gives nothing more.
 */
export async function importGuestList(
  deps: Deps,
  { admin, csv, reason, idempotencyKey }: GuestListImport,
): Promise<{ orders: number; tickets: number }> {
  const { guests, tickets } = readGuestList(deps, csv)
  const wrong = guests.find(({ problem }) => problem !== null)
  if (wrong) throw wrongFile(GUEST_LIST.line(wrong.line, wrong.problem ?? ''))
  const sales = guests.map(({ name, quantity, email, phone }, at): SaleByHand => {
    const buyer = { name, email: email ?? undefined, phone: phone ?? undefined }
    const key = `${idempotencyKey}:${at + 1}`
    const given = { method: 'complimentary', channel: 'desk', drawerId: null } as const
    return { ...buyer, ...given, seller: admin, quantity, reason, idempotencyKey: key }
  })
  const answer = { orders: sales.length, tickets }
  const before = await deps.store.read(async (tx) =>
    (await isImported(tx, sales)) ? null : eventOnSale(deps, tx, { userId: null, choice: ONE }),
  )
  if (before === null) return answer
  const signed = await signIds(deps, { eventId: before.id, quantity: tickets })
  return deps.store.write(async (tx) => {
    if (await isImported(tx, sales)) return answer
    const event = await eventOnSale(deps, tx, { userId: null, choice: ONE })
    if (event.id !== before.id) throw new Refusal('UNAVAILABLE')
    const { id: typeId } = getFirstType(event)
    await takeSeatsOrRefuse(tx, event, [{ typeId, seats: tickets }])
    const at = deps.now()
    const unused = [...signed]
    for (const sale of sales) {
      const own = unused.splice(0, sale.quantity)
      const { quantity } = sale
      const price = priceByHand(priceOfType(quotePrice({ quantity, ...event }), { typeId, quantity }), sale.method)
      const facts = { sale, eventId: event.id, price, signed: own, at }
      const order = await recordSale(deps, tx, { ...facts, action: 'order.deskSale' })
      await insertTickets(tx, await ticketsFor(tx, order, { eventId: event.id, signed: own, createdAt: at }))
    }
    return answer
  })
}

async function isImported(tx: ReadTx, sales: readonly SaleByHand[]): Promise<boolean> {
  const [first] = sales
  if (!first || !(await findSellersOrder(tx, first.seller.id, first.idempotencyKey))) return false
  const next = first.idempotencyKey.replace(/1$/, String(sales.length + 1))
  let isSame = (await findSellersOrder(tx, first.seller.id, next)) === undefined
  for (const sale of sales) {
    const order = await findSellersOrder(tx, sale.seller.id, sale.idempotencyKey)
    isSame &&= order !== undefined && (await isSameSale(tx, order, sale))
  }
  if (!isSame) throw new Refusal('IDEMPOTENCY_KEY_REUSED')
  return true
}

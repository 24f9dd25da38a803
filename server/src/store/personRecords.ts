import { BLOCK } from '@garba/shared/messages/gate'
import { foldEmail, foldText } from '@garba/shared/rules/search'
import { and, asc, eq, inArray, isNotNull, isNull, notInArray, or, sql } from 'drizzle-orm'
import { audit } from './audit.ts'
import { cashSessions } from './cashSessions.ts'
import { pairedDevices } from './devices.ts'
import { listIds, type ReadTx } from './engine/sql.ts'
import { type OrderRow, orders } from './orders.ts'
import { type PaymentRow, paymentsOfOrders } from './payments.ts'
import { type RefundRow, refunds } from './refunds.ts'
import { type TicketRow, tickets } from './tickets.ts'
import { NAME, phoneKey, type Traces } from './traces.ts'
import { findUserByVerifiedEmail, type UserRow, users } from './users.ts'

export interface PersonRecords {
  account: UserRow | null
  /** The account's id, and those of deleted accounts with the same proven email. */
  userIds: string[]
  /** Includes deleted tickets; oldest first. */
  tickets: TicketRow[]
  orders: OrderRow[]
  payments: PaymentRow[]
  refunds: RefundRow[]
  /** Tickets of their orders that others have claimed through an offer. */
  passedOn: string[]
  /**
   * The ids of orders that may be another person's: they have no email, and their tickets were claimed through an
   * offer.
   */
  takenOver: string[]
  traces: Traces
}

export type Person = { account: UserRow } | { order: OrderRow }

/**
 * Finds the account of an order's buyer: the order's own account, or the account that proved the email on it. Tickets
 * with another email, or with an owner although the order has none, were claimed through an offer.
 */
export async function accountOfBuyer(tx: ReadTx, order: OrderRow): Promise<string | null> {
  if (order.userId !== null) return order.userId
  const email = foldEmail(order.buyerEmail)
  if (email === '') return null
  const which = and(eq(tickets.orderId, order.id), isNotNull(tickets.userId))
  const owned = await tx.sql.select({ id: tickets.userId, email: tickets.buyerEmail }).from(tickets).where(which).all()
  const ticket = owned.find((one) => foldEmail(one.email) === email)
  return ticket ? ticket.id : ((await findUserByVerifiedEmail(tx, email))?.id ?? null)
}

/**
 * Follows a person from the account to its orders and tickets, from tickets to the orders that sold them, and by email
 * and phone number to orders without an account. The email must be proven for the account; an order with another email
 * is another person's, even with the same phone number. The phone number on an order whose tickets were claimed through
 * an offer may also be another person's.
 */
export async function readPersonRecords(tx: ReadTx, person: Person): Promise<PersonRecords> {
  const account = 'account' in person ? person.account : null
  const emails = await listPersonEmails(tx, person)
  const { userIds, earlierNames } = await knownAs(tx, { account, emails })
  const found = { orders: new Map<string, OrderRow>(), tickets: new Map<string, TicketRow>() }
  if ('order' in person) found.orders.set(person.order.id, person.order)
  let before = -1
  while (found.orders.size + found.tickets.size > before) {
    before = found.orders.size + found.tickets.size
    for (const order of await listPersonOrders(tx, { userIds, emails, ...found })) found.orders.set(order.id, order)
    for (const ticket of await listPersonTickets(tx, { userIds, emails, ...found }))
      found.tickets.set(ticket.id, ticket)
  }
  const theirs = { orders: byId(found.orders), tickets: byId(found.tickets) }
  const paid = await paymentsOfOrders(tx, listIds(theirs.orders))
  return {
    account,
    userIds,
    ...theirs,
    payments: paid,
    refunds: await refundsFor(tx, { paid, ...theirs }),
    passedOn: await passedOnFrom(tx, found),
    takenOver: theirs.orders.flatMap((order) => (isTakenOver(order, found.tickets) ? order.id : [])),
    traces: await collectTraces(tx, { account, emails, userIds, earlierNames, ...found }),
  }
}

/**
 * Whether an order was found only because its tickets were claimed through an offer, so its buyer may be another
 * person.
 */
const isTakenOver = ({ id, userId, buyerEmail }: OrderRow, owned: FoundRecords['tickets']): boolean =>
  userId === null &&
  buyerEmail === '' &&
  [...owned.values()].some((ticket) => ticket.orderId === id && ticket.userId !== null)

async function passedOnFrom(tx: ReadTx, found: Pick<FoundRecords, 'orders' | 'tickets'>): Promise<string[]> {
  const sold = inArray(tickets.orderId, [...found.orders.keys()])
  const rows = await tx.sql.select({ id: tickets.id }).from(tickets).where(sold).all()
  return rows.flatMap(({ id }) => (found.tickets.has(id) ? [] : id))
}

/**
 * The emails to search by: the email written on the order, or those that the account proved. These include earlier
 * emails from the audit trail, unless another account has them now.
 */
async function listPersonEmails(tx: ReadTx, person: Person): Promise<string[]> {
  if ('order' in person) return [foldEmail(person.order.buyerEmail)].filter(Boolean)
  const { id, email, emailVerified } = person.account
  if (!emailVerified) return []
  // A drawer has the name alone, which may look like another person's name and email.
  const named = and(eq(audit.subject, id), notInArray(audit.action, ['cash.opened', 'cash.closed']))
  const rows = await tx.sql.selectDistinct({ name: audit.subjectName }).from(audit).where(named).all()
  const earlier = rows.flatMap(({ name }) => name?.match(IN_AUDIT)?.[2] ?? [])
  const taken = await tx.sql.select({ email: users.email }).from(users).where(inArray(users.email, earlier)).all()
  return [email, ...earlier.filter((one) => one !== email && !taken.some((other) => other.email === one))]
}

/** The audit trail names people "Name (email)". */
const IN_AUDIT = /^(.*) \(([^ ]+@[^ ]+)\)$/

/**
 * The account's id, the ids of deleted accounts with one of these emails in the audit trail, and the names beside them
 * there, because people change their names.
 */
async function knownAs(
  tx: ReadTx,
  { account, emails }: { account: UserRow | null; emails: readonly string[] },
): Promise<{ userIds: string[]; earlierNames: string[] }> {
  const own = account ? [account.id] : []
  if (emails.length === 0) return { userIds: own, earlierNames: [] }
  // A chosen email cannot make another person's entry match.
  const named = emails.map(
    (email) => sql`lower(${audit.subjectName}) like ${`% (${email.replace(/[\\%_]/g, '\\$&')})`} escape '\\'`,
  )
  const rows = await tx.sql
    .selectDistinct({ id: audit.subject, name: audit.subjectName })
    .from(audit)
    .where(or(...named))
    .all()
  const ids = rows.flatMap(({ id }) => id ?? [])
  const standing = await tx.sql.select({ id: users.id }).from(users).where(inArray(users.id, ids)).all()
  const others = new Set(standing.flatMap(({ id }) => (id === account?.id ? [] : id)))
  const theirs = rows.filter(({ id }) => id === null || !others.has(id))
  return {
    userIds: [...new Set([...own, ...theirs.flatMap(({ id }) => id ?? [])])],
    earlierNames: theirs.flatMap(({ name }) => name?.match(IN_AUDIT)?.[1] ?? []),
  }
}

interface FoundRecords {
  userIds: readonly string[]
  emails: readonly string[]
  orders: ReadonlyMap<string, OrderRow>
  tickets: ReadonlyMap<string, TicketRow>
}

const byId = <R extends { id: string }>(rows: ReadonlyMap<string, R>): R[] =>
  [...rows.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))

const listPhoneKeys = (found: Pick<FoundRecords, 'orders' | 'tickets'>): Set<string> =>
  new Set(placedBy(found).flatMap(({ buyerPhone }) => (buyerPhone === null ? [] : (phoneKey(buyerPhone) ?? []))))

const placedBy = (found: Pick<FoundRecords, 'orders' | 'tickets'>): OrderRow[] =>
  [...found.orders.values()].filter((order) => !isTakenOver(order, found.tickets))

/**
 * Orders of these accounts, and orders without an account that have one of their tickets, one of their emails or a
 * phone number, and no other email.
 */
async function listPersonOrders(tx: ReadTx, { userIds, emails, ...found }: FoundRecords): Promise<OrderRow[]> {
  const sellers = [...found.tickets.values()].flatMap(({ orderId }) => orderId ?? [])
  const phones = listPhoneKeys(found)
  const rows = await tx.sql
    .select()
    .from(orders)
    .where(
      or(
        inArray(orders.userId, userIds),
        and(
          isNull(orders.userId),
          or(
            inArray(orders.id, sellers),
            inArray(orders.buyerEmail, emails),
            phones.size === 0 ? undefined : isNotNull(orders.buyerPhone),
          ),
        ),
      ),
    )
    .all()
  return rows.filter(({ id, userId, buyerEmail, buyerPhone }) => {
    if (userId !== null || emails.includes(foldEmail(buyerEmail))) return true
    const isTheirs = sellers.includes(id) || (buyerPhone !== null && phones.has(phoneKey(buyerPhone) ?? ''))
    return buyerEmail === '' && isTheirs
  })
}

const listPersonTickets = async (tx: ReadTx, { userIds, emails, orders: sold }: FoundRecords): Promise<TicketRow[]> =>
  tx.sql
    .select()
    .from(tickets)
    .where(
      or(
        inArray(tickets.userId, userIds),
        and(
          isNull(tickets.userId),
          or(inArray(tickets.orderId, [...sold.keys()]), inArray(tickets.buyerEmail, emails)),
        ),
      ),
    )
    .all()

async function refundsFor(
  tx: ReadTx,
  of: Pick<PersonRecords, 'tickets'> & { paid: readonly PaymentRow[] },
): Promise<RefundRow[]> {
  const which = or(inArray(refunds.paymentId, listIds(of.paid)), inArray(refunds.ticketId, listIds(of.tickets)))
  return tx.sql.select().from(refunds).where(which).orderBy(asc(refunds.id)).all()
}

async function collectTraces(
  tx: ReadTx,
  {
    account,
    emails,
    userIds,
    earlierNames,
    ...found
  }: Pick<PersonRecords, 'account'> & FoundRecords & { earlierNames: string[] },
): Promise<Traces> {
  const names = [
    account?.name ?? '',
    ...earlierNames,
    ...placedBy(found).map(({ buyerName }) => buyerName),
    ...[...found.tickets.values()].map(({ buyerName }) => buyerName),
  ]
  const others = await namesOfOthers(tx, userIds)
  return {
    emails: [...new Set([...(account ? [account.email] : []), ...emails])],
    phones: [...listPhoneKeys(found)],
    names: [...new Map(names.map((name) => [foldText(name), name])).entries()]
      .filter(([folded]) => folded.includes(' ') && !others.has(folded))
      .map(([, name]) => name),
  }
}

/**
 * The names of other accounts and of the crew are not searched for. Otherwise erasing a guest could erase a cashier of
 * the same name from the notes on a drawer.
 */
async function namesOfOthers(tx: ReadTx, userIds: readonly string[]): Promise<Set<string>> {
  const accounts = await tx.sql.select({ id: users.id, name: users.name }).from(users).all()
  const cashiers = await tx.sql.selectDistinct({ name: cashSessions.personName }).from(cashSessions).all()
  const phones = await tx.sql
    .select({ name: pairedDevices.name, shift: pairedDevices.shiftName })
    .from(pairedDevices)
    .all()
  return new Set(
    [
      ...[NAME, BLOCK.atDoor],
      ...accounts.flatMap(({ id, name }) => (userIds.includes(id) ? [] : name)),
      ...cashiers.map(({ name }) => name),
      ...phones.flatMap(({ name, shift }) => [name, shift ?? '']),
    ].map(foldText),
  )
}

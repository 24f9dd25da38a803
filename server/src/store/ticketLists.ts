import type { TicketStatus } from '@garba/shared/contracts/names'
import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import { tickets } from './schema.ts'
import { matching, type Slice, type Sql } from './sql.ts'
import type { TicketRow } from './tables/tickets.ts'

export interface TicketFilter {
  status?: TicketStatus | undefined
  /** Words of id (whole or a part), name or email. */
  search?: string | undefined
}

/** Tombstones are in no list. Written out, never bound: see the indexes of the table. */
const LISTED = sql.raw("status <> 'deleted'")

const filtered = ({ status, search }: TicketFilter): SQL | undefined =>
  and(status === undefined ? LISTED : eq(tickets.status, status), matching(tickets.searchText, search))

/** Tickets newest first; all of them without a slice. */
export function listTickets(db: Sql, filter: TicketFilter, slice?: Slice): TicketRow[] {
  const rows = db.select().from(tickets).where(filtered(filter)).orderBy(desc(tickets.id))
  return slice ? rows.limit(slice.limit).offset(slice.offset).all() : rows.all()
}

export const countTickets = (db: Sql, filter: TicketFilter): number =>
  db.select({ n: count() }).from(tickets).where(filtered(filter)).get()?.n ?? 0

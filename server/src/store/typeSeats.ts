import { isCountedApart, type TicketType, type TypeSeats } from '@garba/shared/rules/types/ticketTypes'
import { and, eq, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { prepareQuery } from './engine/preparedQueries.ts'
import { newId, type ReadTx, type WriteTx } from './engine/sql.ts'
import { type EventRow, events, freeEventSeats, type NewEvent, takeEventSeats } from './events.ts'

/**
 * The seats of each ticket type, once they are counted apart. What the types are stands in their event: every sale reads
 * that row anyway. While an event has one type without seats and phases, its only counter is the event's own.
 */
export const typeSeats = sqliteTable(
  'type_seats',
  {
    typeId: text().primaryKey(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    /** The type's own limit, repeated here for the statement that guards it. */
    seats: integer(),
    taken: integer().notNull().default(0),
    /** The most that were ever taken at once: it ends phases for good. */
    most: integer().notNull().default(0),
  },
  (t) => [
    index('type_seats_of_event').on(t.eventId),
    check('type_seats_taken', sql`${t.taken} >= 0 and (${t.seats} is null or ${t.taken} <= ${t.seats})`),
  ],
)

export interface SeatLine {
  typeId: string
  seats: number
}

const ofEvent = prepareQuery((db) =>
  db
    .select()
    .from(typeSeats)
    .where(eq(typeSeats.eventId, sql.placeholder('eventId')))
    .prepare(),
)

export async function readTypeSeats(
  tx: ReadTx,
  event: Pick<EventRow, 'id' | 'types' | 'takenSeats'>,
): Promise<(typeId: string) => TypeSeats> {
  const whole = { taken: event.takenSeats, most: event.takenSeats }
  if (!isCountedApart(event.types)) return () => whole
  const rows = new Map((await ofEvent(tx).all({ eventId: event.id })).map((row) => [row.typeId, row]))
  return (typeId) => rows.get(typeId) ?? { taken: 0, most: 0 }
}

const taken = sql`${typeSeats.taken} + ${sql.placeholder('seats')}`
const take = prepareQuery((db) =>
  db
    .update(typeSeats)
    .set({ taken, most: sql`case when ${typeSeats.most} > ${taken} then ${typeSeats.most} else ${taken} end` })
    .where(
      and(
        eq(typeSeats.typeId, sql.placeholder('typeId')),
        sql`(${typeSeats.seats} is null or ${taken} <= ${typeSeats.seats})`,
      ),
    )
    .returning({ taken: typeSeats.taken })
    .prepare(),
)

const free = async (tx: WriteTx, { typeId, seats }: SeatLine): Promise<void> => {
  await tx.sql
    .update(typeSeats)
    .set({ taken: sql`${typeSeats.taken} - ${seats}` })
    .where(eq(typeSeats.typeId, typeId))
    .run()
}

export const sumSeats = (lines: readonly SeatLine[]): number => lines.reduce((sum, { seats }) => sum + seats, 0)

/**
 * Takes seats of the event and of its types, if that many are free in each; no other statement guards against
 * overselling. Returns the number of taken seats of the event, or null if it took none.
 */
export async function takeSeats(
  tx: WriteTx,
  event: Pick<EventRow, 'id'>,
  lines: readonly SeatLine[],
): Promise<number | null> {
  // The event's row first: PostgreSQL then lets one sale after the other read and take the seats of its types.
  const now = await takeEventSeats(tx, event.id, sumSeats(lines))
  if (!now) return null
  if (!isCountedApart(now.types)) return now.takenSeats
  for (const [at, line] of lines.entries()) {
    if (await take(tx).get({ ...line })) continue
    for (const before of lines.slice(0, at)) await free(tx, before)
    await freeEventSeats(tx, event.id, sumSeats(lines))
    return null
  }
  return now.takenSeats
}

export async function releaseSeats(tx: WriteTx, eventId: string, lines: readonly SeatLine[]): Promise<void> {
  tx.announceChanges('seats')
  await freeEventSeats(tx, eventId, sumSeats(lines))
  for (const line of lines) await free(tx, line)
}

/** Writes the counters that the event's types need. Types keep theirs; the first of an event had all of its seats. */
export async function storeTypeSeats(
  tx: WriteTx,
  event: Pick<EventRow, 'id' | 'types' | 'takenSeats'>,
  before: readonly TicketType[],
): Promise<void> {
  const known = await readTypeSeats(tx, { ...event, types: [...before] })
  await tx.sql.delete(typeSeats).where(eq(typeSeats.eventId, event.id)).run()
  if (!isCountedApart(event.types)) return
  const had = new Set(before.map(({ id }) => id))
  const rows = event.types.map(({ id: typeId, seats }) => ({
    typeId,
    eventId: event.id,
    seats,
    ...(had.has(typeId) ? pick(known(typeId)) : { taken: 0, most: 0 }),
  }))
  await tx.sql.insert(typeSeats).values(rows).run()
}

const pick = ({ taken, most }: TypeSeats): TypeSeats => ({ taken, most })

const makeOnlyType = ({ ticketPricePaise, groupPricePaise, createdAt }: Omit<NewEvent, 'types'>): TicketType => ({
  id: newId(createdAt),
  name: { en: 'General', gu: 'સામાન્ય', hi: 'सामान्य' },
  ...{ note: null, seats: null, from: null, until: null, maxPerOrder: null },
  ...{ paused: false, hidden: false, admits: 1 },
  phases: [{ pricePaise: ticketPricePaise, groupPaise: groupPricePaise ?? ticketPricePaise, until: null, sold: null }],
})

export async function insertEvent(
  tx: WriteTx,
  { types, ...event }: Omit<NewEvent, 'types'> & { types?: TicketType[] },
): Promise<EventRow> {
  const row = await tx.sql
    .insert(events)
    .values({ ...event, types: types ?? [makeOnlyType(event)] })
    .returning()
    .get()
  await storeTypeSeats(tx, row, [])
  return row
}

/** The first type, which an order without lines buys. */
export function getFirstType({ id, types: [first] }: Pick<EventRow, 'id' | 'types'>): TicketType {
  if (!first) throw new RangeError(`Event ${id} has no ticket type`)
  return first
}

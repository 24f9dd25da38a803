import { MINUTE_MS } from '@garba/shared/constants'
import { COUNT_GROUPS } from '@garba/shared/contracts/names'
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type Find, prepareFind, prepareInsert, prepareQuery } from './engine/preparedQueries.ts'
import { byIndex, type ReadTx, type WriteTx } from './engine/sql.ts'
import { tickets } from './tickets.ts'

/**
 * Everything but an entry that changes how many people are inside, under the id that its device gave it: exits of
 * ticket holders, and people counted without a code. There are no foreign keys: who left has left. `change` adds up to
 * the count; it is 0 for an exit of nobody who is known to be inside.
 */
export const movements = sqliteTable(
  'movements',
  {
    id: text().primaryKey(),
    kind: text({ enum: ['exit', 'count'] }).notNull(),
    /** The ticket that an exit counts with. For a group's code it may be another than the phone chose. */
    ticketId: text(),
    chosenId: text(),
    /** The tickets of the group whose code was read; null for a ticket's own code. */
    groupIds: text({ mode: 'json' }).$type<readonly string[]>(),
    group: text({ enum: COUNT_GROUPS }),
    change: integer().notNull(),
    eventId: text(),
    gate: text(),
    deviceId: text(),
    deviceName: text(),
    checkerId: text().notNull(),
    checkerName: text().notNull(),
    senderId: text().notNull(),
    senderName: text().notNull(),
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    receivedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    undoneAt: integer({ mode: 'timestamp_ms' }),
  },
  (t) => [
    index('movements_by_ticket').on(t.ticketId).where(sql`${t.ticketId} is not null`),
    index('movements_counted').on(t.eventId, t.gate, t.at, t.kind, t.change),
  ],
)
export type MovementRow = typeof movements.$inferSelect

export const findMovement: Find<MovementRow> = prepareFind(movements, movements.id)

export const insertMovement = prepareInsert(movements)

export const updateMovement = async (tx: WriteTx, id: string, set: Partial<MovementRow>): Promise<void> => {
  await tx.sql.update(movements).set(set).where(eq(movements.id, id)).run()
}

const familyExits = prepareQuery((db) => {
  const id = sql.placeholder('ticketId')
  const ids = sql`(select ${id} union all select id from ${tickets} where user_id = (select user_id from ${tickets} where id = ${id}))`
  return (
    db
      .select()
      .from(movements)
      // Most events have no exits, and then nobody's tickets are looked up.
      .where(
        and(
          sql`exists (select 1 from ${movements} where ticket_id is not null)`,
          sql`${movements.ticketId} in ${ids}`,
          isNull(movements.undoneAt),
        ),
      )
      .prepare()
  )
})

/** The exits with one ticket and the others of its owner that were not undone. Every entry asks for them. */
export const exitsOfFamily = (tx: ReadTx, ticketId: string): Promise<MovementRow[]> => familyExits(tx).all({ ticketId })

export const exitsOfTickets = async (tx: ReadTx, ids: readonly string[]): Promise<MovementRow[]> =>
  tx.sql
    .select()
    .from(movements)
    .where(and(inArray(movements.ticketId, [...ids]), isNull(movements.undoneAt)))
    .orderBy(asc(movements.at), asc(movements.id))
    .all()

export interface MovedPeople {
  gate: string | null
  minute: number
  out: number
  counted: number
}

/** People who left and people counted, by gate, and by minute from an instant on, as `peopleIn` of store/figures. */
export function peopleMoved(tx: ReadTx, { eventId, since }: { eventId: string; since: Date }): Promise<MovedPeople[]> {
  const minute = sql`case when at >= ${since.getTime()} then at / ${sql.raw(String(MINUTE_MS))} else 0 end`
  return tx.rows<MovedPeople>(sql`
    select gate as "gate", ${minute} as "minute", -sum(case when kind = 'exit' then change else 0 end) as "out",
      sum(case when kind = 'count' then change else 0 end) as "counted"
    from ${byIndex(tx, movements, 'movements_counted')} where event_id = ${eventId} group by 1, 2`)
}

export async function sumMovements(tx: ReadTx, eventId: string): Promise<number> {
  const [row] = await tx.rows<{ sum: number }>(sql`
    select coalesce(sum(change), 0) as "sum" from ${byIndex(tx, movements, 'movements_counted')}
    where event_id = ${eventId}`)
  return row?.sum ?? 0
}

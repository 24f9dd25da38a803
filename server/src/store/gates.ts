import type { TicketKind } from '@garba/shared/contracts/names'
import type { Gate } from '@garba/shared/contracts/phones/device'
import { asc } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { insertNew, type ReadTx, type WriteTx } from './engine/sql.ts'

/** A gate admits the kinds of tickets it names, or all kinds if it names none. */
export const gates = sqliteTable('gates', {
  name: text().primaryKey(),
  kinds: text({ mode: 'json' }).$type<TicketKind[]>().notNull(),
  /** Its position in the desk's order. */
  place: integer().notNull(),
})

export const listGates = async (tx: ReadTx): Promise<Gate[]> =>
  tx.sql.select({ name: gates.name, kinds: gates.kinds }).from(gates).orderBy(asc(gates.place), asc(gates.name)).all()

export async function replaceGates(tx: WriteTx, all: readonly Gate[]): Promise<void> {
  await tx.sql.delete(gates).run()
  for (const [place, { name, kinds }] of all.entries()) await tx.sql.insert(gates).values({ name, kinds, place }).run()
}

/** Adds unknown gates after the others, for all kinds of tickets. */
export async function addGates(tx: WriteTx, names: readonly string[]): Promise<void> {
  const known = await listGates(tx)
  const fresh = names.filter((name) => known.every((gate) => gate.name !== name))
  for (const [at, name] of [...new Set(fresh)].entries())
    await insertNew(tx, gates, { name, kinds: [], place: known.length + at })
}

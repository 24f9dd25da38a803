import type { Right } from '@garba/shared/contracts/names'
import { and, asc, desc, eq, lte } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { newId } from './engine/ids.ts'
import type { ReadTx, WriteTx } from './engine/sql.ts'

/** A paired phone's rights, each with the time it began: a row made offline is judged by the rights at its time. */
export const deviceRights = sqliteTable(
  'device_rights',
  {
    /** The later of two changes in one millisecond has the higher id. */
    id: text().primaryKey(),
    deviceId: text().notNull(),
    since: integer({ mode: 'timestamp_ms' }).notNull(),
    rights: text({ mode: 'json' }).$type<Right[]>().notNull(),
  },
  (t) => [index('device_rights_by_device').on(t.deviceId, t.since)],
)

export const keepRights = async (
  tx: WriteTx,
  { deviceId, since, rights }: { deviceId: string; since: Date; rights: Right[] },
): Promise<void> => {
  await tx.sql
    .insert(deviceRights)
    .values({ id: newId(since), deviceId, since, rights })
    .run()
}

/** The phone's rights at a moment. Before the first rights, the first count, because its clock may be slow. */
export async function rightsAt(tx: ReadTx, deviceId: string, at: Date): Promise<readonly Right[]> {
  const ofDevice = eq(deviceRights.deviceId, deviceId)
  const newest = await tx.sql
    .select()
    .from(deviceRights)
    .where(and(ofDevice, lte(deviceRights.since, at)))
    .orderBy(desc(deviceRights.since), desc(deviceRights.id))
    .limit(1)
    .get()
  if (newest) return newest.rights
  const first = await tx.sql
    .select()
    .from(deviceRights)
    .where(ofDevice)
    .orderBy(asc(deviceRights.since), asc(deviceRights.id))
    .limit(1)
    .get()
  return first?.rights ?? []
}

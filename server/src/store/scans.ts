import { eq, sql } from 'drizzle-orm'
import { inserter, prepared } from './prepared.ts'
import { scans } from './schema.ts'
import type { Sql } from './sql.ts'
import type { NewScan, ScanRow } from './tables/scans.ts'

const byId = prepared((db) =>
  db
    .select()
    .from(scans)
    .where(eq(scans.id, sql.placeholder('id')))
    .prepare(),
)

export const findScan = (db: Sql, id: string): ScanRow | undefined => byId(db).get({ id })

export const insertScan: (db: Sql, scan: NewScan) => void = inserter(scans)

export const updateScan = (db: Sql, id: string, set: Partial<NewScan>): void => {
  db.update(scans).set(set).where(eq(scans.id, id)).run()
}

/** Of each device, the admissions that stand: not the later of two on one ticket, none that was taken back. */
export const admittedByDevice = (db: Sql): Map<string, number> => {
  const rows = db.all<{ deviceId: string; count: number }>(sql`
    select device_id as deviceId, count(*) as count from ${scans} indexed by scans_standing
    where outcome = 'admitted' and undone_at is null and device_id is not null
    group by device_id`)
  return new Map(rows.map(({ deviceId, count }) => [deviceId, count]))
}

import { type SQL, sql } from 'drizzle-orm'
import { audit } from './audit.ts'
import { conflicts } from './conflicts.ts'
import { refusals } from './refusals.ts'
import { scans } from './scans.ts'
import type { ReadTx } from './sql.ts'

/** So many of one kind by one checker or at one device, and the last of them (ms since 1970). */
export interface Watched {
  count: number
  at: number
  checkerName: string | null
  deviceId: string | null
  deviceName: string | null
}

const watched = async (tx: ReadTx, query: SQL): Promise<Watched[]> => tx.sql.all<Watched>(query)

/** Tickets chosen by hand and admitted since an instant: the fullest minute of each sender. */
export const admittedByHand = async (tx: ReadTx, since: Date): Promise<Watched[]> =>
  watched(
    tx,
    sql`
    select max(count) as count, max(at) as at, max(checkerName) as checkerName, null as deviceId, null as deviceName from (
      select count(*) as count, max(received_at) as at, max(sender_name) as checkerName, sender_id as senderId
      from ${scans} indexed by scans_by_hand
      where manual = 1 and received_at >= ${since.getTime()} and outcome <> 'refused'
      group by sender_id, received_at / 60000
    ) group by senderId`,
  )

/** Scans sent since an instant as made long before, of each device. */
export const backDatedByDevice = async (tx: ReadTx, since: Date): Promise<Watched[]> =>
  watched(
    tx,
    sql`
    select count(*) as count, max(received_at) as at, null as checkerName, device_id as deviceId, max(device_name) as deviceName
    from ${scans} indexed by scans_back_dated
    where back_dated = 1 and received_at >= ${since.getTime()}
    group by device_id`,
  )

/** Admissions taken back since an instant, by who did so. */
export const undosByChecker = async (tx: ReadTx, since: Date): Promise<Watched[]> =>
  watched(
    tx,
    sql`
    select count(*) as count, max(at) as at, max(actor_name) as checkerName, null as deviceId, null as deviceName
    from ${audit} indexed by audit_by_action
    where action = 'ticket.admissionUndone' and at >= ${since.getTime()}
    group by actor_id`,
  )

/** Codes of no ticket shown since an instant, refused or let in without a network, by device. */
export const unknownCodesByDevice = async (tx: ReadTx, since: Date): Promise<Watched[]> =>
  watched(
    tx,
    sql`
    select count(*) as count, max(at) as at, null as checkerName, deviceId, max(deviceName) as deviceName from (
      select at, device_id as deviceId, device_name as deviceName
      from ${refusals} indexed by refusals_by_time
      where at >= ${since.getTime()} and code in ('TICKET_NOT_FOUND', 'QR_FORGED')
      union all
      select created_at, second_device_id, json_extract(second, '$.deviceName')
      from ${conflicts} indexed by conflicts_by_time
      where created_at >= ${since.getTime()} and over = 'missing'
    ) group by deviceId`,
  )

import type { AdmissionSide } from '@garba/shared/contracts/scan'
import { and, eq, sql } from 'drizzle-orm'
import { audit } from './audit.ts'
import { conflicts } from './conflicts.ts'
import { byIndex, type ReadTx } from './engine/sql.ts'
import { refusals } from './refusals.ts'
import { scans } from './scans.ts'

/** The count of one kind for a checker or a device, and the time of the last one (ms since 1970). */
export interface Watched {
  count: number
  at: number
  checkerName: string | null
  deviceId: string | null
  deviceName: string | null
}

interface Watching {
  eventId: string
  since: Date
}

/** Tickets chosen by hand and admitted since an instant: each sender's busiest minute. */
export const admittedByHand = (tx: ReadTx, { eventId, since }: Watching): Promise<Watched[]> =>
  tx.rows(sql`
    select max(count) as "count", max(at) as "at", max(name) as "checkerName", null as "deviceId", null as "deviceName" from (
      select count(*) as count, max(received_at) as at, max(sender_name) as name, sender_id
      from ${byIndex(tx, scans, 'scans_by_hand')}
      where event_id = ${eventId} and manual = 1 and received_at >= ${since.getTime()} and outcome <> 'refused'
      group by sender_id, received_at / 60000
    ) as minutes group by sender_id`)

/** Counts, per device, scans sent since an instant that claim a much earlier time. */
export const backDatedByDevice = (tx: ReadTx, { eventId, since }: Watching): Promise<Watched[]> =>
  tx.rows(sql`
    select count(*) as "count", max(received_at) as "at", null as "checkerName", device_id as "deviceId",
      max(device_name) as "deviceName"
    from ${byIndex(tx, scans, 'scans_back_dated')}
    where event_id = ${eventId} and back_dated = 1 and received_at >= ${since.getTime()}
    group by device_id`)

/** Counts the admissions taken back since an instant, by the person who took them back. */
export const undosByChecker = (tx: ReadTx, { eventId, since }: Watching): Promise<Watched[]> =>
  tx.rows(sql`
    select count(*) as "count", max(at) as "at", max(actor_name) as "checkerName", null as "deviceId", null as "deviceName"
    from ${byIndex(tx, audit, 'audit_by_action')}
    where event_id = ${eventId} and action = 'ticket.admissionUndone' and at >= ${since.getTime()}
    group by actor_id`)

/**
 * People let in as the holder of one ticket, and those refused because another holder was let in before. Takes the
 * highest count on one ticket, where the last came since an instant, by the checker of the last.
 */
export async function swapsOnOneTicket(tx: ReadTx, { eventId, since }: Watching): Promise<Watched[]> {
  const letIn = await tx.sql
    .select({ ticketId: conflicts.ticketId, at: conflicts.createdAt, second: conflicts.second })
    .from(conflicts)
    .where(and(eq(conflicts.eventId, eventId), eq(conflicts.disputed, true)))
    .all()
  const refused = await tx.sql
    .select({ ticketId: refusals.ticketId, at: refusals.at, checkerName: refusals.checkerName })
    .from(refusals)
    .where(and(eq(refusals.eventId, eventId), eq(refusals.code, 'SWAP_AGAIN')))
    .all()
  const tries = [...letIn.map(({ second, ...swap }) => ({ ...swap, checkerName: second.checkerName })), ...refused]
  const byChecker = new Map<string, Watched>()
  for (const ofTicket of Map.groupBy(tries, ({ ticketId }) => ticketId).values()) {
    const last = ofTicket.reduce((one, other) => (other.at > one.at ? other : one))
    const { checkerName } = last
    const count = Math.max(ofTicket.length, byChecker.get(checkerName)?.count ?? 0)
    if (last.at >= since)
      byChecker.set(checkerName, { count, at: last.at.getTime(), checkerName, deviceId: null, deviceName: null })
  }
  return [...byChecker.values()]
}

/** Counts codes without a ticket shown since an instant, refused or let in offline, by device. */
export async function unknownCodesByDevice(tx: ReadTx, { eventId, since }: Watching): Promise<Watched[]> {
  const shown = await tx.rows<Pick<Watched, 'at' | 'deviceId' | 'deviceName'>>(sql`
    select at as "at", device_id as "deviceId", device_name as "deviceName"
    from ${byIndex(tx, refusals, 'refusals_by_time')}
    where event_id = ${eventId} and at >= ${since.getTime()} and code in ('TICKET_NOT_FOUND', 'QR_FORGED')`)
  const letIn = await tx.rows<{ at: number; second: string }>(sql`
    select created_at as "at", second as "second"
    from ${byIndex(tx, conflicts, 'conflicts_by_time')}
    where event_id = ${eventId} and created_at >= ${since.getTime()} and over = 'missing'`)
  const byDevice = new Map<string | null, Watched>()
  const add = ({ at, deviceId, deviceName }: Pick<Watched, 'at' | 'deviceId' | 'deviceName'>) => {
    const known = byDevice.get(deviceId)
    byDevice.set(deviceId, {
      count: (known?.count ?? 0) + 1,
      at: Math.max(known?.at ?? 0, at),
      checkerName: null,
      deviceId,
      deviceName: deviceName ?? known?.deviceName ?? null,
    })
  }
  for (const code of shown) add(code)
  for (const { at, second } of letIn) add({ ...(JSON.parse(second) as AdmissionSide), at })
  return [...byDevice.values()]
}

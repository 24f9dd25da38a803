import { firstMissing, markAcknowledged } from '../../store/conflicts.ts'
import { findScan, updateScan } from '../../store/scans.ts'
import type { WriteTx } from '../../store/sql.ts'
import { moveTicket, type TicketRow } from '../../store/tickets.ts'

interface Sold {
  tickets: readonly TicketRow[]
  by: { name: string }
  now: Date
}

/**
 * A person may have been admitted with a code before its sale arrived, and recorded as a conflict on an unknown ticket.
 * Now the ticket is known: that scan becomes its entry, so that no one enters with it again, and the conflict is
 * settled.
 */
export async function enterSold(tx: WriteTx, { tickets, by, now }: Sold): Promise<void> {
  for (const ticket of tickets) {
    const conflict = await firstMissing(tx, ticket.id)
    const scan = conflict && (await findScan(tx, conflict.id))
    if (!scan || scan.undoneAt !== null || ticket.status !== 'active') continue
    const entry = {
      entryTime: new Date(Math.max(scan.at.getTime(), ticket.createdAt.getTime())),
      entryScanId: scan.id,
      scannedByName: scan.checkerName,
      scannedAtDevice: scan.deviceName ?? scan.deviceId,
      entryGate: scan.gate,
    }
    const { id, eventId } = ticket
    await moveTicket(tx, { id, eventId, from: 'active', set: { status: 'used', ...entry }, now })
    await updateScan(tx, scan.id, { outcome: 'admitted', at: entry.entryTime })
    await markAcknowledged(tx, conflict.id, { acknowledgedByName: by.name, acknowledgedAt: now })
  }
}

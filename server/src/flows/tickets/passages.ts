import type { AdmissionSide } from '@garba/shared/contracts/phones/scan'
import { CONFLICT_FIRST_SIDE } from '@garba/shared/messages/gate'
import { followPassages, mayReturn, type TicketPassage, type TicketPassages } from '@garba/shared/rules/event/inside'
import {
  type ConflictRow,
  findConflict,
  insertConflict,
  listTicketConflicts,
  markAcknowledged,
} from '../../store/conflicts.ts'
import type { WriteTx } from '../../store/engine/sql.ts'
import { getEventFor } from '../../store/events.ts'
import { nextRevision } from '../../store/meta.ts'
import { exitsOfTicket, type MovementRow, updateMovement } from '../../store/movements.ts'
import { entriesOfTicket, findScan, type ScanRow, updateScan } from '../../store/scans.ts'
import { correctEntry, findTicketOrTombstone, getNameOnTicket, type TicketRow } from '../../store/tickets.ts'

interface Settlement {
  now: Date
  /** Whose row showed that a double admission was somebody coming back. */
  byName: string
  /** When everybody had left before the change, if the caller knows: with null, a ticket without exits is not read again. */
  leftAt?: Date | null
}

/**
 * Brings everything that is stored about one ticket into agreement with the times of its entries and exits, in whatever
 * order those arrived: which exits count, who came back, and since when nobody is inside with it. Call it after each
 * change of an entry or exit. Nothing happens to a ticket without exits.
 */
export async function settlePassages(tx: WriteTx, ticketId: string, settlement: Settlement): Promise<void> {
  const exits = await exitsOfTicket(tx, ticketId)
  if (exits.length === 0 && settlement.leftAt === null) return
  const ticket = await findTicketOrTombstone(tx, ticketId)
  if (exits.length === 0 && !ticket?.leftAt) return
  const entries = await entriesOfTicket(tx, ticketId)
  const followed = followPassages([...entries.map(toPassage('in')), ...exits.map(toPassage('out'))])
  for (const { id, change } of exits) {
    const counts = followed.exits.has(id) ? -1 : 0
    if (change !== counts) await updateMovement(tx, id, { change: counts })
  }
  if (!ticket) return
  await settleReturns(tx, { ticket, entries, followed, ...settlement })
  const leftAt = ticket.status === 'used' && followed.leftAt !== null ? new Date(followed.leftAt) : null
  if (leftAt?.getTime() !== ticket.leftAt?.getTime())
    await correctEntry(tx, ticketId, { leftAt, updatedAt: settlement.now })
}

/**
 * Two gates without a connection may let out two people of a group with the same ticket. An exit that does not count with
 * its own ticket counts with another of the group's code (`ids`), if somebody was inside with that.
 */
export async function moveStrayExits(tx: WriteTx, ids: readonly string[], settlement: Settlement): Promise<void> {
  const all = await Array.fromAsync(ids, (id) => exitsOfTicket(tx, id))
  for (const stray of all.flat().filter(({ change }) => change === 0))
    for (const id of ids) {
      const exits = await exitsOfTicket(tx, id)
      const passages = [...(await entriesOfTicket(tx, id)).map(toPassage('in')), ...exits.map(toPassage('out'))]
      const [before, after] = [followPassages(passages), followPassages([...passages, toPassage('out')(stray)])]
      if (stray.ticketId === id || after.exits.size === before.exits.size || !after.exits.has(stray.id)) continue
      await updateMovement(tx, stray.id, { ticketId: id })
      await settlePassages(tx, id, settlement)
      break
    }
}

const toPassage =
  (type: TicketPassage['type']) =>
  ({ id, at }: Pick<ScanRow | MovementRow, 'id' | 'at'>): TicketPassage => ({ id, type, at: at.getTime() })

interface Returns extends Settlement {
  ticket: TicketRow
  entries: readonly ScanRow[]
  followed: TicketPassages
}

/** An entry after everybody had left is a return if the event lets people back in, and a double admission if not. */
async function settleReturns(tx: WriteTx, { ticket, entries, followed, now, byName }: Returns): Promise<void> {
  const event = await getEventFor(tx, ticket)
  for (const entry of entries) {
    const { id, at, outcome } = entry
    // An admin may have made the ticket active since, and then the ticket's own entry is somebody else's.
    const returns = followed.returns.has(id) && id !== ticket.entryScanId && mayReturn(event, at.getTime())
    if (returns && (outcome === 'admitted' || outcome === 'conflict')) {
      await updateScan(tx, id, { outcome: 'returned' })
      for (const conflict of await listTicketConflicts(tx, ticket.id))
        if (conflict.acknowledgedAt === null && !conflict.disputed && conflict.second.scanId === id)
          await markAcknowledged(tx, conflict.id, { acknowledgedByName: byName, acknowledgedAt: now })
    }
    if (!returns && outcome === 'returned') {
      if (ticket.status === 'used') await addDouble(tx, { ticket, entry, now })
      else await updateScan(tx, id, { outcome: 'released' })
    }
  }
}

/** An exit was undone, or another person came in before: the person who seemed to come back went in beside them. */
async function addDouble(
  tx: WriteTx,
  { ticket, entry, now }: { ticket: TicketRow; entry: ScanRow; now: Date },
): Promise<void> {
  await updateScan(tx, entry.id, { outcome: 'conflict' })
  if (await findConflict(tx, entry.id)) return
  await insertConflict(tx, {
    id: entry.id,
    ticketId: ticket.id,
    holderName: getNameOnTicket(ticket),
    over: 'used',
    disputed: false,
    first: (await otherSide(tx, { facts: entry, ticket }, 'used')).side,
    second: buildSideOfScan(entry),
    createdAt: now,
    revision: await nextRevision(tx),
    eventId: ticket.eventId,
  })
}

type MadeScan = Pick<ScanRow, 'id' | 'at' | 'checkerName' | 'deviceId' | 'deviceName' | 'gate'>

export const buildSideOfScan = ({ id, at, checkerName, deviceId, deviceName, gate }: MadeScan): AdmissionSide => ({
  scanId: id,
  at: at.toISOString(),
  checkerName,
  deviceId,
  deviceName,
  ...(gate === null ? {} : { gate }),
})

interface OtherSide {
  side: AdmissionSide
  /** The server decided this admission itself, so its time is reliable. */
  online: boolean
}

export async function otherSide(
  tx: WriteTx,
  { facts, ticket }: { facts: Pick<ScanRow, 'at'>; ticket: TicketRow | undefined },
  over: ConflictRow['over'],
): Promise<OtherSide> {
  const scan = over === 'used' && ticket?.entryScanId ? await findScan(tx, ticket.entryScanId) : undefined
  const at = (over === 'used' ? ticket?.entryTime : (ticket?.cancelledAt ?? ticket?.updatedAt)) ?? facts.at
  const desk = { scanId: null, checkerName: CONFLICT_FIRST_SIDE[over], deviceId: null, deviceName: null }
  const side = { ...(scan ? buildSideOfScan(scan) : desk), at: at.toISOString() }
  return { side, online: !scan?.admittedOffline }
}

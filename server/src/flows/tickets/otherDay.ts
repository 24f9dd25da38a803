import type { OtherDayEntry } from '@garba/shared/contracts/order'
import { entriesOnOtherDays } from '../../store/conflicts.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import { findEvent } from '../../store/events.ts'
import { entriesOfTickets, type ScanRow, updateScan } from '../../store/scans.ts'
import { getNameOnTicket, ticketsWithIds } from '../../store/tickets.ts'
import type { Caller, Deps } from '../deps.ts'
import { moveByAdmin, seatsLeft } from './changeTickets.ts'
import { settlePassages } from './passages.ts'

type Entry = ScanRow & { ticketId: string }

async function entriesNow(tx: ReadTx): Promise<Entry[]> {
  const event = await findEvent(tx)
  const rows = event ? await entriesOnOtherDays(tx, event.id) : []
  return rows.flatMap(({ ticketId, ...row }) => (ticketId === null ? [] : [{ ...row, ticketId }]))
}

async function entryViews(tx: ReadTx): Promise<OtherDayEntry[]> {
  const rows = await entriesNow(tx)
  const tickets = await ticketsWithIds(
    tx,
    rows.map(({ ticketId }) => ticketId),
  )
  const names = new Map(tickets.map((ticket) => [ticket.id, getNameOnTicket(ticket)]))
  return rows.map(({ id: scanId, ticketId, at, checkerName, deviceName }) => {
    const name = names.get(ticketId) ?? ''
    return { scanId, ticketId, name, at: at.toISOString(), checkerName, deviceName }
  })
}

export const listOtherDay = ({ store }: Deps): Promise<OtherDayEntry[]> => store.read(entryViews)

/**
 * Makes the tickets of these entries active again, and nobody counts as inside by them. Entries that no longer hold are
 * left alone, so that a repeated call changes nothing.
 */
export const setBackEntries = (
  deps: Deps,
  { admin, scanIds }: { admin: Caller; scanIds: readonly string[] },
): Promise<{ setBack: number; otherDay: OtherDayEntry[] }> =>
  deps.store.write(async (tx) => {
    tx.announceChanges('roster', 'evening')
    const now = deps.now()
    const wanted = new Set(scanIds)
    const entries = (await entriesNow(tx)).filter(({ id }) => wanted.has(id))
    const seats = await seatsLeft(tx)
    for (const { id, ticketId } of entries) {
      await moveByAdmin(tx, { admin, id: ticketId, to: 'active', now, seats, includeUsed: true })
      for (const entry of await entriesOfTickets(tx, [ticketId]))
        if (entry.id === id || entry.outcome === 'returned') await updateScan(tx, entry.id, { undoneAt: now })
      await settlePassages(tx, ticketId, { now, byName: admin.name })
    }
    return { setBack: entries.length, otherDay: await entryViews(tx) }
  })

import type { AdmissionSide } from '@garba/shared/contracts/phones/scan'
import { CONFLICT_FIRST_SIDE } from '@garba/shared/messages/gate'
import {
  assignEntries,
  assignExits,
  followPassages,
  mayReturn,
  type TicketPassage,
  type TicketPassages,
} from '@garba/shared/rules/event/inside'
import {
  type ConflictRow,
  findConflict,
  insertConflict,
  listTicketConflicts,
  markAcknowledged,
  reopenConflict,
} from '../../store/conflicts.ts'
import { listIds, type WriteTx } from '../../store/engine/sql.ts'
import { getEventFor } from '../../store/events.ts'
import { nextRevision } from '../../store/meta.ts'
import { exitsOfFamily, exitsOfTickets, type MovementRow, updateMovement } from '../../store/movements.ts'
import { entriesOfTickets, findScan, type ScanRow, updateScan } from '../../store/scans.ts'
import { sentTickets } from '../../store/ticketLinks.ts'
import {
  correctEntry,
  entryBy,
  findTicketOrTombstone,
  getNameOnTicket,
  listUserTickets,
  moveTicket,
  NO_ENTRY,
  type TicketRow,
  ticketsWithIds,
} from '../../store/tickets.ts'

interface Settlement {
  now: Date
  /** Whose row showed that a double admission was somebody coming back. */
  byName: string
  /** When everybody had left before the change, if the caller knows: with null, a ticket without exits is not read again. */
  leftAt?: Date | null
}

/**
 * Brings everything that is stored about a ticket, and about those that share a group's code with it, into agreement with
 * the times of their entries and exits, in whatever order those arrived: which exits count and with which ticket, who
 * came back, and since when nobody is inside. Call it after each change of an entry or exit. Nothing happens to tickets
 * without exits.
 */
export async function settlePassages(tx: WriteTx, ticketId: string, settlement: Settlement): Promise<void> {
  const near = await exitsOfFamily(tx, ticketId)
  if (near.length === 0 && settlement.leftAt === null) return
  const { ids, exits, ...family } = await readFamily(tx, ticketId, near)
  const entries = await seatEntries(tx, { ids, exits, ...family }, settlement)
  const entriesOf = Map.groupBy(entries, (entry) => entry.ticketId ?? '')
  const assigned = assignExits(
    new Map([...entriesOf].map(([id, own]) => [id, own.map(toPassage('in'))])),
    exits.map((exit) => ({ id: exit.id, at: exit.at.getTime(), tickets: listExitTickets(exit, entries) })),
  )
  const exitsOf = Map.groupBy(exits, ({ id }) => assigned.get(id) ?? '')
  for (const id of ids)
    await settleTicket(tx, id, { ...settlement, entries: entriesOf.get(id) ?? [], exits: exitsOf.get(id) ?? [] })
}

/** All tickets that groups' codes link with this one, and what is known of them. */
async function readFamily(tx: WriteTx, ticketId: string, near: readonly MovementRow[]) {
  const { userId } = (await findTicketOrTombstone(tx, ticketId)) ?? { userId: null }
  const owned = userId === null ? [] : listIds(await listUserTickets(tx, userId))
  const all = [...new Set([ticketId, ...owned, ...near.flatMap(({ groupIds }) => groupIds ?? [])])]
  const [entries, exits] = [await entriesOfTickets(tx, all), await exitsOfTickets(tx, all)]
  const groups = [
    ...entries.map(({ groupIds }) => groupIds ?? []),
    ...exits.map(({ groupIds, ...exit }) => [exit.ticketId ?? '', exit.chosenId ?? '', ...(groupIds ?? [])]),
  ]
  const ids = new Set([ticketId])
  for (let size = 0; size < ids.size; ) {
    size = ids.size
    for (const group of groups) if (group.some((id) => ids.has(id))) for (const id of group) ids.add(id)
  }
  const isOfFamily = (row: { ticketId: string | null }) => row.ticketId !== null && ids.has(row.ticketId)
  return { ids, entries: entries.filter(isOfFamily), exits: exits.filter(isOfFamily) }
}

interface Family {
  ids: ReadonlySet<string>
  entries: readonly ScanRow[]
  exits: readonly MovementRow[]
}

/**
 * Moves entries by a group's code to the tickets that `assignEntries` finds. Tickets stay out of it whose entries an admin
 * changed or a swap disputes. Returns the entries as they are then, the first of each ticket as its admission.
 */
async function seatEntries(tx: WriteTx, family: Family, { now, byName }: Settlement): Promise<readonly ScanRow[]> {
  const { ids, entries, exits } = family
  if (entries.every(({ groupIds }) => groupIds === null)) return entries
  const seats = await findSeats(tx, family)
  const [seat] = seats.values()
  if (seat === undefined) return entries
  const [event, sent] = [await getEventFor(tx, seat), await sentTickets(tx, { ids: [...ids] })]
  const listSeats = ({ chosenId, ticketId, groupIds }: ScanRow) => {
    const chosen = chosenId ?? ticketId ?? ''
    const free = [...new Set([chosen, ...(groupIds ?? []).filter((id) => !sent.has(id))])].filter((id) => seats.has(id))
    return free.length === 0 ? [ticketId ?? ''] : free
  }
  const moving = entries.filter(({ ticketId }) => seats.has(ticketId ?? ''))
  const groups = entries.flatMap(({ groupIds }) => (groupIds ? [groupIds] : []))
  const assigned = assignEntries(
    moving.map((entry) => ({ id: entry.id, at: entry.at.getTime(), tickets: listSeats(entry) })),
    {
      exits: exits.map(({ id, at, chosenId, groupIds }) => {
        const chosen = chosenId ?? ''
        const others = groupIds ?? groups.filter((group) => group.includes(chosen)).flat()
        return { id, at: at.getTime(), tickets: [chosen, ...others] }
      }),
      mayReturnAt: (at) => mayReturn(event, at),
    },
  )
  const seated = entries.map((entry) => ({ ...entry, ticketId: assigned.get(entry.id) ?? entry.ticketId }))
  const entriesOf = Map.groupBy(seated, ({ ticketId }) => ticketId ?? '')
  const isTaken = (id: string) => entriesOf.has(id)
  // Tickets that lose their entry first, because each entry is that of one ticket.
  for (const ticket of [...seats.values()].toSorted((a, b) => Number(isTaken(a.id)) - Number(isTaken(b.id)))) {
    const own = entriesOf.get(ticket.id) ?? []
    await seatFirst(tx, { ticket, first: own[0], now })
    for (const entry of own) {
      const known = moving.find(({ id }) => id === entry.id)
      const hasMoved = known?.ticketId !== entry.ticketId
      // Whether it is a return is judged by its ticket's passages after this.
      const outcome =
        entry === own[0] ? 'admitted' : hasMoved || entry.outcome === 'admitted' ? 'returned' : entry.outcome
      if (!hasMoved && entry.outcome === outcome) continue
      if (entry.outcome === 'conflict')
        await markAcknowledged(tx, entry.id, { acknowledgedByName: byName, acknowledgedAt: now })
      await updateScan(tx, entry.id, { ticketId: entry.ticketId, outcome })
      entry.outcome = outcome
    }
  }
  return seated
}

const SEATED = new Set<ScanRow['outcome']>(['admitted', 'conflict', 'returned'])

async function findSeats(tx: WriteTx, { ids, entries }: Family): Promise<Map<string, TicketRow>> {
  const odd = new Set(
    entries.flatMap((one) => (SEATED.has(one.outcome) && !one.backDated && !one.flag ? [] : one.ticketId)),
  )
  const seats = new Map<string, TicketRow>()
  for (const ticket of await ticketsWithIds(tx, [...ids])) {
    const isSeat = (ticket.status === 'active' || ticket.status === 'used') && !ticket.replacedAt && !odd.has(ticket.id)
    const isMarked = ticket.status === 'used' && ticket.entryScanId === null
    const isDisputed = (await listTicketConflicts(tx, ticket.id)).some(
      ({ disputed, over }) => disputed || over !== 'used',
    )
    if (isSeat && !isMarked && !isDisputed) seats.set(ticket.id, ticket)
  }
  return seats
}

/** Makes an entry the admission of a ticket, or the ticket active if its entry was another's. */
async function seatFirst(
  tx: WriteTx,
  { ticket, first, now }: { ticket: TicketRow; first: ScanRow | undefined; now: Date },
): Promise<void> {
  if (first?.id === (ticket.entryScanId ?? undefined)) return
  if (first === undefined) await moveTicket(tx, ticket, { status: 'active', ...NO_ENTRY }, now)
  else if (ticket.status === 'used') await correctEntry(tx, ticket.id, { ...entryBy(first), updatedAt: now })
  else await moveTicket(tx, ticket, { status: 'used', ...entryBy(first) }, now)
}

/** Who came in by a group's code may leave by the own code of another ticket of the group. */
function listExitTickets({ chosenId, groupIds }: MovementRow, entries: readonly ScanRow[]): string[] {
  const others =
    groupIds ?? entries.flatMap((entry) => (entry.groupIds?.includes(chosenId ?? '') ? (entry.ticketId ?? []) : []))
  return [...new Set([chosenId ?? '', ...others])]
}

interface TicketSettlement extends Settlement {
  entries: readonly ScanRow[]
  exits: readonly MovementRow[]
}

async function settleTicket(tx: WriteTx, ticketId: string, given: TicketSettlement): Promise<void> {
  const { entries, exits, now } = given
  const followed = followPassages([...entries.map(toPassage('in')), ...exits.map(toPassage('out'))])
  for (const exit of exits) {
    const change = followed.exits.has(exit.id) ? -1 : 0
    if (exit.change !== change || exit.ticketId !== ticketId) await updateMovement(tx, exit.id, { change, ticketId })
  }
  const ticket = await findTicketOrTombstone(tx, ticketId)
  if (!ticket) return
  await settleReturns(tx, { ...given, ticket, followed })
  const leftAt = ticket.status === 'used' && followed.leftAt !== null ? new Date(followed.leftAt) : null
  if (leftAt?.getTime() !== ticket.leftAt?.getTime()) await correctEntry(tx, ticketId, { leftAt, updatedAt: now })
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
  if (await findConflict(tx, entry.id)) return reopenConflict(tx, entry.id, ticket.id)
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

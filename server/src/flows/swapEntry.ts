import type { ScanBody } from '@garba/shared/contracts/scan'
import { judge } from '@garba/shared/rules/admission'
import { Refusal } from '../refusal.ts'
import { insertConflict } from '../store/conflicts.ts'
import { nextRevision } from '../store/meta.ts'
import { findScan, updateScan } from '../store/scans.ts'
import type { WriteTx } from '../store/sql.ts'
import { correctEntry, findTicketOrTombstone, nameOn, type TicketRow } from '../store/tickets.ts'
import { repeated, type ScanAnswer, writeScan } from './admit.ts'
import { aboutTicket, audited } from './audited.ts'
import type { AnyCaller, Deps } from './deps.ts'
import { lineOf, otherSide, sideOf } from './recordConflict.ts'
import { atItsEvent, knownTicket, nameOfEvent, readScan, type ScanFacts, ticketIdOf, timed } from './scanFacts.ts'
import { scannedTicketView } from './views/ticket.ts'

/**
 * Lets in the holder of a ticket that somebody else used before with a copy of its code: the supervisor has compared the name. The
 * ticket's entry becomes this one, and the first admission is kept as disputed. Both people count as let in. A repeated scanId gets its first answer. Refuses with SWAP_NOT_POSSIBLE unless
 * the ticket is used, with SCAN_ID_REUSED, or as a scan of its code would be.
 */
export async function swapEntry(deps: Deps, { user, scan }: { user: AnyCaller; scan: ScanBody }): Promise<ScanAnswer> {
  const sent = await readScan(deps, { sender: user, scan: { ...scan, admittedOffline: false } })
  return deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const ticketId = ticketIdOf(sent.code)
    const known = await findScan(tx, sent.scanId)
    if (known && known.ticketId !== ticketId) throw new Refusal('SCAN_ID_REUSED')
    if (known) return repeated(known)
    const ticket = ticketId === null ? undefined : await findTicketOrTombstone(tx, ticketId)
    const facts = timed(await atItsEvent(tx, sent, ticket), ticket)
    requireUsed(facts, ticket)
    const body = await swap(tx, facts, ticket)
    await writeScan(tx, facts, { outcome: 'admitted', status: 200, body, flag: null }, false)
    return { status: 200, body }
  })
}

/** The gate does not matter: where the first person went in, the holder may too. */
function requireUsed(facts: ScanFacts, ticket: TicketRow | undefined): asserts ticket is TicketRow {
  const { code } = facts
  const verdict = judge({ code, ticket: knownTicket(ticket), authority: 'server', admittedOffline: false })
  if (!verdict.admit && verdict.code !== 'ALREADY_USED') throw new Refusal(verdict.code)
  if (verdict.admit || !ticket) throw new Refusal('SWAP_NOT_POSSIBLE')
}

async function swap(tx: WriteTx, facts: ScanFacts, ticket: TicketRow): Promise<Record<string, unknown>> {
  const { scanId, checker, device, gate, at, receivedAt } = facts
  const { side: first } = await otherSide(tx, { facts, ticket, ticketId: ticket.id }, 'used')
  const second = sideOf(facts)
  if (first.scanId !== null) await updateScan(tx, first.scanId, { outcome: 'conflict' })
  const held = await correctEntry(tx, ticket.id, {
    entryTime: at,
    entryScanId: scanId,
    scannedByName: checker.name,
    scannedAtDevice: device.name ?? device.id,
    entryGate: gate,
    updatedAt: receivedAt,
  })
  await insertConflict(tx, {
    id: scanId,
    ticketId: ticket.id,
    holderName: nameOn(ticket),
    over: 'used',
    disputed: true,
    first,
    second,
    firstDeviceId: first.deviceId,
    secondDeviceId: second.deviceId,
    createdAt: receivedAt,
    revision: await nextRevision(tx),
    // Whoever swaps has seen it.
    acknowledgedByName: checker.name,
    acknowledgedAt: receivedAt,
    eventId: ticket.eventId,
  })
  const detail = `Let in as the holder: ${lineOf(second)}; disputed: ${lineOf(first)}`
  await audited(tx, { at: receivedAt, action: 'ticket.swapped', actor: checker, subject: aboutTicket(ticket), detail })
  const conflict = { id: scanId, over: 'used', disputed: true, first, second }
  const shown = scannedTicketView(held, nameOfEvent(facts))
  return { success: true, ticket: shown, outcome: 'admitted', scanId, conflict }
}

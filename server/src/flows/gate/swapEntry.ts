import { STATUS_OF } from '@garba/shared/contracts/codes'
import type { ScanBody } from '@garba/shared/contracts/scan'
import { judge } from '@garba/shared/rules/admission'
import { failureBody, Refusal } from '../../refusal.ts'
import { insertConflict, swapsOf } from '../../store/conflicts.ts'
import { nextRevision } from '../../store/meta.ts'
import { updateScan } from '../../store/scans.ts'
import type { WriteTx } from '../../store/sql.ts'
import { correctEntry, findTicketOrTombstone, nameOn, type TicketRow } from '../../store/tickets.ts'
import { aboutTicket, audited } from '../audited.ts'
import type { AnyCaller, Deps } from '../deps.ts'
import { scannedTicketView } from '../tickets/ticketView.ts'
import { knownScan, repeated, type ScanAnswer, writeScan } from './admit.ts'
import { lineOf, otherSide, sideOf } from './recordConflict.ts'
import { recordRefusal } from './recordRefusal.ts'
import { atItsEvent, knownTicket, nameOfEvent, readScan, type ScanFacts, ticketIdOf, timed } from './scanFacts.ts'

/**
 * Lets in the holder of a ticket that another person has used with a copy of its code: the supervisor has compared the
 * name. The ticket's entry becomes this one, and the first admission is kept as disputed. Both people count as let in.
 * A ticket is swapped once; again only by an admin, and each try after the first is an alarm. A repeated scanId gets
 * its first answer. Refuses with SWAP_NOT_POSSIBLE unless the ticket is used, with SWAP_AGAIN, SCAN_ID_REUSED, or as a
 * scan of its code would be.
 */
export async function swapEntry(deps: Deps, { user, scan }: { user: AnyCaller; scan: ScanBody }): Promise<ScanAnswer> {
  const sent = await readScan(deps, { sender: user, scan: { ...scan, admittedOffline: false } })
  return deps.store.write(async (tx) => {
    tx.announce('roster', 'evening')
    const ticketId = ticketIdOf(sent.code)
    const known = await knownScan(tx, sent)
    if (known) return repeated(known)
    const ticket = ticketId === null ? undefined : await findTicketOrTombstone(tx, ticketId)
    const facts = timed(await atItsEvent(tx, sent, ticket), ticket)
    requireUsed(facts, ticket)
    if (user.role !== 'admin' && (await swapsOf(tx, ticket.id)).length > 0)
      return await swappedBefore(tx, facts, ticket)
    const body = await swap(tx, facts, ticket)
    await writeScan(tx, facts, { outcome: 'admitted', status: 200, body, flag: null }, false)
    return { status: 200, body }
  })
}

/** The gate does not matter: the holder may enter where the first person did. */
function requireUsed(facts: ScanFacts, ticket: TicketRow | undefined): asserts ticket is TicketRow {
  const { code } = facts
  const verdict = judge({ code, ticket: knownTicket(ticket), authority: 'server', admittedOffline: false })
  if (!verdict.admit && verdict.code !== 'ALREADY_USED') throw new Refusal(verdict.code)
  if (verdict.admit || !ticket) throw new Refusal('SWAP_NOT_POSSIBLE')
}

/** The refusal stays on record: a ticket may be in use to let one person after another in. */
async function swappedBefore(tx: WriteTx, facts: ScanFacts, ticket: TicketRow): Promise<ScanAnswer> {
  const code = 'SWAP_AGAIN'
  const { id: ticketId, eventId } = ticket
  await recordRefusal(tx, { ...facts, code, ticketId, eventId, holderName: nameOn(ticket) })
  return { status: STATUS_OF[code], body: failureBody(code, { body: { scanId: facts.scanId } }) }
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
    acknowledgedByName: null,
    acknowledgedAt: null,
    eventId: ticket.eventId,
  })
  const detail = `Let in as the holder: ${lineOf(second)}; disputed: ${lineOf(first)}`
  await audited(tx, { at: receivedAt, action: 'ticket.swapped', actor: checker, subject: aboutTicket(ticket), detail })
  const conflict = { id: scanId, over: 'used', disputed: true, first, second }
  const shown = scannedTicketView(held, nameOfEvent(facts))
  return { success: true, ticket: shown, outcome: 'admitted', scanId, conflict }
}

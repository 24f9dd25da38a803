import type { RefusalCode } from '@garba/shared/contracts/codes'
import type { ScannedTicket } from '@garba/shared/contracts/scan'
import { judge } from '@garba/shared/rules/admission'
import { memberFact, readGroupQr } from '@garba/shared/rules/groupQr'
import { Refusal } from '../../refusal.ts'
import type { ReadTx } from '../../store/sql.ts'
import { findTicketOrTombstone, type TicketRow } from '../../store/tickets.ts'
import type { Deps } from '../deps.ts'
import { scannedTicketView } from '../tickets/ticketView.ts'
import { knownTicket, readKeys } from './scanFacts.ts'
import { recordRefused, type Verifying } from './verifyQr.ts'

/**
 * The tickets of a group code that the server knows, whatever their status. A code that admits no one any more is
 * recorded for the evening view, as `verifyQr` does. Refuses with QR_MALFORMED, QR_FORGED, QR_OTHER_EVENT, or
 * TICKET_NOT_FOUND when it knows none of its tickets.
 */
export async function verifyGroup(deps: Deps, verifying: Verifying): Promise<ScannedTicket[]> {
  const { event, keys } = await readKeys(deps, {})
  const group = await readGroupQr({ text: verifying.qrCode.trim(), keys, eventId: event?.id ?? '' })
  const ids = group.type === 'malformed' ? [] : group.ticketIds
  const rows = await deps.store.read((tx) => rowsOf(tx, ids))
  const codes = ids.map((id) => {
    const ticket = knownTicket(rows.get(id))
    const verdict = judge({ code: memberFact(group, id), ticket, authority: 'server', admittedOffline: false })
    return verdict.admit ? null : verdict.code
  })
  const tickets = ids.flatMap((id) => rows.get(id) ?? []).filter(({ status }) => status !== 'deleted')
  if (codes.every((code) => code !== null)) {
    const code: RefusalCode = codes[0] ?? 'QR_MALFORMED'
    const ticketId = ids[0] ?? null
    const ticket = tickets.find(({ id }) => id === ticketId)
    await recordRefused(deps, { verifying, code, ticketId, ticket, eventId: event?.id ?? null })
    if (group.type !== 'genuine' || tickets.length === 0) throw new Refusal(code)
  }
  return tickets.map((ticket) => scannedTicketView(ticket, event?.name ?? ''))
}

async function rowsOf(tx: ReadTx, ids: readonly string[]): Promise<Map<string, TicketRow>> {
  const rows = new Map<string, TicketRow>()
  for (const id of ids) {
    const row = await findTicketOrTombstone(tx, id)
    if (row) rows.set(id, row)
  }
  return rows
}

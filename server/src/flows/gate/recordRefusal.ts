import type { Code } from '@garba/shared/contracts/codes'
import { AUDIT } from '@garba/shared/messages/audit'
import { messageFor } from '@garba/shared/messages/codes'
import { insertRefusal } from '../../store/refusals.ts'
import type { WriteTx } from '../../store/sql.ts'
import { aboutTicket, audited } from '../audited.ts'

interface Refused {
  receivedAt: Date
  code: Code
  ticketId: string | null
  /** The event whose gate refused. */
  eventId: string | null
  holderName: string | null
  checker: { id: string; name: string }
  device: { id: string | null; name: string | null }
}

/** Records a refused scan, for the evening view and the audit trail. */
export async function recordRefusal(tx: WriteTx, refused: Refused): Promise<void> {
  const { receivedAt, code, ticketId, eventId, holderName, checker, device } = refused
  await insertRefusal(tx, {
    at: receivedAt,
    code,
    ticketId,
    holderName,
    checkerName: checker.name,
    deviceId: device.id,
    deviceName: device.name,
    eventId,
  })
  const where = device.name ?? device.id
  const detail = `Refused${where === null ? '' : ` at ${where}`}: ${messageFor(code)}`
  const subject =
    ticketId === null
      ? { id: null, name: AUDIT.unreadable, eventId }
      : aboutTicket({ id: ticketId, buyerName: holderName, eventId })
  await audited(tx, { at: receivedAt, action: 'ticket.refused', actor: checker, subject, detail })
}

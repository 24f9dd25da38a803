import type { AnsweredConflict, BatchResult, DeviceConflict } from '@garba/shared/contracts/scan'
import { SCAN } from '@garba/shared/messages/codes'
import type { OutboxRow } from '../../platform/store/gateSchema.ts'
import { conflictWords } from '../core/conflictWords.ts'
import { type Clock, entryOfTicket, isRefusal, refusalWords } from '../core/words.ts'
import type { Settlement } from '../store/outbox.ts'

/** The conflict of an answer, under the id that both devices and the gate view know it by; old answers carry none. */
export function conflictOf(
  row: Pick<OutboxRow, 'scanId' | 'ticketId' | 'name'>,
  answered: AnsweredConflict,
  holder?: string,
): DeviceConflict {
  const { scanId, ticketId, name } = row
  const id = answered.id ?? answered.second.scanId ?? scanId
  return { ...answered, id, ticketId, name: holder ?? name ?? SCAN.unknownChecker }
}

interface Heard {
  row: OutboxRow
  result: BatchResult
  clock: Clock
}

/** What a final answer makes of a queued scan (fate `done`). */
export function settlementOf({ row, result, clock }: Heard): Settlement {
  const { scanId, ticketId } = row
  const name = result.ticket?.user.name ?? row.name
  if (row.undo) return { scanId, ticketId, record: null, conflict: null }
  if (result.outcome === 'conflict' && result.conflict) {
    const conflict = conflictOf(row, result.conflict, result.ticket?.user.name)
    const { title, detail } = conflictWords(conflict, { deviceId: row.deviceId, clock })
    return { scanId, ticketId, conflict, record: { ending: 'conflict', marked: true, title, detail } }
  }
  if (result.success) {
    const detail = name === null ? '' : SCAN.welcome(name)
    return {
      scanId,
      ticketId,
      conflict: null,
      record: { ending: 'admitted', marked: true, title: SCAN.entryAllowed, detail },
    }
  }
  // Inside, though the server would not have it: it stays in the list with the server's reason.
  const code = result.code !== undefined && isRefusal(result.code) ? result.code : 'TICKET_NOT_FOUND'
  const entry = result.ticket ? entryOfTicket(result.ticket) : null
  const words = refusalWords({ code, entry, manual: row.manual }, clock)
  return { scanId, ticketId, conflict: null, record: { ending: 'refused', marked: false, ...words } }
}

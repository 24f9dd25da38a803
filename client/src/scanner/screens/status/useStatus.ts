import { MINUTE_MS, SECOND_MS } from '@garba/shared/constants'
import { isDrifting, useClock } from '../../../platform/net/clock.ts'
import { useNow } from '../../../platform/screen/now.ts'
import { formatAge, formatScannerTime } from '../../core/moment.ts'
import { findNearPairingEnd, usePairingRow } from '../../core/pairing.ts'
import { useTrouble } from '../../store/failure.ts'
import type { Unsent } from '../../store/outbox.ts'
import { useRoster } from '../../store/rosterMemory.ts'
import { useStored } from '../../store/useStored.ts'
import { type Connection, useConnection } from '../../sync/connection.ts'
import { useReplay } from '../../sync/replayer.ts'
import { PAIRING } from '../../texts/phone.ts'
import type { Phrase } from '../../texts/phrases.ts'
import { STATUS_BAR } from '../../texts/scanner.ts'

export type Tone = 'ok' | 'warn' | 'bad'
export interface StatusFact {
  tone: Tone
  words: Phrase
}

/** A list older than this is shown in amber: it should be fetched every 30 s. */
const LIST_OLD_MS = 2 * MINUTE_MS

function connectionText(connection: Connection): StatusFact {
  if (connection.type === 'server') return { tone: 'ok', words: STATUS_BAR.online }
  if (connection.type === 'unknown') return { tone: 'warn', words: STATUS_BAR.connecting }
  return { tone: 'warn', words: connection.why === 'slow' ? STATUS_BAR.slow : STATUS_BAR.offline }
}

export function useStatus() {
  const now = useNow(SECOND_MS)
  const connection = useConnection((store) => store.connection)
  const unsent = useStored((store) => store.unsent)
  const conflicts = useStored((store) => store.conflicts.length)
  const replay = useReplay(({ status }) => status)
  const roster = useRoster()
  const offset = useClock((store) => store.offset)
  const trouble = useTrouble((store) => store.trouble)
  const end = findNearPairingEnd(usePairingRow(), new Date(now + offset))
  return {
    connection: connectionText(connection),
    unsent: unsentText({ unsent, now, replay }),
    list: listText({ ...roster, now }),
    // The device's clock against the server's: an offset of +5 min is a clock 5 min behind.
    drift: isDrifting(offset) ? STATUS_BAR.drift(-Math.round(offset / MINUTE_MS)) : null,
    trouble: trouble === null ? null : STATUS_BAR.noRoom,
    again: againText(unsent),
    end: end === null ? null : PAIRING.until(formatScannerTime(end)),
    conflicts: conflicts === 0 ? null : STATUS_BAR.conflicts(conflicts),
  }
}

const againText = (unsent: Unsent | null): string | null =>
  unsent?.again ? STATUS_BAR.again(unsent.again.total - unsent.again.left, unsent.again.total) : null

/** How many and how old, then what is holding them up. Nothing counts as sent before the outbox has been read. */
function unsentText({ unsent, now, replay }: { unsent: Unsent | null; now: number; replay: string }): StatusFact {
  if (unsent === null) return { tone: 'warn', words: STATUS_BAR.reading }
  const { count, oldest, parked } = unsent
  if (oldest === null) return { tone: 'ok', words: STATUS_BAR.allSent }
  const words = STATUS_BAR.unsent(count, formatAge(now - Date.parse(oldest)))
  if (parked > 0) return { tone: 'bad', words: [...words, STATUS_BAR.parked(parked)] }
  if (replay === 'signIn') return { tone: 'bad', words: [...words, STATUS_BAR.waitsForSignIn] }
  return { tone: 'warn', words: replay === 'sending' ? [...words, STATUS_BAR.sending] : words }
}

function listText({ size, syncedAt, now }: { size: number; syncedAt: number | null; now: number }): StatusFact {
  if (syncedAt === null) return { tone: 'bad', words: STATUS_BAR.noList }
  const age = now - syncedAt
  return { tone: age > LIST_OLD_MS ? 'warn' : 'ok', words: STATUS_BAR.list(size, formatAge(age)) }
}

import type { LostAnswer } from '@garba/shared/contracts/ticket'
import { type QrFact, readQr } from '@garba/shared/rules/qr'
import { newId } from '../../store/ids.ts'
import { insertLost, type LostRow, lostOf } from '../../store/lostTickets.ts'
import type { ReadTx } from '../../store/sql.ts'
import { findTicketOrTombstone } from '../../store/tickets.ts'
import type { Caller, Deps } from '../deps.ts'
import { readKeys } from '../gate/scanFacts.ts'

interface Offered {
  qrCode: string
  fact: QrFact
}

/**
 * Notes tickets that a guest's device kept and this server lost, for the desk to confirm. Only a ticket's own code
 * counts, signed for the current event by a key that is not revoked: its holder may have bought it, but only the desk
 * can know. Cancelled and deleted tickets are known. Asked again, it reports their present state. One answer for each
 * code.
 */
export async function offerLost(
  deps: Deps,
  { user, codes }: { user: Caller; codes: readonly string[] },
): Promise<LostAnswer[]> {
  const { event, keys } = await readKeys(deps, {})
  const eventId = event?.id ?? ''
  const offered: Offered[] = []
  for (const code of codes) {
    const qrCode = code.trim()
    offered.push({ qrCode, fact: await readQr({ text: qrCode, keys, eventId }) })
  }
  const { answers, fresh } = await deps.store.read((tx) => judge(tx, user, offered))
  if (fresh.size === 0) return answers
  return deps.store.write(async (tx) => {
    // Another request may have been faster.
    const now = await judge(tx, user, offered)
    for (const [ticketId, qrCode] of now.fresh)
      await insertLost(tx, {
        id: newId(deps.now()),
        ticketId,
        eventId,
        qrCode,
        userId: user.id,
        offeredAt: deps.now(),
        state: 'waiting',
      })
    return now.answers
  })
}

/** Returns the answers, and the codes to be noted by ticket. */
async function judge(
  tx: ReadTx,
  user: Caller,
  offered: readonly Offered[],
): Promise<{ answers: LostAnswer[]; fresh: Map<string, string> }> {
  const own = new Map((await lostOf(tx, user.id)).map((row) => [row.ticketId, row]))
  const fresh = new Map<string, string>()
  const answers: LostAnswer[] = []
  for (const { qrCode, fact } of offered) {
    const answer = (await answerTo(tx, fact, own)) ?? null
    if (answer === null && fact.type === 'genuine') fresh.set(fact.ticketId, qrCode)
    answers.push(answer ?? { state: 'waiting' })
  }
  return { answers, fresh }
}

/** Null for an unknown ticket that this person has not offered yet. */
async function answerTo(tx: ReadTx, fact: QrFact, own: ReadonlyMap<string, LostRow>): Promise<LostAnswer | null> {
  if (fact.type === 'otherEvent') return { state: 'refused', why: 'otherEvent' }
  if (fact.type !== 'genuine' || fact.block) return { state: 'refused', why: 'invalid' }
  const row = own.get(fact.ticketId)
  if (row?.state === 'refused')
    return { state: 'refused', why: 'desk', ...(row.note === null ? {} : { note: row.note }) }
  if (await findTicketOrTombstone(tx, fact.ticketId)) return { state: 'known' }
  return row ? { state: 'waiting' } : null
}

import { LOST_OFFER_MAX } from '@garba/shared/constants'
import type { LostAnswer } from '@garba/shared/contracts/ticket'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { userNow } from '../../platform/identity/session.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { dropLost, type LostTicket, noteLost, readWallet } from '../../platform/store/wallet.ts'

const NONE: readonly LostTicket[] = []
const keyOf = (userId: string | null) => [...KEYS.lostTickets, 'own', userId]

/** Tickets that the server lost, as this device keeps them. */
export function useLost(userId: string | null): readonly LostTicket[] {
  const { data } = useQuery({
    queryKey: keyOf(userId),
    queryFn: async () => (await readWallet(userId ?? ''))?.lost ?? NONE,
    enabled: userId !== null,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? NONE
}

export const showLost = (client: QueryClient, userId: string, lost: readonly LostTicket[]): void =>
  void client.setQueryData(keyOf(userId), lost)

let offering = false

/**
 * Offers the lost tickets to the server, or asks what became of them. Without a network or an answer they stay as they are, until
 * the tickets are fetched the next time. Never throws.
 */
export async function offerLost(client: QueryClient, userId: string): Promise<void> {
  if (offering) return
  offering = true
  try {
    const open = ((await readWallet(userId))?.lost ?? []).filter(({ state }) => state !== 'refused')
    for (let from = 0; from < open.length; from += LOST_OFFER_MAX) {
      const answers = await ask(open.slice(from, from + LOST_OFFER_MAX))
      // Somebody who signed out has no wallet here any more.
      if (userNow()?._id !== userId) return
      showLost(client, userId, await noteLost(userId, answers))
      if ([...answers.values()].some(({ state }) => state === 'known'))
        void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
    }
  } catch (error) {
    if (!isFailure(error)) console.warn('The lost tickets could not be offered', error)
  } finally {
    offering = false
  }
}

async function ask(lost: readonly LostTicket[]): Promise<Map<string, LostAnswer>> {
  const codes = lost.map(({ ticket }) => ticket.qrCode ?? '')
  const { answers } = await call('offerLost', { body: { codes } })
  return new Map(lost.flatMap(({ ticket }, at) => (answers[at] ? [[ticket._id, answers[at]]] : [])))
}

/** Takes a refused ticket away at the guest's wish. Never throws. */
export async function removeLost(client: QueryClient, userId: string, ticketId: string): Promise<void> {
  try {
    showLost(client, userId, await dropLost(userId, ticketId))
  } catch (error) {
    console.warn('A refused ticket could not be removed', error)
  }
}

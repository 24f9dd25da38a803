import type { Ticket } from '@garba/shared/contracts/ticket'
import type { QueryClient } from '@tanstack/react-query'
import { userNow } from '../../platform/identity/session.ts'
import { queries } from '../../platform/queries.ts'
import { readWallet, type Wallet } from '../../platform/store/wallet.ts'

/** Only this user's tickets: a late answer for somebody else must be neither shown nor stored. */
export const ownTickets = (tickets: readonly Ticket[], userId: string): Ticket[] =>
  tickets.filter(({ user }) => user._id === userId)

/**
 * Puts the user's stored data into the memory cache, with its age and to be fetched again, unless there is an answer already.
 * Resolves to whether anything was stored. Throws what IndexedDB throws.
 */
export async function fillFromWallet(client: QueryClient, userId: string): Promise<boolean> {
  const wallet = await readWallet(userId)
  if (wallet === null || userNow()?._id !== userId) return false
  fill(client, wallet)
  return true
}

function fill(client: QueryClient, { userId, tickets, event, savedAt, epoch = 0 }: Wallet): void {
  const mine = queries.myTickets(userId).queryKey
  if (client.getQueryData(mine) === undefined) {
    client.setQueryData(mine, { success: true, tickets: ownTickets(tickets, userId), epoch }, { updatedAt: savedAt })
    void client.invalidateQueries({ queryKey: mine })
  }
  const eventKey = queries.event().queryKey
  if (event !== null && client.getQueryData(eventKey) === undefined) {
    client.setQueryData(eventKey, { success: true, data: event }, { updatedAt: savedAt })
    void client.invalidateQueries({ queryKey: eventKey })
  }
}

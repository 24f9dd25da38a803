import type { Ticket } from '@garba/shared/contracts/ticket'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { userNow } from '../../platform/identity/session.ts'
import { probe } from '../../platform/net/connectivity.ts'
import { queries } from '../../platform/store/queries.ts'
import { readWallet, saveWallet, type Wallet } from '../../platform/store/wallet.ts'

/** A browser whose storage hangs must not keep the page from asking the server. */
const PATIENCE_MS = 1_500

/** Only what is this user's: an answer that came late for somebody else is never shown nor kept (DECISIONS 4). */
export const ownTickets = (tickets: readonly Ticket[], userId: string): Ticket[] =>
  tickets.filter(({ user }) => user._id === userId)

/**
 * Puts what this device kept for the user into the memory cache, with its age, and asks the server anew. Returns whether
 * that is done for this user; until then nothing is asked, so that the saved tickets are never behind the network.
 */
export function useWalletInCache(userId: string | null): boolean {
  const client = useQueryClient()
  const [doneFor, setDoneFor] = useState<string | null>(null)
  useEffect(() => {
    if (userId === null) return
    let gone = false
    const goOn = () => {
      if (!gone) setDoneFor(userId)
    }
    const patience = setTimeout(goOn, PATIENCE_MS)
    // Late is not never: without a network the store is all there is.
    readWallet(userId)
      .then((wallet) => {
        if (wallet === null || gone) return
        seed(client, wallet)
        // A refused connection says so at once; the transport would go on trying for seven seconds.
        void probe()
      })
      .catch((error: unknown) => console.warn('The tickets kept here could not be read', error))
      .finally(goOn)
    return () => {
      gone = true
      clearTimeout(patience)
    }
  }, [userId, client])
  return userId !== null && doneFor === userId
}

function seed(client: QueryClient, { userId, tickets, event, savedAt }: Wallet): void {
  const mine = queries.myTickets(userId).queryKey
  if (client.getQueryData(mine) === undefined) {
    client.setQueryData(mine, { success: true, tickets: ownTickets(tickets, userId) }, { updatedAt: savedAt })
    void client.invalidateQueries({ queryKey: mine })
  }
  const eventKey = queries.event().queryKey
  if (event !== null && client.getQueryData(eventKey) === undefined) {
    client.setQueryData(eventKey, { success: true, data: event }, { updatedAt: savedAt })
    void client.invalidateQueries({ queryKey: eventKey })
  }
}

/**
 * Keeps the wallet for the night with no network. Resolves to whether it is on the disk. Whose it is is checked in the same
 * turn as the write begins, so that a sign-out, which clears all wallets, is never overtaken by it.
 */
export async function keep(wallet: Wallet): Promise<boolean> {
  if (userNow()?._id !== wallet.userId) return false
  try {
    await saveWallet(wallet)
    return true
  } catch (error) {
    console.warn('The tickets could not be kept for offline use', error)
    return false
  }
}

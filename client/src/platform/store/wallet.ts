import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { GroupCode, LostAnswer, Ticket } from '@garba/shared/contracts/ticket'
import type { DBSchema } from 'idb'
import { defineStore } from './db.ts'

export interface Wallet {
  userId: string
  tickets: Ticket[]
  event: GarbaEvent | null
  /** Device time in ms of the server's answer. */
  savedAt: number
  /** The epoch of the server's data. */
  epoch?: number | undefined
  /** Tickets that the server lost when its data were restored, oldest first. */
  lost?: LostTicket[]
}

/** `unsent`: the server has not been asked about the ticket yet. */
export interface LostTicket extends Omit<LostAnswer, 'state'> {
  ticket: Ticket
  state: 'unsent' | 'waiting' | 'refused'
}

/** The codes of a user's groups; `tails` identifies their tickets, in the form of useGroupCodes. */
export interface KeptGroupCodes {
  userId: string
  tails: string
  groups: GroupCode[]
}

interface WalletSchema extends DBSchema {
  wallets: { key: string; value: Wallet }
  groupCodes: { key: string; value: KeptGroupCodes }
}

const store = defineStore<WalletSchema>({
  name: 'garba-wallet',
  version: 2,
  upgrade(db) {
    db.createObjectStore('wallets', { keyPath: 'userId' })
    db.createObjectStore('groupCodes', { keyPath: 'userId' })
  },
})

/** The wallet of this user, or null. Throws what IndexedDB throws. */
export const readWallet = async (userId: string): Promise<Wallet | null> =>
  (await (await store.open()).get('wallets', userId)) ?? null

const isShown = ({ status, qrCode, isPast }: Ticket): boolean => status === 'active' && qrCode !== null && !isPast

/** The tickets that a later epoch of the server's data has lost; each stays until the server knows it. */
function collectLostTickets(kept: readonly Wallet[], { tickets, epoch = 0 }: Wallet): LostTicket[] {
  const known = new Set(tickets.map(({ _id }) => _id))
  const all = kept.flatMap((wallet) => [
    ...(wallet.lost ?? []),
    ...(epoch > (wallet.epoch ?? 0) ? wallet.tickets.filter(isShown) : []).map(
      (ticket): LostTicket => ({ ticket, state: 'unsent' }),
    ),
  ])
  const found = new Map<string, LostTicket>()
  for (const one of all) if (!known.has(one.ticket._id) && !found.has(one.ticket._id)) found.set(one.ticket._id, one)
  return [...found.values()]
}

/**
 * Replaces the user's wallet and keeps lost tickets in the same transaction, so that no restart can come between; it is
 * on the disk when the call resolves. If the server lost the account, its wallet passes to the account with the same
 * email. Tickets of a later answer stay. Resolves to the stored wallet. Throws what IndexedDB throws (QuotaExceededError, ...).
 */
export const saveWallet = (fresh: Wallet, email: string): Promise<Wallet> =>
  store.write(
    ['wallets'],
    async (tx) => {
      const wallets = tx.objectStore('wallets')
      const all = await wallets.getAll()
      const own = all.find(({ userId }) => userId === fresh.userId)
      const epoch = fresh.epoch ?? own?.epoch ?? 0
      // Another tab has stored a later answer. A time in the future comes from a clock that was wrong.
      if (own && own.savedAt > fresh.savedAt && own.savedAt <= Date.now() && epoch <= (own.epoch ?? 0)) {
        const kept = { ...own, event: fresh.event ?? own.event }
        await wallets.put(kept)
        return kept
      }
      const earlier = all.filter((one) => one !== own && epoch > (one.epoch ?? 0) && hasTicketForEmail(one, email))
      const lost = collectLostTickets([...(own ? [own] : []), ...earlier], { ...fresh, epoch })
      const wallet: Wallet = { ...fresh, epoch, ...(lost.length > 0 && { lost }) }
      for (const { userId } of earlier) await wallets.delete(userId)
      await wallets.put(wallet)
      return wallet
    },
    { strict: true },
  )

const hasTicketForEmail = ({ tickets, lost = [] }: Wallet, email: string): boolean =>
  [...tickets, ...lost.map(({ ticket }) => ticket)].some(({ user }) => user.email === email)

export const hasWalletBefore = async (epoch: number): Promise<boolean> =>
  (await (await store.open()).getAll('wallets')).some((wallet) => epoch > (wallet.epoch ?? 0))

/** Stores the server's answers about lost tickets, by ticket id. Tickets that it knows are no longer lost. */
export const saveLostAnswers = (userId: string, answers: ReadonlyMap<string, LostAnswer>): Promise<LostTicket[]> =>
  changeLost(userId, (one) => {
    const answer = answers.get(one.ticket._id)
    if (answer === undefined) return one
    return answer.state === 'known' ? null : { ticket: one.ticket, ...answer, state: answer.state }
  })

export const dropLost = (userId: string, ticketId: string): Promise<LostTicket[]> =>
  changeLost(userId, (one) => (one.ticket._id === ticketId ? null : one))

const changeLost = (userId: string, change: (one: LostTicket) => LostTicket | null): Promise<LostTicket[]> =>
  store.write(
    ['wallets'],
    async (tx) => {
      const wallets = tx.objectStore('wallets')
      const { lost = [], ...wallet } = (await wallets.get(userId)) ?? {}
      const left = lost.flatMap((one) => change(one) ?? [])
      if ('userId' in wallet) await wallets.put({ ...wallet, ...(left.length > 0 && { lost: left }) } as Wallet)
      return left
    },
    { strict: true },
  )

/** The group codes of this user, or null. Throws what IndexedDB throws. */
export const readGroupCodes = async (userId: string): Promise<KeptGroupCodes | null> =>
  (await (await store.open()).get('groupCodes', userId)) ?? null

/** Replaces the user's group codes. Throws what IndexedDB throws. */
export const saveGroupCodes = (kept: KeptGroupCodes): Promise<string> =>
  store.write(['groupCodes'], (tx) => tx.objectStore('groupCodes').put(kept), { strict: true })

/** Removes all wallets and codes from this device: the next person on the phone must not see them. */
export const clearWallets = (): Promise<void> =>
  store.write(['wallets', 'groupCodes'], async (tx) => {
    await Promise.all([tx.objectStore('wallets').clear(), tx.objectStore('groupCodes').clear()])
  })

import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import type { DBSchema } from 'idb'
import { defineStore } from './db.ts'

/** What a guest's device keeps for offline use (DECISIONS 4: per user, removed at sign-out). */
export interface Wallet {
  userId: string
  tickets: Ticket[]
  event: GarbaEvent | null
  /** Device time in ms of the server's answer. */
  savedAt: number
}

interface WalletSchema extends DBSchema {
  wallets: { key: string; value: Wallet }
}

const store = defineStore<WalletSchema>({
  name: 'garba-wallet',
  version: 1,
  upgrade(db, from) {
    if (from < 1) db.createObjectStore('wallets', { keyPath: 'userId' })
  },
})

/** The wallet of this user, or null. Throws what IndexedDB throws. */
export const readWallet = async (userId: string): Promise<Wallet | null> =>
  (await (await store.open()).get('wallets', userId)) ?? null

/** Replaces the user's wallet, on the disk when this resolves. Throws what IndexedDB throws (QuotaExceededError, ...). */
export const saveWallet = (wallet: Wallet): Promise<string> =>
  store.write(['wallets'], (tx) => tx.objectStore('wallets').put(wallet), { strict: true })

/** Removes all wallets from this device: the next person on the phone must not see them. */
export const clearWallets = (): Promise<void> => store.write(['wallets'], (tx) => tx.objectStore('wallets').clear())

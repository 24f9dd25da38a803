import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { GroupCode, Ticket } from '@garba/shared/contracts/ticket'
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

/** The codes of a user's groups; `tails` says for which tickets, as useGroupCodes writes it. */
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
  upgrade(db, from) {
    if (from < 1) db.createObjectStore('wallets', { keyPath: 'userId' })
    if (from < 2) db.createObjectStore('groupCodes', { keyPath: 'userId' })
  },
})

/** The wallet of this user, or null. Throws what IndexedDB throws. */
export const readWallet = async (userId: string): Promise<Wallet | null> =>
  (await (await store.open()).get('wallets', userId)) ?? null

/** Replaces the user's wallet, on the disk when this resolves. Throws what IndexedDB throws (QuotaExceededError, ...). */
export const saveWallet = (wallet: Wallet): Promise<string> =>
  store.write(['wallets'], (tx) => tx.objectStore('wallets').put(wallet), { strict: true })

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

import type { User } from '@garba/shared/contracts/user'
import type { DBSchema } from 'idb'
import { defineStore } from './db.ts'

/** Who was signed in last, as the server told it; `at` is device time in ms. */
export interface KeptUser {
  user: User
  at: number
}

interface KeptSchema extends DBSchema {
  /** Both shells read it: one row, key `user`. */
  session: { key: 'user'; value: KeptUser }
}

const kept = defineStore<KeptSchema>({
  name: 'garba-session',
  version: 1,
  upgrade(db, from) {
    if (from < 1) db.createObjectStore('session')
  },
})

/** The user kept on this device, or null. Like its siblings it throws what IndexedDB throws. */
export const readKeptUser = async (): Promise<KeptUser | null> =>
  (await (await kept.open()).get('session', 'user')) ?? null

export const keepUser = (user: User): Promise<string> =>
  kept.write(['session'], (tx) => tx.objectStore('session').put({ user, at: Date.now() }, 'user'))

export const forgetUser = (): Promise<void> => kept.write(['session'], (tx) => tx.objectStore('session').delete('user'))

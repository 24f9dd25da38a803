import type { User } from '@garba/shared/contracts/people/user'
import type { DBSchema } from 'idb'
import { defineStore } from './db.ts'

/** The last signed-in user, as the server sent it; `at` is device time in ms. */
export interface KeptUser {
  user: User
  at: number
}

interface KeptSchema extends DBSchema {
  session: { key: 'user'; value: KeptUser }
}

const kept = defineStore<KeptSchema>({
  name: 'garba-session',
  version: 1,
  upgrade: (db) => void db.createObjectStore('session'),
})

/** The user kept on this device, or null. Like the functions below, it throws what IndexedDB throws. */
export const readKeptUser = async (): Promise<KeptUser | null> =>
  (await (await kept.open()).get('session', 'user')) ?? null

export const keepUser = (user: User): Promise<string> =>
  kept.write(['session'], (tx) => tx.objectStore('session').put({ user, at: Date.now() }, 'user'))

export const forgetUser = (): Promise<void> => kept.write(['session'], (tx) => tx.objectStore('session').delete('user'))

import type { Wallet } from '@garba/shared/contracts/link'
import type { DBSchema } from 'idb'
import { defineStore } from './db.ts'
import { local } from './local.ts'

/** A link that was opened on this device. It belongs to the device, not to an account, so signing out keeps it. */
export interface KeptLink {
  token: string
  wallet: Wallet | null
  /** Device time in ms of that answer; of the first try before there is an answer. */
  savedAt: number
}

interface LinksSchema extends DBSchema {
  links: { key: string; value: KeptLink }
}

const store = defineStore<LinksSchema>({
  name: 'garba-links',
  version: 1,
  upgrade: (db) => void db.createObjectStore('links', { keyPath: 'token' }),
})

const HERE = 'garba.links'
/** Whether links are kept here. Read first, so that pages without links never open the database. */
export const hasLinks = (): boolean => local.read(HERE) === '1'

const DEVICE = 'garba.linkDevice'
let device: string | null = null
/** An id by which the server recognises a device that opens a link again. If the browser stores nothing, it lasts for the page. */
export function linkDevice(): string {
  device ??= local.read(DEVICE) ?? newDevice()
  return device
}

function newDevice(): string {
  const made = crypto.randomUUID()
  local.write(DEVICE, made)
  return made
}

/** The links on this device, the first opened first. Throws what IndexedDB throws. */
export const readLinks = async (): Promise<KeptLink[]> =>
  (await (await store.open()).getAll('links')).toSorted((one, other) => one.savedAt - other.savedAt)

/** Keeps a link for use without a network; it is on the disk when the call resolves. Throws what IndexedDB throws. */
export async function keepLink(link: KeptLink): Promise<void> {
  await store.write(['links'], (tx) => tx.objectStore('links').put(link), { strict: true })
  local.write(HERE, '1')
}

export async function dropLink(token: string): Promise<void> {
  const left = await store.write(['links'], async (tx) => {
    await tx.objectStore('links').delete(token)
    return tx.objectStore('links').count()
  })
  if (left === 0) local.write(HERE, null)
}

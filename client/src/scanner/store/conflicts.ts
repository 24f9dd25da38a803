import type { DeviceConflict } from '@garba/shared/contracts/phones/scan'
import type { ConflictRow } from '../../platform/store/scannerSchema.ts'
import { readStore, type StoreIn, writeRelaxed } from './scannerStore.ts'

/** The conflicts that the checker has not read yet, oldest first. Throws StorageFailure. */
export async function readOpenConflicts(): Promise<ConflictRow[]> {
  const rows = await readStore((db) => db.getAll('conflicts'))
  return rows
    .filter(({ acknowledgedAt }) => acknowledgedAt === null)
    .toSorted((a, b) => a.heardAt.localeCompare(b.heardAt))
}

/** A conflict received before, and perhaps read, stays as it is. Throws StorageFailure. */
export async function putConflicts(store: StoreIn<'conflicts'>, received: readonly DeviceConflict[], heardAt: string) {
  for (const conflict of received) {
    if ((await store.get(conflict.id)) === undefined) await store.put({ ...conflict, heardAt, acknowledgedAt: null })
  }
}

/** Adds the list's conflicts. Names follow the phone's rights, also in conflicts received before. */
export async function addConflicts(received: readonly DeviceConflict[], heardAt: string): Promise<void> {
  if (received.length === 0) return
  await writeRelaxed(['conflicts'], async (tx) => {
    const store = tx.objectStore('conflicts')
    await putConflicts(store, received, heardAt)
    for (const { id, name } of received) {
      const row = await store.get(id)
      if (row) await store.put({ ...row, name })
    }
  })
}

/** Marks a conflict as read on this device, if it has it. The server keeps its own record. Throws StorageFailure. */
export async function markConflictRead(id: string, at: string): Promise<void> {
  await writeRelaxed(['conflicts'], async (tx) => {
    const store = tx.objectStore('conflicts')
    const row = await store.get(id)
    if (row) await store.put({ ...row, acknowledgedAt: at })
  })
}

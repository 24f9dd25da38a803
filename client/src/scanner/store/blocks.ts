import type { DeviceBlock } from '@garba/shared/contracts/block'
import type { BlockRow } from '../../platform/store/scannerSchema.ts'
import { announce } from './news.ts'
import { read, type Tx, writeStrict } from './scannerStore.ts'

/** What the server says this phone may sell; codes that were sold here meanwhile are not among it. Throws StorageFailure. */
export async function keepBlocks(listed: readonly DeviceBlock[]): Promise<void> {
  await writeStrict(['blocks', 'sales'], async (tx) => {
    const before = new Map((await tx.objectStore('blocks').getAll()).map((block) => [block.id, block]))
    await tx.objectStore('blocks').clear()
    for (const block of listed) await putBlock(tx, { ...block, returning: before.get(block.id)?.returning ?? false })
  })
  announce('sales')
}

/** Codes that the server has just signed for this phone. Throws StorageFailure. */
export async function addBlock(block: DeviceBlock): Promise<void> {
  await writeStrict(['blocks', 'sales'], (tx) => putBlock(tx, { ...block, returning: false }))
  announce('sales')
}

async function putBlock(tx: Tx<'blocks' | 'sales'>, block: BlockRow): Promise<void> {
  const sold = new Set((await tx.objectStore('sales').getAll()).flatMap(({ tickets }) => tickets.map(({ id }) => id)))
  const codes = block.codes.filter(({ ticketId }) => !sold.has(ticketId))
  await tx.objectStore('blocks').put({ ...block, codes })
}

/** From now on these codes are sold no more, also if the server's answer is lost. Throws StorageFailure. */
export async function stopSelling(): Promise<void> {
  await writeStrict(['blocks'], async (tx) => {
    const store = tx.objectStore('blocks')
    for (const block of await store.getAll()) await store.put({ ...block, returning: true })
  })
  announce('sales')
}

/** Throws StorageFailure. */
export const readBlocks = (): Promise<BlockRow[]> => read((db) => db.getAll('blocks'))

/** It is back at the server. Throws StorageFailure. */
export async function dropBlock(id: string): Promise<void> {
  await writeStrict(['blocks'], (tx) => tx.objectStore('blocks').delete(id))
  announce('sales')
}

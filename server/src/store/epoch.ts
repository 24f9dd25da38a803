import { ORDER } from '@garba/shared/messages/order'
import { insertAttention } from './attention.ts'
import { lastAuditBefore } from './audit.ts'
import type { ReadTx, WriteTx } from './engine/sql.ts'
import { currentRevision, EPOCH, EPOCH_REVISION, moveRevision, readMeta, writeMeta } from './meta.ts'
import { tickets } from './tickets.ts'

const REVISIONS_PER_MS = 1_000
/** The lost server cannot have made this many changes since the backup, even if its clock was ahead. */
const REVISIONS_AHEAD = 1_000_000

const numberIn = async (tx: ReadTx, key: string): Promise<number> => Number((await readMeta(tx, key)) ?? 0)

/** The epoch and the roster revision at which it began; both are 0 in a database that was never restored. */
export const readEpoch = async (tx: ReadTx): Promise<{ number: number; revision: number }> => ({
  number: await numberIn(tx, EPOCH),
  revision: await numberIn(tx, EPOCH_REVISION),
})

/**
 * When the backup in use was made, if a restore may have lost what was stored at a moment; null if none can have. The
 * backup's last audit row is the last sign of it.
 */
export async function backupBefore(tx: ReadTx, moment: Date): Promise<Date | null> {
  const { number } = await readEpoch(tx)
  return moment.getTime() < number ? lastAuditBefore(tx, new Date(number)) : null
}

export interface EpochProgress {
  epoch: number
  revision: number
}
const NOTHING: EpochProgress = { epoch: 0, revision: 0 }

export const readReached = async (tx: ReadTx): Promise<EpochProgress> => ({
  epoch: await numberIn(tx, EPOCH),
  revision: await currentRevision(tx),
})

/**
 * Begins a new epoch. Its number is the time, so that the latest of several restores wins, but higher
 * than that of `after`, the state it replaces. Every ticket gets a higher revision than any server of an earlier epoch
 * can have assigned, so every device fetches the whole list. The desk is reminded of what only it knew.
 */
export async function raiseEpoch(tx: WriteTx, now: Date, after = NOTHING): Promise<number> {
  const known = Math.max(await numberIn(tx, EPOCH), after.epoch)
  const epoch = Math.max(known + 1, now.getTime())
  const revision = Math.max(
    Math.max(await currentRevision(tx), after.revision) + REVISIONS_AHEAD,
    epoch * REVISIONS_PER_MS,
  )
  await moveRevision(tx, revision)
  await tx.sql.update(tickets).set({ revision }).run()
  await writeMeta(tx, EPOCH, String(epoch))
  await writeMeta(tx, EPOCH_REVISION, String(revision))
  const reminder = { amountPaise: 0, detail: ORDER.doAgain, at: now }
  await insertAttention(tx, { kind: 'restored', dedupeKey: `restored:${epoch}`, ...reminder })
  return epoch
}

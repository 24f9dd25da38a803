import { currentRevision, EPOCH, EPOCH_REVISION, moveRevision, readMeta, writeMeta } from './meta.ts'
import type { ReadTx, WriteTx } from './sql.ts'
import { tickets } from './tickets.ts'

/** More changes than any server makes in a millisecond. */
const REVISIONS_PER_MS = 1_000
/** More changes than the lost server can have made since the backup, if its clock was ahead. */
const REVISIONS_AHEAD = 1_000_000

const numberIn = async (tx: ReadTx, key: string): Promise<number> => Number((await readMeta(tx, key)) ?? 0)

/** The epoch and the roster revision it began with; both 0 in a database that was never restored. */
export const readEpoch = async (tx: ReadTx): Promise<{ number: number; revision: number }> => ({
  number: await numberIn(tx, EPOCH),
  revision: await numberIn(tx, EPOCH_REVISION),
})

/**
 * Begins a new epoch. It is the time, so that the latest of several restores wins. Every ticket gets a new revision,
 * beyond all that the servers of earlier epochs can have given: every device fetches the whole list then.
 */
export async function raiseEpoch(tx: WriteTx, now: Date): Promise<number> {
  const epoch = Math.max((await numberIn(tx, EPOCH)) + 1, now.getTime())
  const revision = Math.max((await currentRevision(tx)) + REVISIONS_AHEAD, epoch * REVISIONS_PER_MS)
  await moveRevision(tx, revision)
  await tx.sql.update(tickets).set({ revision }).run()
  await writeMeta(tx, EPOCH, String(epoch))
  await writeMeta(tx, EPOCH_REVISION, String(revision))
  return epoch
}

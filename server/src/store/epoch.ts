import { randomBytes } from 'node:crypto'
import { lastAuditBefore } from './audit.ts'
import type { ReadTx, WriteTx } from './engine/sql.ts'
import {
  currentRevision,
  dropMeta,
  EARLIER_SECRETS,
  EPOCH,
  EPOCH_REVISION,
  EPOCH_SECRET,
  moveRevision,
  readMeta,
  TAKEN_OVER_BY,
  writeMeta,
} from './meta.ts'
import { tickets } from './tickets.ts'

/** More changes than a server makes in a millisecond. */
const REVISIONS_PER_MS = 1_000
/** The lost server cannot have made this many changes since the backup, even if its clock was ahead. */
const REVISIONS_AHEAD = 1_000_000
const SECRET_BYTES = 32
/** More restores than any installation sees. */
const EARLIER_MAX = 200

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

/** The progress of a database: its epoch, and its current roster revision. */
export interface Reached {
  epoch: number
  revision: number
}
const NOTHING: Reached = { epoch: 0, revision: 0 }

export const readReached = async (tx: ReadTx): Promise<Reached> => ({
  epoch: await numberIn(tx, EPOCH),
  revision: await currentRevision(tx),
})

/** Another server that has proved that it took over. */
export interface TakenOver {
  epoch: number
  /** The address at which it was found. */
  at: string
}

/** The server that took over from the servers of this database; null while none has. */
export async function readTakenOver(tx: ReadTx): Promise<TakenOver | null> {
  const [epoch = '', at = ''] = (await readMeta(tx, TAKEN_OVER_BY))?.split(' ') ?? []
  return epoch === '' ? null : { epoch: Number(epoch), at }
}

export const writeTakenOver = (tx: WriteTx, { epoch, at }: TakenOver): Promise<void> =>
  writeMeta(tx, TAKEN_OVER_BY, `${epoch} ${at}`)

/** The secret of this database's epoch, made at the first start, and those of earlier epochs. */
export async function epochSecrets(tx: WriteTx): Promise<{ secret: string; earlier: string[] }> {
  const earlier = await earlierSecrets(tx)
  return { secret: (await readMeta(tx, EPOCH_SECRET)) ?? (await renewSecret(tx)), earlier }
}

const earlierSecrets = async (tx: ReadTx): Promise<string[]> =>
  ((await readMeta(tx, EARLIER_SECRETS)) ?? '').split(' ').filter(Boolean)

async function renewSecret(tx: WriteTx): Promise<string> {
  const before = await readMeta(tx, EPOCH_SECRET)
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  await writeMeta(tx, EPOCH_SECRET, secret)
  if (before === null) return secret
  const earlier = [...(await earlierSecrets(tx)), before].slice(-EARLIER_MAX)
  await writeMeta(tx, EARLIER_SECRETS, earlier.join(' '))
  return secret
}

/**
 * Begins a new epoch with a new secret. Its number is the time, so that the latest of several restores wins, but higher
 * than that of `after`, the state it replaces. Every ticket gets a higher revision than any server of an earlier epoch
 * can have assigned, so every device fetches the whole list.
 */
export async function raiseEpoch(tx: WriteTx, now: Date, after = NOTHING): Promise<number> {
  const takenOver = await readTakenOver(tx)
  const known = Math.max(await numberIn(tx, EPOCH), takenOver?.epoch ?? 0, after.epoch)
  const epoch = Math.max(known + 1, now.getTime())
  const revision = Math.max(
    Math.max(await currentRevision(tx), after.revision) + REVISIONS_AHEAD,
    epoch * REVISIONS_PER_MS,
  )
  await moveRevision(tx, revision)
  await tx.sql.update(tickets).set({ revision }).run()
  await writeMeta(tx, EPOCH, String(epoch))
  await writeMeta(tx, EPOCH_REVISION, String(revision))
  await dropMeta(tx, TAKEN_OVER_BY)
  await renewSecret(tx)
  return epoch
}

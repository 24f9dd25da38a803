import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { EPOCH_AHEAD_MS } from '@garba/shared/constants'
import { READ_ONLY } from '@garba/shared/messages/codes'
import { epochOf } from '@garba/shared/rules/phones/versions'
import type { Settings } from '../../config.ts'
import { Refusal } from '../../refusal.ts'
import { type Restoring, requireUnused, restore } from '../../store/engine/backup.ts'
import { openForReading, openStore } from '../../store/engine/open.ts'
import type { WriteTx } from '../../store/engine/sql.ts'
import { closing, type Store } from '../../store/engine/store.ts'
import {
  epochSecrets,
  type Reached,
  raiseEpoch,
  readEpoch,
  readReached,
  readTakenOver,
  writeTakenOver,
} from '../../store/epoch.ts'
import { CONFIRMED_AT, dropMeta, OPENED_AS, readMeta, UNPROVED_LATER, writeMeta } from '../../store/meta.ts'
import type { Deps } from '../deps.ts'

const PROOF_BYTES = 16
const RETRY_SECONDS = 5

/**
 * Whether a server may write. `asking`: it was confirmed at its address earlier, and is checking whether it still is.
 */
type Standing = 'writing' | 'asking' | 'unconfirmed' | 'replaced'

/** The answer of a server that has taken over from the asking one. */
export interface Succession {
  epoch: number
  proof: string
}

/** The epoch of this server's data, and its consequences: see shared/docs/decisions/epochs.md. */
export interface Epoch {
  /** 0 until the data is restored for the first time; later epochs are higher. */
  readonly number: number
  /** The roster revision at which it began. */
  readonly revision: number
  /** The number with a proof, as clients carry it. */
  readonly token: string
  /** Receives a client's token. A later epoch in it is only a reason to ask at the server's addresses. */
  noteToken: (token: string) => void
  /** Calls back each time a later epoch shows up, and at once if an earlier version of this server stored one. */
  onLater: (work: () => void) => void
  /** A question for a server that may have taken over. Its answer cannot be known in advance. */
  question: () => string
  /** Answers the question of another server; null unless this one has taken over from it. */
  succession: (question: string) => Succession | null
  /**
   * Checks the answer to a question. If the other server proves that it has taken over, this one becomes read-only for
   * good.
   */
  learn: (later: Succession & { question: string; at: string }) => void
  /** Reports whether the server found itself at its address. Once it has, later reports change nothing. */
  decide: (found: boolean) => void
  /** Why this server is read-only, as a sentence; null while it may write. */
  readOnly: () => string | null
  /** Calls back once it may write, at once if it already may; never if another has taken over. */
  onceWriting: (work: () => void) => void
  /** Wraps the store: writes wait while the server is `asking`, and are refused with READ_ONLY when it is read-only. */
  guard: (store: Store) => Store
}

interface Opening {
  store: Store
  settings: Pick<Settings, 'publicUrl' | 'checksAddress'>
  log: Deps['log']
  now: Deps['now']
}

/** Reads the epoch from the database. */
export async function ensureEpoch({ store, settings, log, now }: Opening): Promise<Epoch> {
  const address = settings.publicUrl ?? ''
  const { secret, earlier, unproved } = await store.write(opened)
  const { epoch, takenOver, confirmedAt } = await store.read(async (tx) => ({
    epoch: await readEpoch(tx),
    takenOver: await readTakenOver(tx),
    confirmedAt: await readMeta(tx, CONFIRMED_AT),
  }))
  const succession = successionOf({ address, number: epoch.number, secret, earlier })
  const isLater = (number: number) =>
    number > epoch.number && number <= Math.max(now().getTime(), epoch.number) + EPOCH_AHEAD_MS
  let standing: Standing = settings.checksAddress && confirmedAt === address ? 'asking' : 'writing'
  let changed = Promise.withResolvers<void>()
  let whenLater: () => void = () => undefined
  const readOnly = () => {
    if (standing === 'replaced') return READ_ONLY.replaced
    return standing === 'unconfirmed' ? READ_ONLY.unconfirmed(address) : null
  }
  const turn = (next: Standing) => {
    if (standing === next || standing === 'replaced') return
    standing = next
    const why = readOnly()
    const cure = standing === 'replaced' ? READ_ONLY.replacedCure : READ_ONLY.unconfirmedCure
    if (why) log.error({ why, cure }, 'read-only')
    else log.info({}, 'writing')
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const until = async (...reached: Standing[]) => {
    while (!reached.includes(standing)) await changed.promise
  }
  if (takenOver !== null) turn('replaced')

  return {
    ...epoch,
    token: `${epoch.number}.${proofOf(secret, `${epoch.number} ${address}`)}`,
    readOnly,
    noteToken: (token) => {
      const number = epochOf(token)
      if (standing !== 'replaced' && number !== null && isLater(number)) whenLater()
    },
    onLater: (work) => {
      whenLater = work
      if (unproved) work()
    },
    question: succession.question,
    succession: succession.answer,
    learn: ({ question, at, ...later }) => {
      if (standing === 'replaced' || !isLater(later.epoch) || !succession.isProved(question, later)) return
      turn('replaced')
      // Stored so that a restart does not forget it.
      store
        .write((tx) => writeTakenOver(tx, { epoch: later.epoch, at }))
        .catch((err: unknown) => log.error({ err }, 'who has taken over could not be kept'))
    },
    decide: (found) => {
      if (found) turn('writing')
      else if (standing === 'asking') turn('unconfirmed')
    },
    onceWriting: (work) => {
      if (standing === 'writing') work()
      else void until('writing').then(work)
    },
    guard: (guarded) => ({
      ...guarded,
      write: async (work, touching) => {
        if (standing === 'asking') await until('writing', 'unconfirmed', 'replaced')
        const why = readOnly()
        if (why) throw new Refusal('READ_ONLY', { message: why, retryAfterSeconds: RETRY_SECONDS })
        return guarded.write(work, touching)
      },
    }),
  }
}

/** Marks the database as opened by this server, which distinguishes it from copies. Resolves with its secrets. */
async function opened(tx: WriteTx) {
  await writeMeta(tx, OPENED_AS, randomBytes(PROOF_BYTES).toString('base64url'))
  // An earlier version stored a client's later epoch for good. Now it is only a reason to ask.
  const unproved = (await readMeta(tx, UNPROVED_LATER)) !== null
  if (unproved) await dropMeta(tx, UNPROVED_LATER)
  return { ...(await epochSecrets(tx)), unproved }
}

const proofOf = (secret: string, what: string): string =>
  createHmac('sha256', secret).update(what).digest().subarray(0, PROOF_BYTES).toString('base64url')

interface Line {
  /** PUBLIC_URL, which successive servers share. A copy tried out under another name has not taken over from any. */
  address: string
  number: number
  secret: string
  earlier: readonly string[]
}

/**
 * A server has taken over from another if it has the other's secret among its earlier ones: only restore and takeover
 * put it there, and both make a new secret. So a copy from before the latest of them proves nothing.
 */
function successionOf({ address, number, secret, earlier }: Line) {
  const nameOf = (of: string) => proofOf(of, 'name')
  const proof = (of: string, question: string, epoch: number) =>
    proofOf(of, `succession ${epoch} ${address} ${question}`)
  return {
    question: () => `${nameOf(secret)}.${randomBytes(PROOF_BYTES).toString('base64url')}`,
    answer: (question: string): Succession | null => {
      const of = earlier.find((one) => question.startsWith(`${nameOf(one)}.`))
      return of === undefined ? null : { epoch: number, proof: proof(of, question, number) }
    },
    isProved: (question: string, { epoch, proof: given }: Succession): boolean =>
      isSame(given, proof(secret, question, epoch)),
  }
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * Puts a backup in place of the database and begins a new epoch, by which devices and servers distinguish it from the
 * data they know. It is later than the replaced database's, whose clock may have been ahead. Throws BackupRefused.
 */
export const restoreBackup = (given: Omit<Restoring, 'prepare'>): ReturnType<typeof restore> =>
  restore({
    ...given,
    prepare: async (copy) => beginEpoch(copy, given.now, await reachedIn(given.database)),
  })

/** The epoch and revision that a database has reached; undefined if it is absent or too damaged. */
async function reachedIn(database: string): Promise<Reached | undefined> {
  if (!existsSync(database)) return undefined
  try {
    await using store = closing(openForReading(database))
    return await store.read(readReached)
  } catch {
    return undefined
  }
}

/**
 * Puts a server's own database back into use with a new epoch, after another server has taken over. No server may be
 * running on it. Throws BackupRefused.
 */
export async function takeOverHere(database: string, now: Date): Promise<void> {
  requireUnused(database)
  await beginEpoch(database, now)
}

async function beginEpoch(database: string, now: Date, after?: Reached): Promise<void> {
  await using store = closing(openStore(database))
  await store.write((tx) => raiseEpoch(tx, now, after))
}

/**
 * Puts a PostgreSQL database into use: a standby is promoted, and a new epoch begins. No server may be running on it.
 * `restoring`: it is the end of a restore. Throws StoreUnusable.
 */
export async function takeOverPostgres(
  url: string,
  now: Date,
  { restoring = false } = {},
): Promise<{ promoted: boolean }> {
  // Most servers never need PostgreSQL's driver.
  const { openPostgres, promote } = await import('../../store/postgres/open.ts')
  const promoted = await promote(url)
  await using store = closing(await openPostgres(url, { restoring }))
  await store.write((tx) => raiseEpoch(tx, now))
  return { promoted }
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { READ_ONLY } from '@garba/shared/messages/readOnly'
import { epochOf } from '@garba/shared/rules/epoch'
import type { Settings } from '../config.ts'
import { Refusal } from '../refusal.ts'
import { readEpoch } from '../store/epoch.ts'
import { CONFIRMED_AT, EPOCH_SECRET, OPENED_AS, REPLACED_BY, readMeta, writeMeta } from '../store/meta.ts'
import type { WriteTx } from '../store/sql.ts'
import type { Store } from '../store/store.ts'
import type { Deps } from './deps.ts'

const SECRET_BYTES = 32
const PROOF_BYTES = 16
const RETRY_SECONDS = 5

/** Whether a server may write. `asking`: it was known at its address, and has not found out yet whether it still is. */
type Standing = 'writing' | 'asking' | 'unconfirmed' | 'replaced'

/** The epoch of this server's data, and what follows from it (DECISIONS 9, "Restore, takeover, healing"). */
export interface Epoch {
  /** 0 until the data is restored for the first time; later epochs are higher. */
  readonly number: number
  /** The roster revision it began with. */
  readonly revision: number
  /** The number with its proof, as clients carry it. */
  readonly token: string
  /** Hears the token of a client or of another server. A later epoch ends the writing here, for good. */
  hear: (token: string) => void
  /** Hears whether the server has found itself at its address. Once it has, another answer changes nothing. */
  decide: (found: boolean) => void
  /** Why this server must not write, as a sentence; null while it may. */
  readOnly: () => string | null
  /** Calls back at once if it may write, else when it may: never, where another has taken over. */
  onceWriting: (work: () => void) => void
  /** The store as everything must use it: writes wait while it is asking, and are refused with READ_ONLY. */
  guard: (store: Store) => Store
}

interface Opening {
  store: Store
  settings: Pick<Settings, 'publicUrl' | 'checksAddress'>
  log: Deps['log']
}

/** The epoch as the database has it. The secret is made at the first start, and travels with every copy of the data. */
export async function ensureEpoch({ store, settings, log }: Opening): Promise<Epoch> {
  const address = settings.publicUrl ?? ''
  const secret = await store.write(opened)
  const { epoch, replacedBy, confirmedAt } = await store.read(async (tx) => ({
    epoch: await readEpoch(tx),
    replacedBy: await readMeta(tx, REPLACED_BY),
    confirmedAt: await readMeta(tx, CONFIRMED_AT),
  }))
  const tokenOf = (number: number) => `${number}.${proofOf(secret, `${number} ${address}`)}`
  const isLater = (token: string) => {
    const number = epochOf(token)
    return number !== null && number > epoch.number && isSame(token, tokenOf(number))
  }
  let standing: Standing = settings.checksAddress && confirmedAt === address ? 'asking' : 'writing'
  let changed = Promise.withResolvers<void>()
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
  if (replacedBy !== null && isLater(replacedBy)) turn('replaced')

  return {
    ...epoch,
    token: tokenOf(epoch.number),
    readOnly,
    hear: (token) => {
      if (standing === 'replaced' || !isLater(token)) return
      turn('replaced')
      // So that a restart does not forget it.
      store
        .write((tx) => writeMeta(tx, REPLACED_BY, token))
        .catch((err: unknown) => log.error({ err }, 'a later epoch could not be kept'))
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
      write: async (work) => {
        if (standing === 'asking') await until('writing', 'unconfirmed', 'replaced')
        const why = readOnly()
        if (why) throw new Refusal('READ_ONLY', { message: why, retryAfterSeconds: RETRY_SECONDS })
        return guarded.write(work)
      },
    }),
  }
}

/** Marks the database as opened by this server, so that no copy is taken for it. Resolves with its secret. */
async function opened(tx: WriteTx): Promise<string> {
  await writeMeta(tx, OPENED_AS, randomBytes(PROOF_BYTES).toString('base64url'))
  const known = await readMeta(tx, EPOCH_SECRET)
  if (known !== null) return known
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  await writeMeta(tx, EPOCH_SECRET, secret)
  return secret
}

/**
 * Nobody without the secret can make one, so nobody can invent an epoch. The address is in it, so that a copy tried out
 * elsewhere cannot silence the real server.
 */
const proofOf = (secret: string, what: string): string =>
  createHmac('sha256', secret).update(what).digest().subarray(0, PROOF_BYTES).toString('base64url')

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

import { createHmac, randomBytes } from 'node:crypto'
import { readEpoch } from '../store/epoch.ts'
import { EPOCH_SECRET, readMeta, writeMeta } from '../store/meta.ts'
import type { WriteTx } from '../store/sql.ts'
import type { Deps } from './deps.ts'

const SECRET_BYTES = 32
const PROOF_BYTES = 16

/** The epoch of this server's data, which does not change while it runs (DECISIONS 9, "Restore, takeover, healing"). */
export interface Epoch {
  /** 0 until the data is restored for the first time; later epochs are higher. */
  number: number
  /** The roster revision it began with. */
  revision: number
  /** The number with its proof, as clients carry it. */
  token: string
}

/** The epoch as the database has it. The secret is made at the first start, and travels with every copy of the data. */
export async function ensureEpoch({ store }: Pick<Deps, 'store'>): Promise<Epoch> {
  const known = await store.read((tx) => readMeta(tx, EPOCH_SECRET))
  const secret = known ?? (await store.write(makeSecret))
  const epoch = await store.read(readEpoch)
  return { ...epoch, token: tokenOf(secret, epoch.number) }
}

async function makeSecret(tx: WriteTx): Promise<string> {
  // Another server of this database may have been faster.
  const known = await readMeta(tx, EPOCH_SECRET)
  if (known !== null) return known
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  await writeMeta(tx, EPOCH_SECRET, secret)
  return secret
}

/** Nobody without the secret can make one, so nobody can invent an epoch. */
function tokenOf(secret: string, number: number): string {
  const proof = createHmac('sha256', secret).update(String(number)).digest().subarray(0, PROOF_BYTES)
  return `${number}.${proof.toString('base64url')}`
}

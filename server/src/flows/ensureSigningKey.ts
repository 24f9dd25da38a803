import { makeKeyPair } from '@garba/shared/rules/qr'
import { type KeyPair, makeSigner, type QrSigner } from '../identity/signer.ts'
import { newId } from '../store/ids.ts'
import { allSigningKeys, insertSigningKey, signingKeysMark } from '../store/signingKeys.ts'
import { type Deps, inTransaction } from './deps.ts'

/**
 * The signer of this database's tickets, by the keys it holds at each moment; the first pair is made at first boot and
 * lives in it (DECISIONS 3).
 */
export async function ensureSigningKey({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<QrSigner> {
  const fresh = await makeKeyPair()
  inTransaction({ db }, (tx) => {
    const createdAt = now()
    if (allSigningKeys(tx).length > 0) return
    insertSigningKey(tx, { kid: newId(createdAt), ...fresh, createdAt, revokedAt: null })
  })
  let known: { mark: string; pairs: readonly KeyPair[] } | null = null
  return makeSigner(() => {
    const mark = signingKeysMark(db)
    if (known?.mark !== mark) known = { mark, pairs: allSigningKeys(db) }
    return known.pairs
  })
}

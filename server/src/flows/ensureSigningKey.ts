import { makeKeyPair } from '@garba/shared/rules/qr'
import { type KeyPair, makeSigner, type QrSigner } from '../identity/signer.ts'
import { newId } from '../store/ids.ts'
import { allSigningKeys, insertSigningKey, signingKeysMark } from '../store/signingKeys.ts'
import type { Deps } from './deps.ts'

/**
 * The signer for this database's tickets, with its current keys. The first pair is created at the first start and stored
 * in the database.
 */
export async function ensureSigningKey({ store, now }: Pick<Deps, 'store' | 'now'>): Promise<QrSigner> {
  const fresh = await makeKeyPair()
  await store.write(async (tx) => {
    const createdAt = now()
    if ((await allSigningKeys(tx)).length > 0) return
    await insertSigningKey(tx, { kid: newId(createdAt), ...fresh, createdAt, revokedAt: null })
  })
  let known: { mark: string; pairs: readonly KeyPair[] } | null = null
  const pairsNow = () =>
    store.read(async (tx) => {
      const mark = await signingKeysMark(tx)
      if (known?.mark !== mark) known = { mark, pairs: await allSigningKeys(tx) }
      return known.pairs
    })
  return makeSigner(pairsNow)
}

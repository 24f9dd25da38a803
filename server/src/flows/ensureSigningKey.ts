import { makeKeyPair } from '@garba/shared/rules/qr'
import { makeSigner, type QrSigner } from '../identity/signer.ts'
import { newId } from '../store/ids.ts'
import { allSigningKeys, insertSigningKey } from '../store/signingKeys.ts'
import { type Deps, inTransaction } from './deps.ts'

/** The signer of this database's tickets; its key pair is made at first boot and lives in it (DECISIONS 3). */
export async function ensureSigningKey({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<QrSigner> {
  const fresh = await makeKeyPair()
  const rows = inTransaction({ db }, (tx) => {
    const createdAt = now()
    if (allSigningKeys(tx).length === 0) insertSigningKey(tx, { kid: newId(createdAt), ...fresh, createdAt })
    return allSigningKeys(tx)
  })
  return makeSigner(rows)
}

import type { PublicKey } from '@garba/shared/contracts/phones/scan'
import { signGroupQr } from '@garba/shared/rules/groupQr'
import { importPrivateKey, type PublicJwk, type SignedTicket, signQr } from '@garba/shared/rules/qr'

export interface KeyPair {
  kid: string
  publicJwk: PublicJwk
  privateJwk: JsonWebKey
  revokedAt: Date | null
}

export interface KeysNow {
  sign: QrSigner['sign']
  publicKeys: (eventId: string) => PublicKey[]
  /** Keys that were once valid: a device may have admitted people with them before it learned of the revocation. */
  revokedKeys: (eventId: string) => PublicKey[]
}

export interface QrSigner {
  /** Reads the keys, in the same snapshot as other reads of this turn. */
  now: () => Promise<KeysNow>
  sign: (ticket: SignedTicket) => Promise<string>
  /** The text of the code of 2 to 8 tickets of one event. */
  signGroup: (group: { ticketIds: readonly string[]; eventId: string }) => Promise<string>
  publicKeys: (eventId: string) => Promise<PublicKey[]>
}

const isRevoked = ({ revokedAt }: KeyPair): boolean => revokedAt !== null
const buildPublicKey = ({ kid, publicJwk }: KeyPair, eventId: string): PublicKey => ({ kid, eventId, jwk: publicJwk })

export const listPublicKeys = (pairs: readonly KeyPair[], eventId: string): PublicKey[] =>
  pairs.filter((pair) => !isRevoked(pair)).map((pair) => buildPublicKey(pair, eventId))

/**
 * Makes a signer that reads the key pairs each time and signs with the last one, so a key made or revoked by another
 * process takes effect at once. Imported keys are cached by object, so unchanged pairs must stay the same objects.
 */
export function makeSigner(pairsNow: () => Promise<readonly KeyPair[]>): QrSigner {
  const imported = new WeakMap<KeyPair, Promise<CryptoKey>>()
  const privateKeyOf = (pair: KeyPair): Promise<CryptoKey> => {
    const key = imported.get(pair) ?? importPrivateKey(pair.privateJwk)
    imported.set(pair, key)
    return key
  }
  const newestOf = (pairs: readonly KeyPair[]): Promise<CryptoKey> => {
    const newest = pairs.at(-1)
    if (!newest) throw new RangeError('There is no signing key')
    return privateKeyOf(newest)
  }
  const now = async (): Promise<KeysNow> => {
    const pairs = await pairsNow()
    return {
      sign: async (ticket) => signQr({ ...ticket, privateKey: await newestOf(pairs) }),
      publicKeys: (eventId) => listPublicKeys(pairs, eventId),
      revokedKeys: (eventId) => pairs.filter(isRevoked).map((pair) => buildPublicKey(pair, eventId)),
    }
  }
  return {
    now,
    sign: async (ticket) => (await now()).sign(ticket),
    signGroup: async (group) => signGroupQr({ ...group, privateKey: await newestOf(await pairsNow()) }),
    publicKeys: async (eventId) => (await now()).publicKeys(eventId),
  }
}

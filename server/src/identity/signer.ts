import type { PublicKey } from '@garba/shared/contracts/scan'
import { importPrivateKey, type PublicJwk, signQr } from '@garba/shared/rules/qr'

export interface KeyPair {
  kid: string
  publicJwk: PublicJwk
  privateJwk: JsonWebKey
  revokedAt: Date | null
}

/** Signs ticket codes and gives the public keys that vouch for them. */
export interface QrSigner {
  /** The text of a ticket's QR code. */
  sign: (ticket: { ticketId: string; eventId: string }) => Promise<string>
  /** Every valid key, as vouching for an event's tickets. */
  publicKeys: (eventId: string) => Promise<PublicKey[]>
  /** Keys that vouched for an event's tickets once: a device that does not know yet may have let people in by them. */
  revokedKeys: (eventId: string) => Promise<PublicKey[]>
}

const isRevoked = ({ revokedAt }: KeyPair): boolean => revokedAt !== null
const publicKeyOf = ({ kid, publicJwk }: KeyPair, eventId: string): PublicKey => ({ kid, eventId, jwk: publicJwk })

/** The keys of pairs that are valid, as vouching for an event's tickets. */
export const publicKeysOf = (pairs: readonly KeyPair[], eventId: string): PublicKey[] =>
  pairs.filter((pair) => !isRevoked(pair)).map((pair) => publicKeyOf(pair, eventId))

/**
 * A signer of the pairs there are at each moment, the last of which signs, so that a key made or revoked by another
 * process counts at once. The pairs must stay the same objects while they do not change: importing a key is remembered
 * by its object.
 */
export function makeSigner(pairsNow: () => Promise<readonly KeyPair[]>): QrSigner {
  const imported = new WeakMap<KeyPair, Promise<CryptoKey>>()
  const privateKeyOf = (pair: KeyPair): Promise<CryptoKey> => {
    const key = imported.get(pair) ?? importPrivateKey(pair.privateJwk)
    imported.set(pair, key)
    return key
  }
  return {
    sign: async (ticket) => {
      const newest = (await pairsNow()).at(-1)
      if (!newest) throw new RangeError('There is no signing key')
      return signQr({ ...ticket, privateKey: await privateKeyOf(newest) })
    },
    publicKeys: async (eventId) => publicKeysOf(await pairsNow(), eventId),
    revokedKeys: async (eventId) => (await pairsNow()).filter(isRevoked).map((pair) => publicKeyOf(pair, eventId)),
  }
}

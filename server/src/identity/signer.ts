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
  publicKeys: (eventId: string) => PublicKey[]
  /** Keys that vouched for an event's tickets once: a device that does not know yet may have let people in by them. */
  revokedKeys: (eventId: string) => PublicKey[]
}

/**
 * A signer of the pairs there are at each moment, the last of which signs, so that a key made or revoked by another
 * process counts at once. The pairs must stay the same objects while they do not change: importing a key is remembered
 * by its object.
 */
export function makeSigner(pairsNow: () => readonly KeyPair[]): QrSigner {
  const imported = new WeakMap<KeyPair, Promise<CryptoKey>>()
  const privateKeyOf = (pair: KeyPair): Promise<CryptoKey> => {
    const key = imported.get(pair) ?? importPrivateKey(pair.privateJwk)
    imported.set(pair, key)
    return key
  }
  const keysOf = (eventId: string, which: (pair: KeyPair) => boolean): PublicKey[] =>
    pairsNow()
      .filter(which)
      .map(({ kid, publicJwk }) => ({ kid, eventId, jwk: publicJwk }))
  return {
    sign: async (ticket) => {
      const newest = pairsNow().at(-1)
      if (!newest) throw new RangeError('There is no signing key')
      return signQr({ ...ticket, privateKey: await privateKeyOf(newest) })
    },
    publicKeys: (eventId) => keysOf(eventId, ({ revokedAt }) => revokedAt === null),
    revokedKeys: (eventId) => keysOf(eventId, ({ revokedAt }) => revokedAt !== null),
  }
}

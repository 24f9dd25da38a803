import type { PublicKey } from '@garba/shared/contracts/scan'
import { importPrivateKey, type PublicJwk, signQr } from '@garba/shared/rules/qr'

export interface KeyPair {
  kid: string
  publicJwk: PublicJwk
  privateJwk: JsonWebKey
}

/** Signs ticket codes and tells the public keys that vouch for them. */
export interface QrSigner {
  /** The text of a ticket's QR code. */
  sign: (ticket: { ticketId: string; eventId: string }) => Promise<string>
  /** Every key, as vouching for an event's tickets. */
  publicKeys: (eventId: string) => PublicKey[]
}

/** A signer of the pairs given, the last of which signs. Rejects when there is none, or one is no P-256 pair. */
export async function makeSigner(pairs: readonly KeyPair[]): Promise<QrSigner> {
  const newest = pairs.at(-1)
  if (!newest) throw new RangeError('There is no signing key')
  const privateKey = await importPrivateKey(newest.privateJwk)
  return {
    sign: (ticket) => signQr({ ...ticket, privateKey }),
    // The same JWK objects each time: importing a key is remembered by its object.
    publicKeys: (eventId) => pairs.map(({ kid, publicJwk }) => ({ kid, eventId, jwk: publicJwk })),
  }
}

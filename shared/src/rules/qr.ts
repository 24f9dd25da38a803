import type { PublicKey } from '../contracts/phones/scan.ts'

/**
 * The ticket's QR text: `GR1:` and 118 digits to base 44, which are 80 bytes as one big-endian number: the ticket's
 * ULID (16) and an ECDSA P-256 signature, r and s (64), over version, event id and ticket id.
 *
 * - Base 44 is QR's alphanumeric alphabet without the space, so trimming can never harm a code. 122 such characters are
 * exactly what QR version 5 holds at level M.
 *
 * - Each ticket and signature has one text: the length is fixed, a number above 80 bytes is refused, and so is anything
 * around the code. Callers trim.
 *
 * - A ticket id is admitted, never a text: a second valid signature for a ticket does not admit a second person.
 *
 * - A code of a pre-signed block, for paper and for offline sales, begins with `GB1:` and otherwise has the same form.
 * The signature covers the prefix, so neither kind of code can be turned into the other.
 */
const PREFIX = 'GR1:'
const BLOCK_PREFIX = 'GB1:'
const DIGITS = 118
const ID_BYTES = 16
export const SIGNATURE_BYTES = 64
export const SIGNATURE_BITS = BigInt(SIGNATURE_BYTES * 8)
const CODE = /^G[RB]1:[0-9A-Z$%*+\-./:]{118}$/

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const

export const QR_LENGTH = PREFIX.length + DIGITS

export type PublicJwk = PublicKey['jwk']
export interface QrContent {
  ticketId: string
  signature: Uint8Array<ArrayBuffer>
  block?: true
}
export type QrFact =
  /** `block`: the code was signed before it was sold, so the signature alone does not prove a sale. */
  | { type: 'genuine'; ticketId: string; block?: true }
  | { type: 'forged'; ticketId: string }
  | { type: 'otherEvent'; ticketId: string; eventId: string }
  | { type: 'malformed' }
  | { type: 'manual'; ticketId: string }

const getQrPrefix = (block: true | undefined): string => (block ? BLOCK_PREFIX : PREFIX)
const marked = (block: boolean): { block?: true } => (block ? { block } : {})

/** The text of a ticket and its signature. Throws RangeError if the id is not a ULID or the signature not 64 bytes. */
export function encodeQr({ ticketId, signature, block }: QrContent): string {
  if (!ULID.test(ticketId)) throw new RangeError(`Not a ticket id: ${ticketId}`)
  if (signature.length !== SIGNATURE_BYTES) throw new RangeError(`Not a signature: ${signature.length} bytes`)
  const number = (toNumber(ticketId, CROCKFORD) << SIGNATURE_BITS) | bytesToNumber(signature)
  return getQrPrefix(block) + toText(number, QR_ALPHABET, DIGITS)
}

/** The ticket id and signature in a code's text, unverified; null for any text but a canonical one. Never throws. */
export function decodeQr(text: string): QrContent | null {
  if (!CODE.test(text)) return null
  const number = toNumber(text.slice(PREFIX.length), QR_ALPHABET)
  if (number >> BigInt((ID_BYTES + SIGNATURE_BYTES) * 8)) return null
  return {
    ticketId: toText(number >> SIGNATURE_BITS, CROCKFORD, 26),
    signature: numberToBytes(number & ((1n << SIGNATURE_BITS) - 1n), SIGNATURE_BYTES),
    ...marked(text.startsWith(BLOCK_PREFIX)),
  }
}

/** The bytes that a signature covers. Ids have a fixed length, so no two pairs have the same bytes. */
const signedBytes = ({ ticketId, eventId, block }: SignedTicket): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`${getQrPrefix(block)}${eventId}:${ticketId}`)

export interface SignedTicket {
  ticketId: string
  eventId: string
  block?: true
}

export async function signQr({ privateKey, ...ticket }: SignedTicket & { privateKey: CryptoKey }): Promise<string> {
  const signature = await signatureOver(signedBytes(ticket), privateKey)
  return encodeQr({ ticketId: ticket.ticketId, signature, ...marked(ticket.block === true) })
}

export interface ScannedQr {
  text: string
  keys: readonly PublicKey[]
  eventId: string
}

/**
 * Judges a scanned text at this event by the given keys. Another event's code is recognised if that event's key is
 * known; otherwise it counts as forged. No text makes it throw; a key that is not a P-256 point throws WebCrypto's
 * DataError.
 */
export async function readQr({ text, keys, eventId }: ScannedQr): Promise<QrFact> {
  const content = decodeQr(text)
  if (!content) return { type: 'malformed' }
  const { ticketId, signature, block = false } = content
  const signer = await eventThatSigned({
    signature,
    keys,
    eventId,
    bytesOf: (id) => signedBytes({ ticketId, eventId: id, ...marked(block) }),
  })
  if (signer === null) return { type: 'forged', ticketId }
  return signer === eventId
    ? { type: 'genuine', ticketId, ...marked(block) }
    : { type: 'otherEvent', ticketId, eventId: signer }
}

export const signatureOver = async (
  bytes: Uint8Array<ArrayBuffer>,
  privateKey: CryptoKey,
): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await crypto.subtle.sign(SIGNING, privateKey, bytes))

interface QrSignature extends Omit<ScannedQr, 'text'> {
  signature: Uint8Array<ArrayBuffer>
  bytesOf: (eventId: string) => Uint8Array<ArrayBuffer>
}

/** The event whose key made the signature; null if none of the keys did. */
export async function eventThatSigned({ signature, keys, eventId, bytesOf }: QrSignature): Promise<string | null> {
  // This event's keys first: nearly every code at the gate was signed with one of them.
  const ordered = [...keys].sort((a, b) => Number(b.eventId === eventId) - Number(a.eventId === eventId))
  for (const key of ordered)
    if (await crypto.subtle.verify(SIGNING, await importPublicKey(key.jwk), signature, bytesOf(key.eventId)))
      return key.eventId
  return null
}

// Importing a key costs more than a verification, and one key verifies thousands of codes.
const imported = new WeakMap<PublicJwk, Promise<CryptoKey>>()

/** The public key for WebCrypto. Rejects with DataError when the JWK is not a P-256 point. */
function importPublicKey(jwk: PublicJwk): Promise<CryptoKey> {
  const known = imported.get(jwk)
  if (known) return known
  const { kty, crv, x, y } = jwk
  const key = crypto.subtle.importKey('jwk', { kty, crv, x, y }, ALGORITHM, true, ['verify'])
  imported.set(jwk, key)
  return key
}

export const importPrivateKey = (jwk: JsonWebKey): Promise<CryptoKey> =>
  crypto.subtle.importKey('jwk', jwk, ALGORITHM, false, ['sign'])

export async function makeKeyPair(): Promise<{ publicJwk: PublicJwk; privateJwk: JsonWebKey }> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  return {
    publicJwk: { kty: 'EC', crv: 'P-256', x, y },
    privateJwk: await crypto.subtle.exportKey('jwk', pair.privateKey),
  }
}

/** The alphabet of QR's alphanumeric mode without the space, so that trimming can never harm a code. */
export const QR_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ$%*+-./:'
export const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/**
 * The number of an alphabet's digits that a plain number holds exactly. BigInt is slow, so it processes that many at a
 * time.
 */
const digitsAtOnce = (alphabet: string): number => Math.floor(53 / Math.log2(alphabet.length))

export function toNumber(text: string, alphabet: string): bigint {
  const base = alphabet.length
  const size = digitsAtOnce(alphabet)
  let sum = 0n
  for (let from = 0; from < text.length; from += size) {
    const to = Math.min(from + size, text.length)
    let part = 0
    for (let at = from; at < to; at++) part = part * base + alphabet.indexOf(text.charAt(at))
    sum = sum * BigInt(base ** (to - from)) + BigInt(part)
  }
  return sum
}

export function toText(value: bigint, alphabet: string, length: number): string {
  const base = alphabet.length
  const size = digitsAtOnce(alphabet)
  const bound = BigInt(base ** size)
  const digits = new Array<string>(length)
  let rest = value
  for (let to = length; to > 0; to -= size) {
    let part = Number(rest % bound)
    for (let at = to - 1; at >= Math.max(0, to - size); at--) {
      digits[at] = alphabet.charAt(part % base)
      part = Math.floor(part / base)
    }
    rest /= bound
  }
  return digits.join('')
}

const WORD_BYTES = 8
const WORD_BITS = BigInt(WORD_BYTES * 8)

/** The number of bytes must be a multiple of eight. */
export function bytesToNumber(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let sum = 0n
  for (let at = 0; at < bytes.length; at += WORD_BYTES) sum = (sum << WORD_BITS) | view.getBigUint64(at)
  return sum
}

/** The length must be a multiple of eight. */
export function numberToBytes(value: bigint, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  let rest = value
  for (let at = length - WORD_BYTES; at >= 0; at -= WORD_BYTES) {
    view.setBigUint64(at, BigInt.asUintN(Number(WORD_BITS), rest))
    rest >>= WORD_BITS
  }
  return bytes
}

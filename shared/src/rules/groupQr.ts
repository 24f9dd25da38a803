import { GROUP_CODE_MAX } from '../constants.ts'
import {
  bytesToNumber,
  CROCKFORD,
  decodeQr,
  eventThatSigned,
  numberToBytes,
  QR_ALPHABET,
  QR_LENGTH,
  type QrFact,
  type ScannedQr,
  SIGNATURE_BITS,
  SIGNATURE_BYTES,
  signatureOver,
  toNumber,
  toText,
  ULID,
} from './qr.ts'

/**
 * The text of a group's code: `GG1:`, the number of tickets (2 to 8) as one digit, and as many digits to base 44 as
 * their ULIDs (16 bytes each) and one signature (64) need, together one big-endian number. The signature covers the
 * prefix, the event and the ids in their order. Eight tickets fit QR version 10 at level M.
 *
 * Ticket ids are admitted one by one: the code stands for the individual code of each ticket in its list, and no other.
 */
const PREFIX = 'GG1:'
const ID_BITS = 128n
const ID_LENGTH = 26
const CODE = new RegExp(`^${PREFIX}[2-${GROUP_CODE_MAX}][0-9A-Z$%*+\\-./:]+$`)

export interface GroupContent {
  ticketIds: readonly string[]
  /** r and s, 32 bytes each. */
  signature: Uint8Array<ArrayBuffer>
}
export type GroupFact =
  | { type: 'genuine' | 'forged'; ticketIds: readonly string[] }
  | { type: 'otherEvent'; ticketIds: readonly string[]; eventId: string }
  | { type: 'malformed' }

/** Whether the text claims to be a group's code; `readGroupQr` decides whether it is genuine. */
export const isGroupText = (text: string): boolean => text.startsWith(PREFIX)

const countBits = (count: number): number => count * Number(ID_BITS) + SIGNATURE_BYTES * 8
const countDigits = (count: number): number => Math.ceil(countBits(count) / Math.log2(QR_ALPHABET.length))

const isList = (ids: readonly string[]): boolean =>
  ids.length >= 2 && ids.length <= GROUP_CODE_MAX && new Set(ids).size === ids.length

/** Throws RangeError on fewer than 2 or more than 8 tickets, a repeated ticket, or a malformed id or signature. */
export function encodeGroupQr({ ticketIds, signature }: GroupContent): string {
  if (!isList(ticketIds) || !ticketIds.every((id) => ULID.test(id))) throw new RangeError(`Not a group: ${ticketIds}`)
  if (signature.length !== SIGNATURE_BYTES) throw new RangeError(`Not a signature: ${signature.length} bytes`)
  const ids = ticketIds.reduce((sum, id) => (sum << ID_BITS) | toNumber(id, CROCKFORD), 0n)
  const number = (ids << SIGNATURE_BITS) | bytesToNumber(signature)
  return `${PREFIX}${ticketIds.length}${toText(number, QR_ALPHABET, countDigits(ticketIds.length))}`
}

/** The tickets and the signature in a group's code, unverified; null for any text but a canonical one. Never throws. */
export function decodeGroupQr(text: string): GroupContent | null {
  if (!CODE.test(text)) return null
  const count = Number(text.charAt(PREFIX.length))
  const digits = text.slice(PREFIX.length + 1)
  if (digits.length !== countDigits(count)) return null
  const number = toNumber(digits, QR_ALPHABET)
  if (number >> BigInt(countBits(count))) return null
  const ticketIds = decodeTicketIds(number >> SIGNATURE_BITS, count)
  if (!isList(ticketIds)) return null
  return { ticketIds, signature: numberToBytes(number & ((1n << SIGNATURE_BITS) - 1n), SIGNATURE_BYTES) }
}

export interface CodeWithin {
  text: string
  at: number
  ticketId: string
}

export function findCode(text: string): CodeWithin | null {
  for (const { index: at } of text.matchAll(/G[RBG]1:/g)) {
    const isGroup = isGroupText(text.slice(at))
    const count = Number(text.charAt(at + PREFIX.length))
    const length = isGroup ? PREFIX.length + 1 + countDigits(count) : QR_LENGTH
    const code = text.slice(at, at + length)
    const ticketId = isGroup ? decodeGroupQr(code)?.ticketIds[0] : decodeQr(code)?.ticketId
    if (ticketId !== undefined) return { text: code, at, ticketId }
  }
  return null
}

const decodeTicketIds = (number: bigint, count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const shift = ID_BITS * BigInt(count - 1 - index)
    return toText((number >> shift) & ((1n << ID_BITS) - 1n), CROCKFORD, ID_LENGTH)
  })

const signedBytes = (ticketIds: readonly string[], eventId: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`${PREFIX}${eventId}:${ticketIds.join('')}`)

interface GroupQrInput {
  ticketIds: readonly string[]
  eventId: string
  privateKey: CryptoKey
}

/** Signs tickets of an event and returns the text of their code. Throws RangeError as `encodeGroupQr` does. */
export const signGroupQr = async ({ ticketIds, eventId, privateKey }: GroupQrInput): Promise<string> =>
  encodeGroupQr({ ticketIds, signature: await signatureOver(signedBytes(ticketIds, eventId), privateKey) })

/** Judges a scanned group code at this event by the given keys, as `readQr` does for one ticket. Never throws. */
export async function readGroupQr({ text, keys, eventId }: ScannedQr): Promise<GroupFact> {
  const content = decodeGroupQr(text)
  if (!content) return { type: 'malformed' }
  const { ticketIds, signature } = content
  const signer = await eventThatSigned({ signature, keys, eventId, bytesOf: (id) => signedBytes(ticketIds, id) })
  if (signer === null) return { type: 'forged', ticketIds }
  return signer === eventId ? { type: 'genuine', ticketIds } : { type: 'otherEvent', ticketIds, eventId: signer }
}

export function memberFact(group: GroupFact, ticketId: string): QrFact {
  if (group.type === 'malformed') return group
  if (!group.ticketIds.includes(ticketId)) return { type: 'forged', ticketId }
  return group.type === 'otherEvent'
    ? { type: 'otherEvent', ticketId, eventId: group.eventId }
    : { type: group.type, ticketId }
}

/**
 * Splits tickets into as few groups as possible, of similar size. A group has at least two tickets, so a single ticket
 * gets no group.
 */
export function splitIntoGroups(ticketIds: readonly string[]): string[][] {
  if (ticketIds.length < 2) return []
  const count = Math.ceil(ticketIds.length / GROUP_CODE_MAX)
  return Array.from({ length: count }, (_, index) =>
    ticketIds.slice(
      Math.floor((index * ticketIds.length) / count),
      Math.floor(((index + 1) * ticketIds.length) / count),
    ),
  )
}

/** The alphabet of QR's alphanumeric mode without the space, so that trimming can never harm a code. */
export const QR_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ$%*+-./:'
/** The alphabet of ids. */
export const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** How many digits of an alphabet a plain number holds exactly: BigInt is slow, so it handles that many digits at a time. */
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

/** Of bytes whose count is a multiple of eight. */
export function bytesToNumber(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let sum = 0n
  for (let at = 0; at < bytes.length; at += WORD_BYTES) sum = (sum << WORD_BITS) | view.getBigUint64(at)
  return sum
}

/** To bytes whose count is a multiple of eight. */
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

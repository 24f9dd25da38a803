/** Crockford's alphabet has no I, L, O or U; a character holds 5 bits. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** The length of the part that people type. It has only 40 bits, so wrong codes are rate-limited. */
const CODE_LENGTH = 8
/** The length of a link's text: the code and 130 more bits, which cannot be guessed. */
const LINK_LENGTH = CODE_LENGTH + 26
const CODE = new RegExp(`^[${CROCKFORD}]{${CODE_LENGTH}}$`)
const LINK = new RegExp(`^[${CROCKFORD}]{${LINK_LENGTH}}$`)

/** Makes the text in a new pairing's link from 5 bits each of 34 random bytes. Throws RangeError with fewer. */
export function pairingLinkFrom(random: Uint8Array): string {
  if (random.length < LINK_LENGTH) throw new RangeError(`A pairing needs ${LINK_LENGTH} random bytes`)
  return Array.from(random.subarray(0, LINK_LENGTH), (byte) => CROCKFORD[byte % CROCKFORD.length]).join('')
}

/**
 * The code in a typed or scanned text: in any case, with or without dash and spaces, or an address with the code after
 * the #. O is read as 0, I and L as 1. A link's code includes its secret. Null if there is no code.
 */
export function readPairingCode(text: string): string | null {
  const code = text
    .slice(text.lastIndexOf('#') + 1)
    .replace(/[\s-]/g, '')
    .toUpperCase()
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
  return CODE.test(code) || LINK.test(code) ? code : null
}

export const hasLinkSecret = (code: string): boolean => LINK.test(code)

export const typedPart = (code: string): string => code.slice(0, CODE_LENGTH)

export const shownPairingCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4, CODE_LENGTH)}`

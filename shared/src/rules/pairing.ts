/** The code that pairs a phone: 8 characters of Crockford's alphabet, which has no I, L, O or U (40 bits, DECISIONS 9). */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 8
const CODE = new RegExp(`^[${CROCKFORD}]{${LENGTH}}$`)

/** A new code from random bytes, of which 5 bits each are used. Throws RangeError with fewer than 8. */
export function pairingCodeFrom(random: Uint8Array): string {
  if (random.length < LENGTH) throw new RangeError(`A pairing code needs ${LENGTH} random bytes`)
  return Array.from(random.subarray(0, LENGTH), (byte) => CROCKFORD[byte % CROCKFORD.length]).join('')
}

/**
 * The code in what somebody typed or scanned: the code itself in any case, with or without dash and spaces, or an address
 * with the code after its #. O is read as 0, I and L as 1. Null when there is no code in it.
 */
export function readPairingCode(text: string): string | null {
  const code = text
    .slice(text.lastIndexOf('#') + 1)
    .replace(/[\s-]/g, '')
    .toUpperCase()
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
  return CODE.test(code) ? code : null
}

/** The code as people read it: 7K3M-Q9XT. */
export const shownPairingCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

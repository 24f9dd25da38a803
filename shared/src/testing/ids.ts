const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A valid ULID that is the same each time, distinct for each n from 0 up. */
export function ulidOf(n: number): string {
  const tail = n
    .toString(32)
    .split('')
    .map((digit) => CROCKFORD[Number.parseInt(digit, 32)])
    .join('')
  return `01K5${tail.padStart(22, '0')}`
}

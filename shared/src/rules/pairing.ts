import type { Gate } from '../contracts/device.ts'
import type { OrderChannel, OrderProvider, TicketKind } from '../contracts/names.ts'

/** Crockford's alphabet, which has no I, L, O or U: 5 bits a character. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** What people type: 40 bits, so wrong ones are limited. */
const CODE_LENGTH = 8
/** What a link carries: the code, and 130 bits that nobody types or guesses. */
const LINK_LENGTH = CODE_LENGTH + 26
const CODE = new RegExp(`^[${CROCKFORD}]{${CODE_LENGTH}}$`)
const LINK = new RegExp(`^[${CROCKFORD}]{${LINK_LENGTH}}$`)

/** What the link of a new pairing carries, from random bytes of which 5 bits each are used. Throws RangeError with fewer than 34. */
export function pairingLinkFrom(random: Uint8Array): string {
  if (random.length < LINK_LENGTH) throw new RangeError(`A pairing needs ${LINK_LENGTH} random bytes`)
  return Array.from(random.subarray(0, LINK_LENGTH), (byte) => CROCKFORD[byte % CROCKFORD.length]).join('')
}

/**
 * The code in what somebody typed or scanned: in any case, with or without dash and spaces, or an address with the code after its
 * #. O is read as 0, I and L as 1. From a link it has its secret too. Null when there is no code in it.
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

/** Whether it has the secret of a link, which cannot be guessed. */
export const hasLinkSecret = (code: string): boolean => LINK.test(code)

/** The part that people type. */
export const typedPart = (code: string): string => code.slice(0, CODE_LENGTH)

/** The code as people read it: 7K3M-Q9XT. */
export const shownPairingCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4, CODE_LENGTH)}`

/** The kind of an order's tickets, except paper ones, whose codes were printed before the order. */
export const kindOfOrder = ({ channel, provider }: { channel: OrderChannel; provider: OrderProvider }): TicketKind => {
  if (provider === 'complimentary') return 'complimentary'
  return channel === 'web' ? 'online' : 'counter'
}

/** Whether a gate takes a kind of ticket. A gate that names no kinds takes all. */
export const takes = ({ kinds }: Pick<Gate, 'kinds'>, kind: TicketKind): boolean =>
  kinds.length === 0 || kinds.includes(kind)

/** The names of the gates that take a kind. */
export const gatesFor = (gates: readonly Gate[], kind: TicketKind): string[] =>
  gates.filter((gate) => takes(gate, kind)).map(({ name }) => name)

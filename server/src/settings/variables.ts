import * as z from 'zod'

/** A setting that may be missing. Blank counts as unset, because `.env` files also list settings they do not use. */
export const makeOptional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((text) => (typeof text === 'string' && text.trim() === '' ? undefined : text), schema)

export const splitList = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

interface Bounds {
  min: number
  max: number
  what?: string
}

const wholeNumberIn = ({ min, max, what = 'a whole number' }: Bounds) => {
  const wrong = `must be ${what} from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, wrong)
    .transform(Number)
    .refine((number) => number >= min && number <= max, wrong)
}

export const wholeNumber = ({ fallback, ...bounds }: Bounds & { fallback: number }) =>
  makeOptional(wholeNumberIn(bounds).default(fallback))

export const wholeNumberIfSet = (bounds: Bounds) => makeOptional(wholeNumberIn(bounds).optional())

/**
 * Whether only this machine can reach a host name or address. A socket for IPv6 and IPv4 writes 127.0.0.1 as
 * ::ffff:127.0.0.1.
 */
export const isLoopback = (host: string): boolean => /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)

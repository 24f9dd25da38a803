import { HOLD_MINUTES } from '@garba/shared/constants'
import { GUEST_PROVIDERS, type GuestProvider } from '@garba/shared/contracts/names'
import { REMARK_LEFT, UPI_BANKS } from '@garba/shared/rules/orders/bankForms'
import * as z from 'zod'
import { isLoopback, makeOptional, splitList, wholeNumber } from './variables.ts'

/** The payment methods. With none, tickets are issued as soon as they are ordered. */
export interface PaymentSettings {
  on: boolean
  /** The guest's choices, in the order of PAYMENTS; empty with PAYMENTS=none. */
  guest: readonly GuestProvider[]
  /** Whether the desk may take money; it may always give complimentary tickets. */
  desk: boolean
  holdMinutes: number
  razorpay: RazorpaySettings | null
  /** `asksUtr`: the bank of the account does not keep the whole code of an order. */
  upi: { id: string; name: string; asksUtr: boolean } | null
  upiAtDoor: (typeof UPI_AT_DOOR)[number]
}

/**
 * `wait` is the default, because a payment screen is easily forged, and a person who was admitted cannot be sent out
 * again.
 */
const UPI_AT_DOOR = ['wait', 'admit'] as const

export interface RazorpaySettings {
  keyId: string
  keySecret: string
  webhookSecret: string
  apiUrl: string
  /** Whether the keys take no real money. Outside the demo, every page must show that. */
  testMode: boolean
}

const WORDS = ['none', ...GUEST_PROVIDERS, 'desk'] as const
type Word = (typeof WORDS)[number]

const RAZORPAY_API = 'https://api.razorpay.com'
/** `npm start` runs the double at this port with these keys: it takes no real money. */
export const DOUBLE = { port: 9200, keyId: 'rzp_test_demo', keySecret: 'demo', webhookSecret: 'demo' } as const
const TEST_KEY = 'rzp_test_'
/** Minutes. Razorpay refuses links with a shorter life; the links made here live LINK_GRACE_MS longer than the hold. */
const HOLD_MIN_RAZORPAY = 15

const word = makeOptional(z.string().trim().default(''))

const wrongList = `must be none, or a list of ${WORDS.slice(1).join(', ')} with commas between`

export const PAYMENT_VARIABLES = {
  PAYMENTS: makeOptional(
    z
      .string()
      .transform(splitList)
      .pipe(z.array(z.enum(WORDS, wrongList)).min(1, wrongList))
      .optional(),
  ),
  HOLD_MINUTES: wholeNumber({ fallback: HOLD_MINUTES, min: 1, max: 120 }),
  RAZORPAY_KEY_ID: word,
  RAZORPAY_KEY_SECRET: word,
  RAZORPAY_WEBHOOK_SECRET: word,
  RAZORPAY_API_URL: makeOptional(
    z
      .url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:9200' })
      .refine(
        (address) => URL.canParse(address) && isLoopback(new URL(address).hostname),
        'may only name this machine: it is for tests',
      )
      .optional(),
  ).transform((address) => address?.replace(/\/$/, '')),
  UPI_ID: word.refine((id) => id === '' || /^[\w.-]{2,256}@[a-zA-Z][\w.-]{1,63}$/.test(id), 'must be like name@bank'),
  UPI_NAME: word,
  UPI_BANK: makeOptional(z.enum(UPI_BANKS, `must be one of ${UPI_BANKS.join(', ')}`).default('other')),
  UPI_AT_DOOR: makeOptional(z.enum(UPI_AT_DOOR, `must be ${UPI_AT_DOOR.join(' or ')}`).default('wait')),
}
type PaymentVariables = z.output<z.ZodObject<typeof PAYMENT_VARIABLES>>

export function paymentProblem(env: PaymentVariables, demo: boolean): string | null {
  const words = env.PAYMENTS
  if (words === undefined)
    return demo
      ? null
      : 'PAYMENTS is missing: set PAYMENTS=none to give tickets out without payment, or name the ways to pay.'
  const has = (name: Word) => words.includes(name)
  if (has('none') && words.length > 1) return 'PAYMENTS none stands alone: remove it, or the other ways to pay.'
  if (has('demo') && !demo)
    return 'PAYMENTS demo takes no real money, so it is only for the demo: use razorpay, upi or desk.'
  if (has('demo') && has('razorpay')) return 'PAYMENTS can have demo or razorpay, not both.'
  if (has('razorpay') && !(env.RAZORPAY_KEY_ID && env.RAZORPAY_KEY_SECRET && env.RAZORPAY_WEBHOOK_SECRET))
    return 'PAYMENTS razorpay needs RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET.'
  if ((has('razorpay') || has('demo')) && env.HOLD_MINUTES < HOLD_MIN_RAZORPAY)
    return `HOLD_MINUTES must be at least ${HOLD_MIN_RAZORPAY} with razorpay or demo: their links cannot expire sooner.`
  if (has('upi') && !(env.UPI_ID && env.UPI_NAME)) return 'PAYMENTS upi needs UPI_ID and UPI_NAME.'
  return null
}

const buildUpiSettings = ({ UPI_ID: id, UPI_NAME: name, UPI_BANK: bank }: PaymentVariables) => ({
  id,
  name,
  asksUtr: REMARK_LEFT[bank] !== 'whole',
})

/** Call `paymentProblem` first. */
export function buildPaymentSettings(env: PaymentVariables): PaymentSettings {
  const words = env.PAYMENTS ?? ['none']
  const apiUrl = env.RAZORPAY_API_URL
  const razorpay = {
    keyId: env.RAZORPAY_KEY_ID,
    keySecret: env.RAZORPAY_KEY_SECRET,
    webhookSecret: env.RAZORPAY_WEBHOOK_SECRET,
    apiUrl: apiUrl ?? RAZORPAY_API,
    testMode: env.RAZORPAY_KEY_ID.startsWith(TEST_KEY),
  }
  const { port, ...keys } = DOUBLE
  const double = { ...keys, testMode: true, apiUrl: apiUrl ?? `http://127.0.0.1:${port}` }
  return {
    on: !words.includes('none'),
    guest: [...new Set(words)].filter((name) =>
      (GUEST_PROVIDERS as readonly string[]).includes(name),
    ) as GuestProvider[],
    desk: words.includes('desk'),
    holdMinutes: env.HOLD_MINUTES,
    razorpay: words.includes('razorpay') ? razorpay : words.includes('demo') ? double : null,
    upi: words.includes('upi') ? buildUpiSettings(env) : null,
    upiAtDoor: env.UPI_AT_DOOR,
  }
}

import { LANGUAGES } from '../../messages/language.ts'
import { defineAnswer } from '../common.ts'
import * as z from '../zod.ts'

export const PUSH_FIELDS = {
  endpoint: 'The address must be the https address of a push service',
  keys: 'The keys are not those of a push subscription',
} as const

const ENDPOINT_MAX = 1_024
const endpointSchema = z.url(PUSH_FIELDS.endpoint).max(ENDPOINT_MAX, PUSH_FIELDS.endpoint)
/** The bytes of a key in base64url: an uncompressed point of P-256 begins with the byte 4. */
const keySchema = (shape: RegExp) => z.string().regex(shape, PUSH_FIELDS.keys)

/** What a browser's `PushSubscription.toJSON()` says, and the language of its notifications. */
export const subscribePushBodySchema = z.strictObject({
  endpoint: endpointSchema,
  /** Not used: a subscription that has expired is answered as gone. */
  expirationTime: z.number().nullish(),
  keys: z.strictObject({ p256dh: keySchema(/^B[\w-]{86}$/), auth: keySchema(/^[\w-]{22}$/) }),
  language: z.enum(LANGUAGES).default('en'),
})
export type PushSubscriptionBody = z.infer<typeof subscribePushBodySchema>

export const unsubscribePushBodySchema = z.strictObject({ endpoint: endpointSchema })

/** The server's public key for `pushManager.subscribe`, in base64url. */
export const pushKeyAnswerSchema = defineAnswer({ key: z.string() })

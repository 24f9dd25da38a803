import { defineAnswer } from '../common.ts'
import type { GarbaEvent } from '../event.ts'
import { GUEST_PROVIDERS, SIGN_IN_WAYS } from '../names.ts'
import * as z from '../zod.ts'

/** Run-time settings of the client: one build serves any organiser. */
const configSchema = z.object({
  eventTitle: z.string(),
  timezone: z.string(),
  supportEmail: z.string(),
  instagramUrl: z.string(),
  publicUrl: z.string(),
  version: z.string(),
  maxPerOrder: z.number().int().min(1),
  /** Active and used tickets of one person; 0 means no limit. */
  maxPerPerson: z.number().int().min(0),
  /** Without `providers`, an order makes its tickets at once. `test` means that no real money is taken. */
  payments: z.object({
    providers: z.array(z.enum(GUEST_PROVIDERS)),
    desk: z.boolean(),
    /** With `wait`, a UPI sale at the desk or the door makes its tickets once the desk has found the money. */
    upiAtDoor: z.enum(['wait', 'admit']),
    /** Whether a refund of less than a rupee is paid back by hand or not at all. */
    holdMinutes: z.number().int(),
    test: z.boolean(),
  }),
  waitingList: z.boolean(),
  mail: z.enum(['off', 'sent', 'written']),
  signIn: z.array(z.enum(SIGN_IN_WAYS)),
  demo: z.boolean(),
  rehearsal: z.boolean(),
  demoAccounts: z.array(z.object({ uid: z.string(), email: z.string(), name: z.string() })),
  firebase: z.object({ projectId: z.string(), apiKey: z.string(), authDomain: z.string() }),
})
export type Config = z.infer<typeof configSchema>
export const configAnswerSchema = defineAnswer(configSchema.shape)

/** The phases of an event; `today` is its day until it begins. */
export type Phase = 'before' | 'today' | 'running' | 'over'

/** What guests can buy online; `notYet` and `ended` are the organiser's window, `over` the event's end. */
export type SaleState = 'calledOff' | 'open' | 'soldOut' | 'over' | 'paused' | 'notYet' | 'ended'

/**
 * The data from which the server rendered the page, which includes it so that the browser starts from the same state.
 */
export interface PageData {
  config: Config
  event: GarbaEvent | null
  language: string
  /** The event's phase by the server's clock; 'before' if there is no event. */
  phase: Phase
  /** What guests can buy then; null if there is no event. */
  sale: SaleState | null
  splash: boolean
}

export const logErrorBodySchema = z.object({
  error: z.object({
    message: z.string().max(2000),
    stack: z.string().max(16_000).optional(),
    name: z.string().max(200).optional(),
  }),
  errorInfo: z.unknown().optional(),
  timestamp: z.string().max(40),
  url: z.string().max(2048),
  userAgent: z.string().max(512),
})
export const acceptedSchema = defineAnswer({})
